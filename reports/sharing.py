"""Drawings of one page share what they have in common, so that a page with hundreds of them stays light.

Two positions of a game look alike for the most part.  Each shape (a definition, or a group that stands in
several places) is written once, in a drawing that takes no room, and used by its id elsewhere.
"""

from __future__ import annotations

import re

_DRAWING = re.compile(r"<svg [^>]*?aria-labelledby=\"(\S+)-t .*?</svg>", re.DOTALL)
_DEFINITIONS = re.compile(r"<defs>(.*?)</defs>", re.DOTALL)
_GROUP = re.compile(r"<g(?: [^>]*)?(?<!/)>|</g>")
_TAG = re.compile(r"<(/?)([A-Za-z]+)((?:[^>]*[^/>])?)(/?)>")
_ID = re.compile(r' id="([^"]*)"')
_BOUND = re.compile(r"^<[^>]* (?:data-|id=)")
"""A group that a script or an address looks for stays where it is."""
_MARKED = re.compile("\x01([0-9]+)\x01|\x02([0-9]+)\x02")
_LEAST = 70
"""So many characters make a group worth sharing."""
_OPEN = '<svg aria-hidden="true" width="0" height="0" style="position:absolute"><defs>'

GROUP, NAME = "\x01", "\x02"
"""Between two of the first stands the number of a group in its place, of the second that of a shape named."""


def share(page: str, place: str) -> str:
    """Return a page whose drawings share shapes; the first *place* in it becomes the drawing that holds them.

    A page looks the same before and after.  Nothing but drawings as ``drawing`` makes them is touched.
    """
    shapes = _Shapes()
    parts: list[str] = []
    done = 0
    for found in _DRAWING.finditer(page):
        parts += [page[done : found.start()], shapes.take(found[0], found[1])]
        done = found.end()
    parts.append(page[done:])
    for part in parts[1::2]:
        shapes.count(part)
    parts[1::2] = [shapes.written(part) for part in parts[1::2]]
    return "".join(parts).replace(place, shapes.pool(), 1)


class _Shapes:
    """All groups and definitions of a page, each different one once, its inner ones by number."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.numbers: dict[str, int] = {}
        self.uses: list[int] = []
        self.bound: list[bool] = []
        self.sizes: list[int] = []
        self.defined: set[int] = set()
        self.ids: dict[int, str] = {}

    # -- reading ----------------------------------------------------------------------------------

    def take(self, drawing: str, uid: str) -> str:
        """Return a drawing with numbers in place of its groups and without its definitions."""
        found = _DEFINITIONS.search(drawing)
        if found is None:
            return self._folded(drawing)
        named = dict(_definitions(found[1]))
        known: dict[str, str] = {}

        def resolve(name: str) -> str:
            if name not in known:
                unnamed = _ID.sub("", named[name], count=1)
                number = self._number(self._folded(refer(unnamed)))
                self.defined.add(number)
                known[name] = f"{NAME}{number}{NAME}"
            return known[name]

        reference = re.compile(rf'(href="#|url\(#)({re.escape(uid)}-[^")]+)')

        def refer(text: str) -> str:
            return reference.sub(lambda m: m[1] + (resolve(m[2]) if m[2] in named else m[2]), text)

        return self._folded(refer(drawing[: found.start()] + drawing[found.end() :]))

    def _folded(self, text: str) -> str:
        """Return a text whose groups are numbers; the outermost of a definition counts too."""
        stack: list[list[str]] = [[]]
        done = 0
        for tag in _GROUP.finditer(text):
            stack[-1].append(text[done : tag.start()])
            done = tag.end()
            if tag[0] == "</g>":
                whole = "".join((*stack.pop(), tag[0]))
                stack[-1].append(f"{GROUP}{self._number(whole)}{GROUP}")
            else:
                stack.append([tag[0]])
        stack[-1].append(text[done:])
        return "".join(stack[-1])

    def _number(self, text: str) -> int:
        whole = _MARKED.fullmatch(text)
        if whole and whole[1]:
            return int(whole[1])  # a definition that is one group
        known = self.numbers.get(text)
        if known is not None:
            return known
        number = self.numbers[text] = len(self.texts)
        inner = [int(m[1]) for m in _MARKED.finditer(text) if m[1]]
        self.texts.append(text)
        self.uses.append(0)
        self.bound.append(bool(_BOUND.match(text)) or any(self.bound[n] for n in inner))
        self.sizes.append(len(text) + sum(self.sizes[n] for n in inner))
        for n in inner:
            self.uses[n] += 1
        return number

    def count(self, drawing: str) -> None:
        """Count the groups that stand in a drawing itself; those in groups are counted with these."""
        for found in _MARKED.finditer(drawing):
            if found[1]:
                self.uses[int(found[1])] += 1

    # -- writing ----------------------------------------------------------------------------------

    def written(self, text: str) -> str:
        """Return a text with its groups written out, or used where they are shared."""
        return _MARKED.sub(self._one, text)

    def _one(self, found: re.Match[str]) -> str:
        if found[2]:
            return self._id(int(found[2]))
        number = int(found[1])
        worth = self.uses[number] > 1 and self.sizes[number] >= _LEAST and not self.bound[number]
        return f'<use href="#{self._id(number)}"/>' if worth else self.written(self.texts[number])

    def _id(self, number: int) -> str:
        return self.ids.setdefault(number, f"k{len(self.ids)}")

    def pool(self) -> str:
        """Return the drawing that holds every shape that is used, "" if there is none."""
        found: list[str] = []
        waiting = list(self.ids)
        while waiting:  # writing one may name others
            number = waiting.pop(0)
            known = len(self.ids)
            text = self.written(self.texts[number])
            end = re.match(r"<[A-Za-z]+", text)
            assert end is not None
            found.append(f'{text[: end.end()]} id="{self.ids[number]}"{text[end.end() :]}')
            waiting += list(self.ids)[known:]
        return f"{_OPEN}{''.join(found)}</defs></svg>" if found else ""


def _definitions(text: str) -> list[tuple[str, str]]:
    """Return each definition with its id."""
    found: list[tuple[str, str]] = []
    depth = begin = 0
    for tag in _TAG.finditer(text):
        if tag[1]:
            depth -= 1
        elif not tag[4]:
            begin = tag.start() if depth == 0 else begin
            depth += 1
            continue
        elif depth == 0:
            begin = tag.start()
        if depth == 0:
            whole = text[begin : tag.end()]
            named = _ID.search(whole)
            assert named is not None
            found.append((named[1], whole))
    return found
