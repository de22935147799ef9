"""Traces and perft where actions are hidden and decisions have several parts, on the game Hoards."""

import msgspec
import pytest
from hoards import Hoards, Position, faulty

from lawspeaker.model.core.contract import OVER
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game
from lawspeaker.model.core.play import divide, perft, sensible
from lawspeaker.model.core.traces import (
    Entry,
    actions_of,
    after_lines,
    check_masked,
    compacted,
    expanded,
    mask,
    read_trace,
    record_playout,
    replay,
    trace_of,
    write_trace,
)

GAME = Hoards()
ACTIONS = [
    ("deal", 2), ("deal", 4), ("send", 2), ("send", 0), ("send", 1), ("send", 0), ("send", 3),
    ("wager", 0), ("wager", 1), ("wager", 4), ("wager", 0),
]  # fmt: skip
ATOMIC = trace_of(GAME, ACTIONS)
COMPACT = compacted(ATOMIC, GAME)
TEXT = write_trace(COMPACT)


def body(text: str) -> list[str]:
    return [line for line in text.splitlines() if line[:1].isdigit()]


def test_who_sees_an_action_is_written_only_where_not_all_do() -> None:
    lines = body(write_trace(ATOMIC))
    assert lines[2] == "3 A send 2"
    assert lines[7:] == ["8 A wager 0 (seen by A)", "9 A wager 1 (seen by A)", "10 B wager 4 (seen by B)",
                         "11 B wager 0 (seen by B)"]  # fmt: skip


def test_a_whole_decision_may_stand_in_one_line() -> None:
    assert body(TEXT) == [
        "1 chance deal 2 (seen by A)",
        "2 chance deal 4 (seen by B)",
        "3 A march 1:2 3:1",
        "4 B march 2:3",
        "5 A wagers 0 1 (seen by A)",
        "6 B wagers 4 0 (seen by B)",
    ]


def test_a_compact_trace_reads_back_and_expands_to_the_same_play() -> None:
    trace = read_trace(TEXT, "mail")
    assert write_trace(trace) == TEXT
    assert replay(trace, GAME) == replay(ATOMIC, GAME)
    assert actions_of(trace, GAME) == ACTIONS
    assert expanded(trace, GAME).entries == ATOMIC.entries
    assert compacted(trace, GAME).entries == trace.entries


def test_positions_by_line_are_fewer_than_by_action() -> None:
    by_line, by_action = after_lines(COMPACT, GAME), replay(COMPACT, GAME)
    assert (len(by_line), len(by_action)) == (7, 12)
    assert [by_action.index(p) for p in by_line] == [0, 1, 2, 5, 7, 9, 11]


def test_a_decision_that_breaks_off_or_began_before_stays_in_parts() -> None:
    cut = compacted(trace_of(GAME, ACTIONS[:6]), GAME)
    assert [e.action for e in cut.entries] == ["deal 2", "deal 4", "march 1:2 3:1", "send 0"]
    middle = Position((2, 4), ((2,), ()))
    later = compacted(trace_of(GAME, ACTIONS[3:7], middle), GAME)
    assert [e.action for e in later.entries] == ["send 0", "send 1", "march 2:3"]


