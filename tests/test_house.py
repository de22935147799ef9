"""The rules of the house that no linter checks."""

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import lawspeaker
from lawspeaker.cli import command_summaries

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("model", "properties", "scenarios", "solver", "conformance", "reports")
LONGEST_FILE = 600
LONGEST_FUNCTION = 60


def tracked() -> list[Path]:
    """Every file of the checkout that git knows, or would add; links aside."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = listed.stdout.decode().split("\0")
    return [ROOT / n for n in names if n and (ROOT / n).is_file() and not (ROOT / n).is_symlink()]


def sources() -> list[Path]:
    return [path for path in tracked() if path.suffix == ".py"]


def top_level_imports(source: str) -> set[str]:
    """The first names of all absolute imports, and of modules imported by name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def test_the_import_check_sees_each_form_of_import() -> None:
    source = "import model.core\nfrom solver import x\nfrom .reports import y\nfrom lawspeaker.scenarios import z\n"
    assert top_level_imports(source) & set(FOLDERS) == {"model", "solver"}


def test_nothing_imports_a_folder_as_a_top_level_name() -> None:
    wrong = {str(p.relative_to(ROOT)) for p in sources() if top_level_imports(p.read_text()) & set(FOLDERS)}
    assert not wrong, f"write lawspeaker.model and so on in {sorted(wrong)}"


def test_no_file_names_a_place_on_one_machine_or_a_package_host() -> None:
    # put together here, so that this file does not contain what it looks for
    places = "|".join(("wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers"))
    hosts = "|".join(("pyp" + r"i\.org", "pythonhos" + r"ted\.org", "npm" + r"js\.(?:org|com)"))
    pattern = re.compile(rf"(?<![\w.~])/(?:{places})/\w|{hosts}")
    wrong = []
    for path in tracked():
        found = pattern.search(path.read_text(encoding="utf-8", errors="replace"))
        if found:
            wrong.append(f"{path.relative_to(ROOT)}: {found[0]}")
    assert not wrong


def test_files_and_functions_stay_readable() -> None:
    wrong = []
    for path in sources():
        text = path.read_text()
        lines = text.count("\n")
        if lines > LONGEST_FILE:
            wrong.append(f"{path.relative_to(ROOT)}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    wrong.append(f"{path.relative_to(ROOT)}: {node.name} has {length} lines")
    assert not wrong


def test_every_pinned_version_is_exact_and_says_no_address() -> None:
    pins = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and line[0] != "#"]
    assert pins
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9A-Za-z.]*", pin)] == []


def test_every_library_we_name_is_pinned() -> None:
    import tomllib

    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~ \[;]", name)[0]).lower()

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [*project["dependencies"], *(x for extra in project["optional-dependencies"].values() for x in extra)]
    pinned = {plain(line) for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {plain(name) for name in named} - pinned == set()


def test_every_subcommand_module_exposes_a_command_with_help() -> None:
    import click

    summaries = command_summaries()
    modules = {p.stem for p in (ROOT / "lawspeaker/commands").glob("[!_]*.py")}
    assert set(summaries) == modules, "a module here without `command` begins with an underscore"
    for name, summary in summaries.items():
        command = import_module(f"lawspeaker.commands.{name}").command
        assert isinstance(command, click.Command)
        assert command.help and summary.endswith(".")


# -- where the code is found -----------------------------------------------------------------------------


def copy_house(where: Path, links: str) -> Path:
    """Copy the package and its folders; *links* are kept, left out, or turned into files of text."""
    skip = shutil.ignore_patterns("__pycache__", "out")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, where / folder, ignore=skip)
    package = where / "lawspeaker"
    package.mkdir()
    for path in (ROOT / "lawspeaker").glob("*.py"):
        shutil.copy(path, package)
    shutil.copytree(ROOT / "lawspeaker/commands", package / "commands", ignore=skip)
    for folder in FOLDERS:
        if links == "kept":
            (package / folder).symlink_to(Path("..") / folder)
        elif links == "text":
            (package / folder).write_text(f"../{folder}")
    return where


def run_python(code: str, cwd: Path, *path: Path) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    env["PYTHONPATH"] = os.pathsep.join(str(p) for p in path)
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("links", ["kept", "absent", "text"])
def test_a_checkout_runs_whether_or_not_its_links_survived(tmp_path: Path, links: str) -> None:
    house = copy_house(tmp_path / "house", links)
    code = (
        "import lawspeaker.model.core.games as g, lawspeaker.solver, lawspeaker.cli; "
        "print(g.__file__); print(g.game_ids())"
    )
    where, games = run_python(code, tmp_path, house).splitlines()
    assert Path(where).resolve() == house / "model/core/games.py"
    assert "fjords" in games


@pytest.mark.parametrize("links", ["kept", "absent"])
def test_somebody_elses_model_py_does_no_harm(tmp_path: Path, links: str) -> None:
    house = copy_house(tmp_path / "house", links)
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    for name in FOLDERS:
        (hostile / f"{name}.py").write_text(f"raise SystemExit('the wrong {name} was imported')")
    code = "import lawspeaker.model.core.games as g; print(g.room('fjords').id)"
    assert run_python(code, hostile, hostile, house) == "fjords"


def test_the_installed_package_is_this_checkout() -> None:
    assert Path(lawspeaker.__file__).resolve().parent == ROOT / "lawspeaker"
