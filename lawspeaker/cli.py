"""The command line: finds the subcommands, and turns whatever goes wrong into one message and an exit code.

Exit codes: 0 as expected, 1 something failed, 2 wrong use or bad input, 130 interrupted.  An error that
is ours, a bug, keeps its traceback.
"""

from __future__ import annotations

import ast
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from lawspeaker import __version__, commands

WRONG_USE = 2
INTERRUPTED = 130


class Commands(click.Group):
    """A group whose members are the modules of ``lawspeaker.commands``.

    A module is imported only when its command is used: help stays fast, and a command that cannot
    be imported takes no other down.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all subcommands, sorted."""
        return sorted(command_summaries())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a subcommand; None if there is no such."""
        if cmd_name not in command_summaries():
            return None
        found: click.Command = import_module(f"{commands.__name__}.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write name and summary of each subcommand, from the sources alone."""
        rows = sorted(command_summaries().items())
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that *args* name; a wrong name is answered with the right ones."""
        if args and not args[0].startswith("-") and args[0] not in command_summaries():
            known = ", ".join(sorted(command_summaries()))
            raise click.UsageError(f"unknown command {args[0]!r}; known are {known}", ctx)
        return super().resolve_command(ctx, args)


def command_summaries() -> dict[str, str]:
    """Return each subcommand's name with the first line of its module's docstring, without importing it.

    A module of the folder without a top-level ``command`` is a helper and no subcommand.
    """
    found: dict[str, str] = {}
    for folder in commands.__path__:
        for file in sorted(Path(folder).glob("[!_]*.py")):
            try:
                tree = ast.parse(file.read_bytes())
            except SyntaxError:
                found[file.stem] = "(cannot be read)"
                continue
            if any("command" in _names_bound(node) for node in tree.body):
                found[file.stem] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def _names_bound(node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return (node.name,)
    if isinstance(node, ast.Assign):
        return tuple(target.id for target in node.targets if isinstance(target, ast.Name))
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return (node.target.id,)
    return ()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="lawspeaker %(version)s")
def group() -> None:
    """Verify a game's rulebook, and test implementations of the game against it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; a subcommand may return its own as an int."""
    # imported late: `lawspeaker --help` needs nothing of the model
    from lawspeaker.model.core.errors import BadInput

    try:
        outcome = group.main(args=arguments, prog_name="lawspeaker", standalone_mode=False)
        sys.stdout.flush()
    except BadInput as error:
        return _complain(str(error))
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "lawspeaker"
        return _complain(f"{error.format_message().rstrip('.')}; see {path} --help")
    except click.ClickException as error:
        return _complain(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except SystemExit as stop:
        _drop_output()
        return stop.code if isinstance(stop.code, int) else WRONG_USE
    except OSError as error:
        if error.errno != errno.EPIPE:
            raise
        _drop_output()
        return 1
    return outcome if type(outcome) is int else 0


def _complain(text: str) -> int:
    sys.stdout.flush()
    click.echo(f"lawspeaker: {text}", err=True)
    return WRONG_USE


def _drop_output() -> None:
    """Let what is still buffered go nowhere if nobody reads it any more (``lawspeaker ... | head``)."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
