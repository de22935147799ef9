"""A game is not varied to what it would not be built from."""

import pytest
from msgspec.structs import replace

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.northmen.pack import load_pack
from lawspeaker.model.northmen.room import CATALOGUE, ROOM

PACK = load_pack(ROOM.default_pack)
BARE = replace(PACK, cards=tuple(replace(card, region=None) for card in PACK.cards))
"""A whole box in which no card places a token."""


def test_varied_refuses_a_pack_that_the_rulings_rule_out() -> None:
    game = ROOM.build(PACK, CATALOGUE.book.choose(), 3)
    with pytest.raises(BadInput, match="0 cards that place a token with 3 players"):
        game.varied(pack=BARE)


def test_varied_refuses_rulings_that_rule_the_pack_out_but_not_another_law() -> None:
    game = ROOM.build(BARE, CATALOGUE.book.choose({"R_NO_CARD": "end"}), 3)
    with pytest.raises(BadInput, match="R_NO_CARD=end"):
        game.varied(rulings=CATALOGUE.book.choose())
    assert game.varied(law=game.law).pack == BARE
