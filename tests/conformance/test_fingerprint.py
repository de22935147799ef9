"""Which readings a subject follows: right on subjects with hidden rulings, some of them faulty as well."""

import sys
from functools import cache

import msgspec
import pytest
from toy import CATALOGUE, ROOM, Pebbles, faulty

from lawspeaker.conformance import fjords_variants as fv
from lawspeaker.conformance import messages as m
from lawspeaker.conformance import northmen_variants as nv
from lawspeaker.conformance.directed import Family, Search
from lawspeaker.conformance.fingerprint import Asker, Followed, Prints, Sight, verdict
from lawspeaker.conformance.layers import SMALL
from lawspeaker.conformance.match import Link
from lawspeaker.conformance.process import ProcessSubject
from lawspeaker.conformance.referee import conform
from lawspeaker.conformance.scenario_cases import read_cases
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject
from lawspeaker.model.core.games import make_game, room
from lawspeaker.scenarios.runner import as_cases

OWN_WAY = msgspec.structs.replace(FULL, options=False)
DEEP = pytest.mark.deep
CASES = {}


def cases(game_id):
    if game_id not in CASES:
        CASES[game_id] = read_cases(as_cases(game_id))
    return CASES[game_id]


def hidden_in(game_id, hidden, kind=None):
    """Return what makes a subject that plays by hidden rulings, with a fault planted if *kind* is given."""
    place = room(game_id)
    pack = place.load_pack(place.default_pack)
    rulings = place.catalogue.book.choose(hidden)

    @cache
    def seated(count):
        game = place.build(pack, rulings, count)
        return game if kind is None else game.recast(kind)

    class Hiding(Session):
        def _seated(self, players):
            return seated(len(players))

    return lambda: InProcessSubject(Hiding(seated(place.players[0]), place, offered=OWN_WAY))


def prints_of(game_id, make, caps=OWN_WAY, looked=600):
    game = make_game(game_id)
    link = Link(make, game_id)
    link.connect()
    asker = Asker(link, caps, "dictated", SMALL.shrink)
    prints = Prints(game, asker, Search(Family(game), caps, "dictated", cases(game_id), 0, looked))
    prints.work()
    link.close()
    assert asker.failure is None
    return {name: fits for name, (fits, _, _) in prints.found.items()}, link


def check(game_id, found, hidden, none=()):
    """Assert that no ruling is reported wrongly; return those that were told apart."""
    apart = set()
    for ruling in room(game_id).catalogue.book.rulings:
        fits = found.get(ruling.id, ruling.values)
        if ruling.id in none:
            assert fits == ()
            continue
        assert hidden.get(ruling.id, ruling.default) in fits, ruling.id
        apart |= {ruling.id} if len(fits) == 1 else set()
    return apart


RIGHT = [
    pytest.param("fjords", {}, 11, marks=DEEP),
    ("fjords", {"R_FIRST": "first_seat", "R_LAND": "tile", "R_TWO": "exactly", "R_DRAWN": "switch"}, 9),
    pytest.param("fjords", {"R_START": "bent", "R_ORDER": "duty", "R_PLAYABLE": "subjective"}, 9, marks=DEEP),
    pytest.param("northmen", {}, 22, marks=DEEP),
    ("northmen", {"R_PARTIAL": "all_or_nothing", "R_CLOCK": "to_leader", "R_ROUTE_BATCH": "batch",
                  "R_COLLECT": "pieces", "R_DISCARD": "only_if_hold"}, 20),
    pytest.param("northmen", {"R_EMPTY_KINGDOM": "leader", "R_R3_PLAN": "skipped", "R_FINAL_TIE": "leader"}, 18,
                 marks=DEEP),
]  # fmt: skip


@pytest.mark.parametrize(("game_id", "hidden", "least"), RIGHT)
def test_hidden_rulings_are_told(game_id, hidden, least):
    found, link = prints_of(game_id, hidden_in(game_id, hidden))
    apart = check(game_id, found, hidden)
    assert set(hidden) <= apart
    assert len(apart) >= least
    assert link.calls <= SMALL.shrink + 100
    assert link.starts == 1


FAULTY = [
    ("fjords", {"R_DRAWN": "switch", "R_PLAYABLE": "subjective"}, fv.FarmBeside, 2),
    pytest.param("fjords", {"R_FIRST": "first_seat", "R_LAND": "tile", "R_MULTI": "tile"}, fv.SmallTable, 2,
                 marks=DEEP),
    pytest.param("northmen", {"R_ROUTE_ORIGIN": "from_kingdom", "R_HERO_ZERO": "card_kingdom"}, nv.HiresAgain, 2,
                 marks=DEEP),
    pytest.param("northmen", {"R_MUST_MOVE": "may", "R_PARTIAL": "all_or_nothing"}, nv.Canary, 0, marks=DEEP),
]  # fmt: skip


@pytest.mark.parametrize(("game_id", "hidden", "kind", "least"), FAULTY)
def test_a_fault_beside_hidden_rulings_makes_no_ruling_wrong(game_id, hidden, kind, least):
    found, _ = prints_of(game_id, hidden_in(game_id, hidden, kind))
    assert len(check(game_id, found, hidden) & set(hidden)) >= least


class NobodyStarts(fv.FjordsGame):
    """B starts the first round, which no choice of R_FIRST says."""

    def start(self):
        right = super().start()
        record = self.record(right)
        by_b = {**record, "phase": "choose", "starter": "B", "seat": "B"}
        return self.position(by_b)