@pytest.mark.parametrize("seed", range(30))
def test_any_game_survives_both_ways_through_text(seed: int) -> None:
    trace = record_playout(GAME, seed)
    short = read_trace(write_trace(compacted(trace, GAME)))
    assert len(short.entries) == 6
    assert write_trace(expanded(short, GAME)) == write_trace(trace)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_survives_both_ways_through_text(game_id: str) -> None:
    game = make_game(game_id)
    trace = record_playout(game, 3, sensible, limit=600)
    short = read_trace(write_trace(compacted(trace, game)))
    assert write_trace(expanded(short, game)) == write_trace(trace)
    assert (len(short.entries) < len(trace.entries)) == game.has_compounds()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1:2 3:1", "1:2 3:2", "mail, line 9, action 3, part 3: 'send 2' is not legal: HD-MARCH-01: 1 men are left"),
        ("1:2 3:1", "3:1 1:2", "mail, line 9, action 3: 'march 3:1 1:2' is not canonical; write 'march 1:2 3:1'"),
        ("1:2 3:1", "to hill 1", "mail, line 9, action 3: cannot read 'march to hill 1'; write march HILL:MEN"),
        ("3 A march", "3 B march", "mail, line 9, action 3: 'march 1:2 3:1' by B; A is next"),
        ("3 A march 1:2 3:1", "3 A wagers 0 1", "action 3, part 1: 'wager 0' is not legal: HD-TURN-01"),
        ("A wagers 0 1", "A wagers 0", "action 5: 'wagers 0' is not a whole decision; give it from its first part"),
        ("A wagers 0 1", "A wagers 0 1 1", "mail, line 11, action 5, part 3: 'wager 1': B is next"),
        ("A wagers 0 1", "A pays 0 1", "mail, line 11, action 5: 'pays 0 1' is no action; deal N, send N, wager N"),
        ("0 1 (seen by A)", "0 1", "action 5: 'wagers 0 1' says wrongly who sees it; write (seen by A)"),
        (
            "A march 1:2 3:1",
            "A march 1:2 3:1 (seen by A)",
            "says wrongly who sees it; write nothing behind it: all see",
        ),
    ],
)
def test_a_wrong_compound_line_is_refused_with_place_and_reason(old: str, new: str, said: str) -> None:
    assert TEXT.count(old) == 1
    trace = read_trace(TEXT.replace(old, new), "mail")
    for use in (replay, actions_of, compacted, expanded):
        with pytest.raises(BadInput) as caught:
            use(trace, GAME)
        assert said in str(caught.value)


def test_of_a_decision_seen_in_part_a_compact_line_tells_who_sees_all_of_it() -> None:
    partly = faulty(sees=lambda self, p, a: (0, 1) if len(p.wagers[0]) == 1 else Hoards.sees(self, p, a))
    trace = compacted(trace_of(partly, ACTIONS), partly)
    assert trace.entries[4] == Entry("A", "wagers 0 1", ("A",))
    assert expanded(trace, partly).entries[8] == Entry("A", "wager 1")
    masked = body(write_trace(mask(trace, 1, partly)))
    assert masked[4:7] == ["5 A ? (seen by A)", "6 A wager 1", "7 B wagers 4 0 (seen by B)"]


# -- masked --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("trace", [ATOMIC, COMPACT])
def test_a_masked_trace_hides_commits_and_shows_who_made_them(trace: object) -> None:
    assert isinstance(trace, type(ATOMIC))
    text = write_trace(mask(trace, 1, GAME))
    assert "1 chance ? (seen by A)" in text and "A ? (seen by A)" in text
    assert "wager" in text and "A wager" not in text
    assert check_masked(read_trace(text), GAME) == 0


def test_worlds_that_differ_in_commits_give_the_same_masked_trace() -> None:
    other = [*ACTIONS[:7], ("wager", 1), ("wager", 0), *ACTIONS[9:10]]
    one, two = (write_trace(mask(trace_of(GAME, a), 1, GAME)) for a in (ACTIONS[:10], other))
    assert one == two != write_trace(mask(trace_of(GAME, ACTIONS[:10]), 0, GAME))


MASKED = write_trace(mask(trace_of(GAME, ACTIONS), 0, GAME))


