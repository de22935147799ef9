import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.model.core.canonical import canonical, digest

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=10,
)


@given(plain)
def test_canonical_json_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(canonical(value)) == value


def test_keys_are_sorted_and_nothing_is_blank() -> None:
    assert canonical({"b": [1, None], "a": True}) == b'{"a":true,"b":[1,null]}'


def test_a_tuple_is_a_list_and_order_of_insertion_does_not_matter() -> None:
    assert digest({"a": (1, 2), "b": 0}) == digest({"b": 0, "a": [1, 2]})


def test_a_digest_is_the_sha256_of_the_canonical_form() -> None:
    # sha256 of the two bytes {}
    assert digest({}) == "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("value", [1.5, {1: "a"}, {"a"}, b"x", {"a": [1.0]}])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="canonical JSON"):
        canonical(value)