def test_a_subject_that_follows_no_choice_is_told():
    found, _ = prints_of("fjords", hidden_in("fjords", {"R_TWO": "exactly"}, NobodyStarts))
    apart = check("fjords", found, {"R_TWO": "exactly"}, none=("R_FIRST",))
    assert "R_TWO" in apart


@DEEP
@pytest.mark.parametrize("level", [0, 1])
def test_a_subject_that_sets_nothing_up_is_asked_from_the_beginning(level):
    hidden = {"R_TWO": "exactly", "R_FIRST": "first_seat"}
    caps = m.Capabilities(legal=True, result=True, outcomes=True) if level else m.Capabilities()
    place = room("fjords")
    made = make_game("fjords").varied(rulings=place.catalogue.book.choose(hidden))
    found, link = prints_of("fjords", lambda: InProcessSubject(Session(made, place, offered=caps)), caps)
    assert "R_TWO" in check("fjords", found, hidden)
    assert link.calls <= SMALL.shrink + 500


@pytest.mark.parametrize("ruling", ["R_TWO=exactly", pytest.param("R_DRAWN=switch", marks=DEEP)])
def test_hidden_rulings_are_told_over_a_pipe(ruling):
    offers = "legal,outcomes,result,state,view,undo,save,setup"
    command = [sys.executable, "-m", "lawspeaker", "serve", "fjords", "--only", offers, "--ruling", ruling]
    report = conform(make_game("fjords"), lambda: ProcessSubject(command), budget=SMALL, layers=("setup",))
    name, _, value = ruling.partition("=")
    found = {row.ruling: row.fits for row in report.fingerprint}
    assert found[name] == (value,)
    check("fjords", found, {name: value})
    assert report.exit_code == 0


def test_many_hidden_rulings_are_adopted_at_the_first_difference():
    hidden = {"R_FIRST": "first_seat", "R_TWO": "exactly", "R_DRAWN": "switch", "R_ORDER": "duty"}
    report = conform(make_game("fjords"), hidden_in("fjords", hidden), budget=SMALL, layers=("setup",))
    assert report.exit_code == 0
    found = {row.ruling: row.fits for row in report.fingerprint}
    assert {name: found[name] for name in hidden} == {name: (value,) for name, value in hidden.items()}
    first = next(c for c in report.cases if c.verdict == "another reading")
    assert first.blame == "book"
    assert "directed cases" in first.evidence


def test_a_fault_of_the_toy_is_a_failure_and_its_reading_is_not():
    subject = faulty(pebbles_left=lambda pebbles, cell: pebbles)
    subject = subject.varied(rulings=CATALOGUE.book.choose({"R_REST": "forced", "R_BONUS": "five"}))
    made = lambda: InProcessSubject(Session(subject, ROOM, offered=OWN_WAY))  # noqa: E731 (one line is clearer)
    report = conform(Pebbles(), made, budget=SMALL, seed=1)
    assert report.exit_code == 1
    found = {row.ruling: row.fits for row in report.fingerprint}
    assert found["R_REST"] == ("forced",)
    assert "five" in found["R_BONUS"]
    named = {word for c in report.cases for word in c.explained_by.split()}
    assert named <= {"R_REST=forced", "R_BONUS=five"}


def test_what_was_told_and_agreed_is_said_so():
    report = conform(Pebbles(), lambda: InProcessSubject(Session(Pebbles(), ROOM)), budget=SMALL, layers=("views",))
    assert all(row.echoed for row in report.fingerprint)
    row = Followed("R_X", "a", ("a", "b"), echoed=True)
    assert row.words == "R_X: was told a, and nothing that it did speaks against it"
    assert "cannot be told apart" in msgspec.structs.replace(row, echoed=False).words
    assert "follows none" in msgspec.structs.replace(row, fits=()).words
    assert Followed("R_X", "a", ("b",)).words == "R_X: follows b (asked for a)"


def test_a_crash_at_a_directed_case_is_a_failure_that_ends_the_asking():
    class Fragile(Session):
        def _setup(self, message):
            raise SystemExit(1)

    class Dying(InProcessSubject):
        def ask(self, message, meanwhile=None):
            from lawspeaker.conformance.subjects import Crash

            try:
                return super().ask(message, meanwhile)
            except SystemExit:
                raise Crash("the process ended") from None

    fragile = Fragile(Pebbles(), ROOM, offered=OWN_WAY)
    report = conform(Pebbles(), lambda: Dying(fragile), budget=SMALL, layers=("play",))
    assert [(c.layer, c.verdict) for c in report.failures] == [("fingerprint", "no answer")]


BOTH = frozenset({"a", "b"})


@pytest.mark.parametrize(
    ("sights", "fits"),
    [
        ([], ("a", "b")),
        ([Sight(frozenset("a"), frozenset("a"), True, BOTH)], ("a",)),
        ([Sight(frozenset(v), frozenset(v), True, BOTH) for v in "ab"], ("a", "b")),
        ([Sight(frozenset(), frozenset(), True, BOTH)], ()),
        ([Sight(frozenset(), frozenset(), False, BOTH)], ("a", "b")),
        ([Sight(frozenset(), frozenset("b"), False, BOTH)], ("b",)),
        ([Sight(frozenset(), frozenset("b"), False, BOTH, open=True)], ("a", "b")),
        ([Sight(frozenset(), frozenset("b"), False, BOTH), Sight(frozenset(), frozenset(), False, BOTH)], ("a", "b")),
    ],
)  # fmt: skip
def test_what_sights_add_up_to(sights, fits):
    assert verdict(sights, ("a", "b"))[0] == fits
