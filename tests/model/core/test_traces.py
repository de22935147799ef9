"""Traces, on a card game for two that is nothing but secrets, and on every real game."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.model.core.clauses import Catalogue, Clause
from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Effect, Game, Result, facts
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game, room
from lawspeaker.model.core.law import Law
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.play import sensible
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.traces import (
    game_for,
    mask,
    read_trace,
    record_playout,
    replay,
    trace_of,
    write_trace,
)

RULE = Clause("C-1", "Bids", "rule", "bids rise", breach="bid {bid} is not above {last}", effect="bid {bid}")


class Table(msgspec.Struct, frozen=True):
    """Each seat is dealt a secret card; then each bids once, the second more than the first."""

    cards: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()


class Bidding(Game[Table, str]):
    id = "bidding"
    catalogue = Catalogue("lawspeaker-clauses/1", "bidding", "Bidding", 3, (RULE,))
    pack = Pack(format="toy/1", game="bidding", id="deck", title="Deck")
    rulings = Rulings({"R_ONE": "yes", "R_TWO": "no"})
    law = Law(())
    seats = ("A", "B")
    fields = ("cards", "bids")
    invariants = ("I-1",)

    def start(self) -> Table:
        return Table()

    def actor(self, position: Table) -> int:
        if len(position.cards) < 2:
            return CHANCE
        return len(position.bids) if len(position.bids) < 2 else OVER

    def legal(self, position: Table) -> tuple[str, ...]:
        return tuple(a for a in self.alphabet(position) if not self.breaches(position, a))

    def odds(self, position: Table) -> tuple[Fraction, ...]:
        return (Fraction(1, 4),) * 4

    def apply(self, position: Table, action: str) -> Table:
        number = int(action.split()[1])
        if action.startswith("deal"):
            return Table((*position.cards, number), position.bids)
        return Table(position.cards, (*position.bids, number))

    def breaches(self, position: Table, action: str, by: int | None = None) -> tuple[Breach, ...]:
        actor = self.actor(position)
        if actor == OVER or action.startswith("deal") != (actor == CHANCE):
            return (Breach("turn"),)
        last = position.bids[-1] if position.bids else 0
        number = int(action.split()[1])
        if actor != CHANCE and number <= last:
            return (Breach("C-1", facts(bid=number, last=last)),)
        return ()

    def effects(self, position: Table, action: str) -> tuple[Effect, ...]:
        return ()

    def touched(self, position: Table, action: str, after: Table) -> tuple[str, ...]:
        return ()

    def alphabet(self, position: Table) -> Iterable[str]:
        return [*(f"deal {n}" for n in range(1, 5)), *(f"bid {n}" for n in range(1, 5 + 4 * len(position.bids)))]

    def observe(self, position: Table, seat: int) -> dict[str, Any]:
        return {"card": list(position.cards[seat : seat + 1]), "bids": list(position.bids)}

    def result(self, position: Table) -> Result:
        return Result((*position.bids, 0, 0)[:2], (), (1,) if self.actor(position) == OVER else ())

    def appeal(self, view: Mapping[str, Any], actions: Sequence[str]) -> Sequence[float]:
        return [-float(a.split()[1]) for a in actions]

    def text(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        if not re.fullmatch("(deal|bid) +[0-9]", text):
            raise BadInput(f"{text!r} is no action", hint="write bid N")
        return " ".join(text.split())

    def kind(self, action: str) -> str:
        return action.split()[0]

    def sees(self, position: Table, action: str) -> tuple[int, ...]:
        return (len(position.cards),) if action.startswith("deal") else (0, 1)

    def record(self, position: Table) -> dict[str, Any]:
        return {"cards": list(position.cards), "bids": list(position.bids)}

    def position(self, record: Mapping[str, Any]) -> Table:
        return Table(tuple(record["cards"]), tuple(record["bids"]))

    def broken_invariants(self, position: Table) -> tuple[Breach, ...]:
        return (Breach("I-1", facts(cards=len(position.cards))),) if len(position.cards) > 2 else ()

    def varied(
        self, *, pack: Pack | None = None, rulings: Rulings | None = None, law: Law | None = None
    ) -> "Bidding":
        return self


GAME = Bidding()
ACTIONS = ("deal 3", "deal 2", "bid 1", "bid 4")
TEXT = write_trace(trace_of(GAME, ACTIONS))


def complaint(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        replay(read_trace(text, "mail"), GAME)
    return str(caught.value)


def test_a_trace_is_text_for_people() -> None:
    digest = GAME.digest(Table((3, 2), (1, 4)))
    assert TEXT.splitlines() == [
        "lawspeaker-trace 1",
        "game: bidding",
        "catalogue: 3",
        f"pack: deck {GAME.pack.digest}",
        "players: A B",
        "ruling: R_ONE=yes",
        "ruling: R_TWO=no",
        "",
        "1 chance deal 3 (seen by A)",
        "2 chance deal 2 (seen by B)",
        "3 A bid 1",
        "4 B bid 4",
        f"end: {digest} A=1 B=4",
    ]


def test_text_reads_back_and_replays_to_the_same_positions() -> None:
    trace = read_trace(TEXT)
    assert write_trace(trace) == TEXT
    assert replay(trace, GAME) == [
        Table(),
        Table((3,)),
        Table((3, 2)),
        Table((3, 2), (1,)),
        Table((3, 2), (1, 4)),
    ]


def test_comments_and_blank_lines_mean_nothing_but_count_as_lines() -> None:
    text = TEXT.replace("1 chance", "# dealing\n\n1 chance").replace("bid 4", "bid 1")
    assert "line 14, action 4" in complaint(text)
    assert write_trace(read_trace(text.replace("B bid 1", "B bid 4"))) == TEXT


def test_a_trace_may_begin_at_a_position_that_was_set_up() -> None:
    text = write_trace(trace_of(GAME, ["bid 2"], Table((1, 1))))
    assert 'start: {"bids":[],"cards":[1,1]}' in text
    assert replay(read_trace(text), GAME)[-1] == Table((1, 1), (2,))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_game() -> None:
    texts = [write_trace(record_playout(GAME, seed)) for seed in (1, 1, 2, 3)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bid 4", "bid 1", "mail, line 12, action 4: 'bid 1' is not legal: C-1: bid 1 is not above 1"),
        ("3 A bid", "3 B bid", "mail, line 11, action 3: 'bid 1' by B; A is next"),
        ("bid 4", "bid  4", "mail, line 12, action 4: 'bid  4' is not canonical; write 'bid 4'"),
        ("bid 4", "fold", "mail, line 12, action 4: 'fold' is no action; write bid N"),
        ("(seen by A)", "(seen by all)", "action 1: 'deal 3' says wrongly who sees it; write (seen by A)"),
        ("A=1", "A=2", "does not end as it says; replayed, it is 'end: sha256:"),
        ("trace 1", "trace 2", "no trace of this version; the first line is 'lawspeaker-trace 1'"),
        ("game: bidding\n", "", "mail: has no line `game:`"),
        ("game: bidding", "game: bidding\ngame: bidding", "mail, line 3: 'game' stands twice"),
        ("catalogue: 3", "catalogue: three", "mail, line 3: cannot read catalogue 'three'"),
        ("pack: deck sha256:", "pack: deck md5:", "mail, line 4: cannot read pack"),
        ("players: A B", "players: A A", "mail, line 5: players 'A A'"),
        ("R_TWO=no", "R_TWO", "mail, line 7: 'R_TWO' is no ruling"),
        ("R_TWO", "R_ONE", "mail, line 7: ruling R_ONE stands twice"),
        ("players:", "playors:", "mail, line 5: unknown field 'playors'"),
        ("2 chance", "7 chance", "mail, line 10: action 7 where 2 is next"),
        ("3 A", "3 C", "mail, line 11: unknown actor 'C'; it is one of A, B, chance"),
        (" (seen by A)", "", "mail, line 9: who sees it is not said of chance; write (seen by all)"),
        ("A bid 1", "A bid 1 (seen by all)", "mail, line 11: seen by 'all' is said of what A does; A sees it at least"),
        ("A bid 1", "A bid 1 (seen by B)", "mail, line 11: seen by 'B' is said of what A does"),
        ("A bid 1", "A bid 1 (seen by nobody)", "mail, line 11: seen by 'nobody' is said of what A does"),
        ("A bid 1", "A bid 1 (seen by A)", "action 3: 'bid 1' says wrongly who sees it; write nothing behind it"),
        ("(seen by A)", "(seen by B, A)", "mail, line 9: seen by 'B, A'"),
        ("3 A bid 1", "3 A bid 1\ngame: x", "mail, line 12: 'game' after the first action"),
        ("4 B bid 4", "4 B bid 4\nend: nothing", "mail, line 13: cannot read the end 'nothing'"),
        ("\n\n1", '\nstart: {"cards":[1.5]}\n1', "mail, line 8: start is no record"),
        ("\n\n1", '\nstart: {"cards":[1,2,3],"bids":[]}\n1', "start: is no valid position: I-1: I-1: cards 3"),
        ("\n\n1", "\nmasked: C\n1", "mail, line 8: masked for unknown seat 'C'"),
    ],
)
def test_a_wrong_trace_is_refused_with_place_and_reason(old: str, new: str, said: str) -> None:
    assert old in TEXT
    assert said in complaint(TEXT.replace(old, new, 1))


def test_nothing_may_follow_the_end() -> None:
    assert "mail, line 14: something follows the end" in complaint(TEXT + "5 A bid 1\n")


def test_no_text_at_all_is_refused() -> None:
    assert complaint("") == "mail: is empty, no trace of this version; the first line is 'lawspeaker-trace 1'"


def test_an_illegal_action_is_not_recorded() -> None:
    with pytest.raises(BadInput, match="action 4: 'bid 1' is not legal: C-1: bid 1 is not above 2"):
        trace_of(GAME, ["deal 1", "deal 1", "bid 2", "bid 1"])


def test_a_masked_trace_tells_a_seat_its_own_card_only() -> None:
    text = write_trace(mask(read_trace(TEXT), 0, GAME))
    assert "1 chance deal 3 (seen by A)" in text
    assert "2 chance ? (seen by B)" in text
    assert "masked: A" in text
    assert text.endswith("4 B bid 4\nend: A=1 B=4\n")
    assert "cannot be replayed" in complaint(text)


def test_worlds_that_differ_in_secrets_give_the_same_masked_trace() -> None:
    def seen(mine: int, other: int, bids: Sequence[str], start: Table | None = None) -> str:
        deals = [] if start else [f"deal {mine}", f"deal {other}"]
        return write_trace(mask(trace_of(GAME, [*deals, *bids], start), 0, GAME))

    for bids in ([], ["bid 1"], ["bid 1", "bid 2"]):
        assert seen(3, 2, bids) == seen(3, 4, bids)
        assert seen(3, 2, bids) != seen(2, 2, bids)
        assert seen(0, 0, bids, Table((3, 2))) == seen(0, 0, bids, Table((3, 4)))


# -- on real games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_replays_from_text_alone(game_id: str) -> None:
    game = make_game(game_id)
    trace = record_playout(game, 5, sensible)
    again = read_trace(write_trace(trace))
    positions = replay(again, game_for(again))
    assert game.actor(positions[-1]) == OVER
    assert [game.text(a) for a in game.legal(positions[0])]
    assert trace.end and game.digest(positions[-1]) == trace.end.digest


@pytest.mark.parametrize("game_id", game_ids())
def test_a_trace_of_another_catalogue_pack_or_set_of_rulings_is_refused(game_id: str) -> None:
    trace = record_playout(make_game(game_id), 5, limit=3)
    names = [name for name, _ in trace.rulings]
    changed = {
        "this is version": {"catalogue": trace.catalogue + 1},
        "give its pack file": {"pack_digest": "sha256:" + "0" * 64},
        f"does not say {names[0]}": {"rulings": trace.rulings[1:]},
        "unknown value 'maybe'": {"rulings": ((names[0], "maybe"), *trace.rulings[1:])},
        "unknown ruling 'R_NONE'": {"rulings": (*trace.rulings, ("R_NONE", "x"))},
        "is not for 7 players": {"players": tuple("ABCDEFG")},
        "its seats are": {"players": tuple("XYZUVW"[: len(trace.players)])},
    }
    for said, fields in changed.items():
        with pytest.raises(BadInput, match=said):
            game_for(msgspec.structs.replace(trace, **fields))


@pytest.mark.parametrize("game_id", game_ids())
def test_a_trace_keeps_its_rulings_whatever_the_defaults_are(game_id: str) -> None:
    book = room(game_id).catalogue.book
    for rulings in list(book.singles())[1:4]:
        trace = record_playout(make_game(game_id, rulings=rulings), 1, limit=4)
        assert game_for(read_trace(write_trace(trace))).rulings == rulings


# -- damaged text --------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.sampled_from("\n :?=(9²\0\u2028A")), max_size=4))
def test_damaged_text_is_refused_or_means_something_never_a_crash(changes: list[tuple[int, str]]) -> None:
    letters = list(TEXT)
    for at, new in changes:
        letters[at] = new
    try:
        trace = read_trace("".join(letters))
        replay(trace, GAME)
    except BadInput as error:
        assert "\n" not in str(error)
    else:
        assert read_trace(write_trace(trace)).entries == trace.entries
