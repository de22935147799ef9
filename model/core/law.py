"""The law: a table of rule functions, each labelled with the clauses it states.

A model never calls a rule function by its module; it calls ``law.name(...)``.  So a clause can be
dropped, and a faulty variant made, by replacing one entry, without touching the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Rule:
    """One rule function, the clauses it states, and what stands in its place without them."""

    __slots__ = ("clauses", "each", "function", "name", "whole")

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        clauses: tuple[str, ...],
        whole: Callable[..., Any],
        each: dict[str, Callable[..., Any]],
    ) -> None:
        self.name, self.function, self.clauses = name, function, clauses
        self.whole, self.each = whole, each

    def without(self, dropped: frozenset[str]) -> Callable[..., Any]:
        """Return what stands in the rule's place without some of its clauses (one at least)."""
        mine = [clause for clause in self.clauses if clause in dropped]
        return self.each.get(mine[0], self.whole) if len(mine) == 1 else self.whole


def rule(*clauses: str, without: Any = None, each: dict[str, Any] | None = None) -> Callable[[F], F]:
    """Label a rule function with the *clauses* it states.

    ``without`` is what the game does when all of these clauses are dropped: a function with the
    same parameters, or the constant it would return.  ``each`` gives that for a clause dropped alone,
    where it leaves something different.
    """

    def label(function: F) -> F:
        alone = {clause: _as_function(value) for clause, value in (each or {}).items()}
        made = Rule(function.__name__, function, clauses, _as_function(without), alone)
        function.__rule__ = made  # type: ignore[attr-defined]
        return function

    return label


def _as_function(value: Any) -> Callable[..., Any]:
    return value if callable(value) else lambda *args, **kwargs: value


class Law:
    """The rule functions of one game as attributes; immutable, varied by ``replace``."""

    rules: dict[str, Rule]

    def __init__(self, rules: Iterable[Rule], **functions: Callable[..., Any]) -> None:
        table = {r.name: r for r in rules}
        self.__dict__["rules"] = table
        for name, entry in table.items():
            self.__dict__[name] = functions.get(name, entry.function)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"the law has no rule {name!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a law is immutable; use replace")

    def replace(self, **functions: Callable[..., Any]) -> Law:
        """Return a law in which the named rules are these functions; raises KeyError if unknown."""
        for name in functions:
            self.rules[name]
        current = {name: getattr(self, name) for name in self.rules}
        return Law(self.rules.values(), **(current | functions))

    def without(self, clauses: Iterable[str]) -> Law:
        """Return the law as if these clauses were not in the book.

        Where several clauses of one rule are dropped, the replacement of the last by id stands.
        Raises KeyError for a clause that no rule function states.
        """
        dropped = frozenset(clauses)
        unknown = dropped - self.stated()
        if unknown:
            raise KeyError(min(unknown))
        return self.replace(**{r.name: r.without(dropped) for r in self.rules.values() if dropped & set(r.clauses)})

    def stated(self) -> frozenset[str]:
        """The clauses that some rule function states."""
        return frozenset(clause for r in self.rules.values() for clause in r.clauses)


def law_of(*modules: Any) -> Law:
    """Collect every labelled function of these modules, in the order written."""
    return Law(value.__rule__ for module in modules for value in vars(module).values() if hasattr(value, "__rule__"))
