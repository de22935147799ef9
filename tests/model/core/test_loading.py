from pathlib import Path
from typing import Literal

import msgspec
import pytest

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.loading import convert, load_yaml, parse_yaml, read_text


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    sides: tuple[int, ...] = ()


class File(msgspec.Struct, frozen=True):
    format: Literal["tiles/1"]


def test_yaml_and_json_read_alike(tmp_path: Path) -> None:
    for name, text in (("a.yaml", "id: T1\nsides: [1, 2]"), ("a.json", '{"id": "T1", "sides": [1, 2]}')):
        (tmp_path / name).write_text(text)
        assert load_yaml(tmp_path / name, Tile) == Tile("T1", (1, 2))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1", r"file, line \d, column \d+: did not find"),
        ("a: 1\nb: 2\na: 3", r"file, line 3, column 1: key 'a' stands twice"),
        ("a: {b: 1, b: 2}", "stands twice"),
        ("a: !!python/object/apply:os.system [ls]", "could not determine a constructor"),
        ("[" * 20000, "maximum nesting depth|RecursionError"),
        ("a: 2026-13-45", "not valid YAML"),
    ],
)
def test_text_that_is_no_yaml_is_one_complaint_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        parse_yaml(text, "file")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"id": 3}, r"^pack \$\.id: expected `str`, got `int`$"),
        ({"id": "T", "sides": [1, "2"]}, r"\$\.sides\[1\]"),
        ({"id": "T", "colour": 1}, "unknown field `colour`"),
        ({}, "missing required field `id`"),
    ],
)
def test_a_value_of_the_wrong_shape_is_named_by_its_path(value: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        convert(value, Tile, "pack")


def test_a_file_of_another_format_is_told_the_right_one() -> None:
    with pytest.raises(BadInput, match=r"\$\.format: .*'tiles/2'; a file for this has format tiles/1$"):
        convert({"format": "tiles/2"}, File, "pack")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.yaml: cannot be read"):
        read_text(tmp_path / "nowhere.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9")
    with pytest.raises(BadInput, match=r"latin\.yaml: is not UTF-8"):
        read_text(tmp_path / "latin.yaml")


def test_a_file_without_end_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero here")
    with pytest.raises(BadInput, match="is longer than"):
        read_text(Path("/dev/zero"))