def checked(text: str) -> str:
    with pytest.raises(BadInput) as caught:
        check_masked(read_trace(text, "mail"), GAME)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("A wager 1 (", "A ? (", "action 9: '?' is hidden from a seat that sees it; it is masked for A"),
        ("B ? (seen by B)", "B ? (seen by A, B)", "mail, line 17: seen by 'A, B' is said of what B does"),
        (
            "chance ? (seen by B)",
            "chance ? (seen by all)",
            "mail, line 9, action 2: '?' is hidden from a seat that sees",
        ),
        (
            "chance ? (seen by B)",
            "chance deal 4 (seen by B)",
            "action 2: 'deal 4' is shown to a seat that does not see",
        ),
        ("B send 3", "B sned 3", "mail, line 14, action 7: 'sned 3' is no action"),
        ("deal 2", "deal 7", "mail, line 8, action 1: 'deal 7' is not legal"),
        (
            "(seen by A)",
            "(seen by all)",
            "mail, line 8, action 1: 'deal 2' says wrongly who sees it; write (seen by A)",
        ),
        ("end:", f"end: sha256:{'0' * 64}", "has a digest at its end"),
        (
            "masked: A\n",
            'masked: A\nview: {"you":"A"}\n',
            "mail, view: is no view of this game; its fields are you, card",
        ),
    ],
)
def test_a_wrong_masked_trace_is_refused(old: str, new: str, said: str) -> None:
    assert old in MASKED
    assert said in checked(MASKED.replace(old, new, 1))


def test_a_masked_trace_that_hides_nothing_is_replayed_to_the_end() -> None:
    open_game = faulty(sees=lambda self, p, a: (0, 1))
    text = write_trace(mask(compacted(trace_of(open_game, ACTIONS), open_game), 0, open_game))
    assert check_masked(read_trace(text), open_game) == 6
    for old, new, said in (
        ("A=3", "A=4", "replayed, it is 'end: A=3 B="),
        ("B march 2:3", "B march 2:4", "cannot read"),
    ):
        assert old in text
        with pytest.raises(BadInput, match=said):
            check_masked(read_trace(text.replace(old, new)), open_game)
    with pytest.raises(BadInput, match="is not masked"):
        check_masked(ATOMIC, GAME)


def test_a_masked_trace_has_no_end_before_the_end() -> None:
    cut = mask(trace_of(GAME, ACTIONS[:1]), 0, GAME)
    assert check_masked(cut, GAME) == 1
    with pytest.raises(BadInput, match="the game is not over: no end"):
        check_masked(
            msgspec.structs.replace(cut, end=ATOMIC.end and msgspec.structs.replace(ATOMIC.end, digest="")), GAME
        )


# -- perft ---------------------------------------------------------------------------------------------------


def test_perft_counts_a_compound_decision_once() -> None:
    marching = Position((2, 4))
    marches = sum(1 for a in range(4) for b in range(4 - a) for c in range(4 - a - b))
    assert perft(GAME, marching, 1) == marches == 20
    assert perft(GAME, marching, 2) == marches**2
    assert perft(GAME, marching, 1, compound=False) == 4
    assert perft(GAME, marching, 4) == marches**2 * 6 * 15  # pairs of wagers up to 2, and up to 4


def test_perft_under_a_script_of_chance_begins_with_the_first_decision() -> None:
    assert perft(GAME, GAME.start(), 1, chance=False) == 20
    assert perft(GAME, GAME.start(), 1, chance=False, compound=False) == 4
    assert perft(GAME, GAME.start(), 3) == 6 * 5 * 20


def test_divide_names_each_first_decision_by_its_compound_text() -> None:
    counts = divide(GAME, Position((2, 4)), 2)
    assert counts["march 1:2 3:1"] == counts["march none"] == 20
    assert len(counts) == 20 and sum(counts.values()) == perft(GAME, Position((2, 4)), 2)
    assert list(divide(GAME, Position((2, 4)), 1, compound=False)) == ["send 0", "send 1", "send 2", "send 3"]


def test_a_position_inside_a_decision_counts_its_rest_as_one() -> None:
    assert perft(GAME, Position((2, 4), ((2,), ())), 1) == 3  # 0 or 1 to the second hill, then 0 or 1 to the third
    assert GAME.actor(Position((2, 4), ((3,), (3,)), ((0, 0), (0, 0)))) == OVER
