"""Pictures of Northmen: what a person must see is there, for positions, for views, for odd packs, in films."""

from __future__ import annotations

import copy
import itertools
import re
import xml.etree.ElementTree as ET
from math import hypot
from random import Random
from typing import Any

import pytest

from lawspeaker.model.core.games import make_game
from lawspeaker.reports import html
from lawspeaker.reports.drawing import can_draw, draw, film
from lawspeaker.reports.frames import pack_record
from lawspeaker.reports.northmen_cards import SEATS
from lawspeaker.reports.northmen_map import PLATE, lay_out

SVG = "{http://www.w3.org/2000/svg}"
KINGDOMS = ("Normans", "Rus", "Magyars", "Saxons", "Danes", "Byzantines", "Norwegians")
REGIONS = ("Ireland", "Scotland", "Brittany", "Holy Roman Empire", "Bohemia", "Poland", "Italy", "Bulgaria", "Finland")
INLAND = ("Holy Roman Empire", "Bohemia", "Poland")
BORDERS = (
    ("Brittany", "Holy Roman Empire"), ("Poland", "Finland"), ("Holy Roman Empire", "Bohemia", "Poland", "Bulgaria"),
    ("Ireland", "Scotland"), ("Holy Roman Empire", "Poland"), ("Italy", "Bulgaria"), ("Scotland", "Finland"),
)  # fmt: skip
MARKS = ("none", "3-4", "none", "4")


def _card(n: int) -> dict[str, Any]:
    kingdom, nth = divmod(n, 8)
    region = None if n % 5 == 4 else REGIONS[n % 9]
    counts = {"soldiers": nth % 3, "ships": 1 + nth % 2}
    return {"id": f"{'NRMSDBV'[kingdom]}{nth + 1}", "kingdom": KINGDOMS[kingdom], **counts, "region": region,
            "mark": MARKS[n % 4]}  # fmt: skip


PACK: dict[str, Any] = {
    "id": "made-up",
    "provenance": "estimated",
    "kingdoms": [{"id": name, "borders": list(near)} for name, near in zip(KINGDOMS, BORDERS, strict=True)],
    "regions": [{"id": name, "sea": name not in INLAND} for name in REGIONS],
    "cards": [_card(n) for n in range(56)],
    "routes": [
        {"id": f"T{n + 1:02}", "kingdom": KINGDOMS[n % 7], "region": REGIONS[n % 9], "value": 2 + n % 5}
        for n in range(20)
    ],
}
CARDS = [card["id"] for card in PACK["cards"]]
ROUTES = [route["id"] for route in PACK["routes"]]


def position(seats: int = 4, **changes: Any) -> dict[str, Any]:
    """A Kingdom's march in the second round, with pieces of everybody."""
    names = "ABCD"[:seats]
    record: dict[str, Any] = {
        "round": 2, "phase": "march", "leader": "B", "seat": "A", "deck": CARDS[40:], "row": CARDS[:3],
        "hands": {s: CARDS[3 + 6 * n : 9 + 6 * n] for n, s in enumerate(names)},
        "piles": {s: CARDS[27 + 3 * n : 30 + 3 * n] for n, s in enumerate(names)},
        "tops": {s: CARDS[28 + 3 * n] for n, s in enumerate(names)},
        "discard": [],
        "kingdoms": {k: [[3 + n, n % 3] if s == n % seats else [0, 0] for s in range(seats)]
                     for n, k in enumerate(KINGDOMS)},
        "regions": {r: [[11 - n + s, (n + s) % 3] if s < n % (seats + 1) else [0, 0] for s in range(seats)]
                    for n, r in enumerate(REGIONS)},
        "tokens": {r: n % 4 for n, r in enumerate(REGIONS)},
        "reserve": {s: 21 + n for n, s in enumerate(names)},
        "infamy": {s: 2 * n for n, s in enumerate(names)},
        "heroes": {s: n % 4 for n, s in enumerate(names)},
        "taken": {s: 10 + n for n, s in enumerate(names)},
        "group": 13, "unplaced": 0, "card": None, "placed": 0,
        "control": {k: names[n % seats] if k != "Byzantines" else None for n, k in enumerate(KINGDOMS)},
        "times": {s: "Rus" if s == "B" else None for s in names},
        "kingdom": "Magyars", "second_pass": False, "region": "Poland", "armies": 2, "fleets": 1, "either": 0, "led": 0,
        "origins": {k: [] for k in KINGDOMS}, "route_deck": ROUTES[12:19], "route_bottom": [[ROUTES[19], "B"]],
        "route_hands": {s: ROUTES[2 * n : 2 * n + 2] for n, s in enumerate(names)},
        "routes_done": {s: ROUTES[8 + n : 9 + n] for n, s in enumerate(names)},
        "chosen": {s: [] for s in names}, "asked": None, "drawn": [], "kept": [], "pairs": 0, "held": [],
    }  # fmt: skip
    return {**record, **changes}


def view(record: dict[str, Any], you: str) -> dict[str, Any]:
    """What a seat sees of a position: numbers and null in place of what is hidden from it."""
    seen = {"you": you, **copy.deepcopy(record)}
    for field in ("deck", "discard", "route_deck"):
        seen[field] = len(record[field])
    for seat in record["hands"]:
        if seat != you:
            seen["hands"][seat] = len(record["hands"][seat])
            seen["route_hands"][seat] = len(record["route_hands"][seat])
            seen["piles"][seat] = [top for top in (record["tops"][seat],) if top]
            seen["chosen"][seat] = None
    seen["route_bottom"] = [name if by == you else None for name, by in record["route_bottom"]]
    if record["seat"] != you:
        seen["asked"] = None
        for field in ("drawn", "kept", "held"):
            seen[field] = len(record[field])
    return seen


def walk(steps: int, seats: int = 4) -> list[dict[str, Any]]:
    """Positions one after the other, each with the changes of a turn: a card, cubes, a token, the next Kingdom."""
    found = [position(seats)]
    for n in range(steps):
        record = copy.deepcopy(found[-1])
        seat = "ABCD"[n % seats]
        played = record["hands"][seat].pop(n % 6)
        record["piles"][seat] = sorted([*record["piles"][seat], played])[-12:]
        record["tops"][seat] = played
        record["hands"][seat] = sorted([*record["hands"][seat], CARDS[(31 * n + 7) % 56]])
        record["row"] = sorted({CARDS[(n + 17 * m) % 56] for m in range(3)})
        record["regions"][REGIONS[n % 9]][n % seats] = [n % 13, n % 3]
        record["tokens"][REGIONS[(4 * n) % 9]] = n % 7
        record["infamy"][seat], record["reserve"][seat] = n % 19, 28 - n % 19
        record.update(seat=seat, kingdom=KINGDOMS[n % 7], region=REGIONS[n % 9], group=15 - n % 15)
        record["control"][KINGDOMS[n % 7]] = "ABCD"[:seats][(n // 7) % seats]
        found.append(record)
    return found


def _texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def _titles(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}title")]


def _titled(svg: str, title: str) -> str:
    """The group that carries this title, as text."""
    groups = [g for g in ET.fromstring(svg).iter(f"{SVG}g") if (g.findtext(f"{SVG}title") or "") == title]
    assert groups, f"nothing is titled {title!r}"
    return ET.tostring(groups[-1], encoding="unicode")


def _pieces(svg: str) -> list[str]:
    """Every piece of a picture, as text, without the numbers that a film gives them."""
    return [
        ET.tostring(piece, encoding="unicode").partition(">")[2]
        for place in ET.fromstring(svg).iter(f"{SVG}g")
        if place.get("data-place")
        for piece in place
    ]


def _used(svg: str, uid: str) -> list[str]:
    """The cards that are shown, by what is drawn again and again."""
    known = {f"#{uid}-c{n}": card for n, card in enumerate(CARDS)}
    found = [use.get("href", "") for use in ET.fromstring(svg).iter(f"{SVG}use")]
    return [known[name] for name in found if name in known]


def test_every_place_is_there_with_its_number_and_its_coast() -> None:
    titles = _titles(draw("northmen", position(), PACK))
    assert {f"{name}, number {n} of the chart" for n, name in enumerate(KINGDOMS, 1)} <= set(titles)
    assert [t for t in titles if t.startswith("chart ")] == [f"chart {n}: {k}" for n, k in enumerate(KINGDOMS, 1)]
    for name in REGIONS:
        assert f"{name}, {'landlocked' if name in INLAND else 'on the sea'}" in titles
    lines = {t for t in titles if " borders " in t}
    assert lines == {f"{k} borders {r}" for k, near in zip(KINGDOMS, BORDERS, strict=True) for r in near}


def test_waves_are_drawn_at_sea_and_not_inland() -> None:
    svg = draw("northmen", position(), PACK)
    assert "-wave" in _titled(svg, "Ireland, on the sea")
    assert "-wave" not in _titled(svg, "Poland, landlocked")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pieces_of_each_seat_stand_in_its_colour_where_they_are(seats: int) -> None:
    record = position(seats)
    svg = draw("northmen", record, PACK)
    expected = set()
    for place, counts in {**record["kingdoms"], **record["regions"]}.items():
        for seat, (cubes, heroes) in zip("ABCD"[:seats], counts, strict=True):
            if cubes or heroes:
                title = f"{place}: {seat} has cubes {cubes}, Heroes {heroes}"
                expected.add(title)
                drawn = _titled(svg, title)
                assert SEATS[seat] in drawn and not any(SEATS[other] in drawn for other in set("ABCD") - {seat})
                assert ("<ns0:rect" in drawn) == (cubes > 0) and ("<ns0:path" in drawn) == (heroes > 0)
                assert re.findall(r">(\d+)<", drawn) == [str(n) for n in (cubes, heroes) if n]
    assert {t for t in _titles(svg) if " has cubes " in t} == expected


def test_plunder_control_and_time_tokens_are_shown() -> None:
    svg = draw("northmen", position(), PACK)
    shown = {t for t in _titles(svg) if ": plunder " in t}
    assert shown == {f"{r}: plunder {n % 4}" for n, r in enumerate(REGIONS) if n % 4}
    assert ">3<" in _titled(svg, "Holy Roman Empire: plunder 3")
    assert SEATS["C"] in _titled(svg, "Magyars: controlled by C")
    assert not any(t.startswith("Byzantines: controlled") for t in _titles(svg))
    assert _titles(svg).count("Rus: delayed by B") == 2 and SEATS["B"] in _titled(svg, "Rus: delayed by B")


def test_the_kingdom_that_moves_and_the_region_asked_about_are_marked() -> None:
    svg = draw("northmen", position(), PACK)
    assert "Magyars moves now" in _titles(svg) and "Poland is asked about" in _titles(svg)
    assert "Armies sent 2, Fleets sent 1" in _texts(svg)
    quiet = draw("northmen", position(kingdom=None, region=None, phase="play"), PACK)
    assert not any("moves now" in t or "asked about" in t for t in _titles(quiet))


def test_the_head_says_round_phase_leader_and_whose_decision_it_is() -> None:
    texts = _texts(draw("northmen", position(), PACK))
    assert "Round 2 of 3 · leader B · Marching: Magyars to Poland?" in texts
    assert "decides" in texts and "estimated components" in texts
    assert "B is the Leader" in _titles(draw("northmen", position(), PACK))
    dealt = _texts(draw("northmen", position(phase="deal", kingdom=None, region=None), PACK))
    assert "Round 2 of 3 · leader B · Rally: hands are being dealt" in dealt and "receives" in dealt
    over = _texts(draw("northmen", position(phase="over", seat=None), {**PACK, "provenance": "rulebook"}))
    assert "Round 2 of 3 · leader B · the game is over" in over
    assert not {"decides", "receives", "estimated components"} & set(over)


def test_row_hands_and_pile_tops_are_shown_as_cards() -> None:
    record = position()
    svg = draw("northmen", record, PACK, uid="u")
    expected = [*record["row"], *(c for hand in record["hands"].values() for c in hand), *record["tops"].values()]
    assert sorted(_used(svg, "u")) == sorted(expected)
    for name in itertools.chain(*record["piles"].values()):
        assert name in _texts(svg)
    texts = _texts(svg)
    assert "Deck 16" in texts and "Discard 0" in texts and "Routes 7 + 1 under" in texts and "13" in texts


def test_a_card_shows_kingdom_soldiers_ships_region_and_mark() -> None:
    svg = draw("northmen", position(), PACK, uid="u")
    number = CARDS.index("M8")
    found = next(g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("id") == f"u-c{number}")
    assert found.findtext(f"{SVG}title") == "M8: Magyars, soldiers 1, ships 2, Poland (mark 4)"
    shapes = [use.get("href") for use in found.iter(f"{SVG}use")]
    assert shapes == ["#u-soldier", "#u-ship", "#u-ship"]
    assert [t.text for t in found.iter(f"{SVG}text")] == ["3", "M8", "4", "Poland"]


def test_each_seat_has_its_numbers() -> None:
    parts = [re.findall(r">([^<>]+)<", piece) for piece in _pieces(draw("northmen", position(), PACK))]
    for n in range(4):
        for pair in (["Infamy", 2 * n], ["Reserve", 21 + n], ["Heroes", n % 4], ["Plunder", 10 + n]):
            assert [str(word) for word in pair] in parts


def test_routes_held_done_chosen_and_asked_are_told_apart() -> None:
    record = position(phase="complete", kingdom=None, region=None, asked="T02", seat="A")
    record["chosen"]["A"] = ["T01"]
    titles = _titles(draw("northmen", record, PACK))
    assert "T01: Normans to Ireland, worth 2 (chosen)" in titles
    assert titles.count("T02: Rus to Scotland, worth 3 (asked)") == 2
    assert "T03: Magyars to Brittany, worth 4" in titles
    assert "T09: Rus to Finland, worth 5 (done)" in titles


def test_what_is_under_way_is_shown() -> None:
    playing = _texts(draw("northmen", position(phase="hire", card="N4", placed=2, kingdom=None, region=None), PACK))
    assert "Being played" in playing and "cubes placed 2" in playing
    drawn = draw("northmen", position(phase="keep", kingdom=None, drawn=["T19", "T20"], held=["N4"]), PACK)
    assert "Drawn" in _texts(drawn) and "Paid for" in _texts(drawn)
    assert "T20: Byzantines to Scotland, worth 6" in _titles(drawn)


@pytest.mark.parametrize("phase", ["march", "complete", "keep", "hold", "play", "drawn", "over"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_views_show_numbers_where_they_are_masked(phase: str, seats: int) -> None:
    record = position(seats, phase=phase, asked="T01", drawn=["T19", "T20"], held=["N4"], discard=["N5"])
    svg = draw("northmen", view(record, "B"), PACK, uid="u")
    uses = [use.get("href") for use in ET.fromstring(svg).iter(f"{SVG}use")]
    assert uses.count("#u-back") == 6 * (seats - 1) and uses.count("#u-routeback") == 2 * (seats - 1)
    seen = [*record["row"], *record["hands"]["B"], *record["tops"].values()]
    assert sorted(_used(svg, "u")) == sorted(seen)
    titles, texts = _titles(svg), _texts(svg)
    assert not any(t.startswith(("T01:", "T20:")) for t in titles)
    assert {"as B sees it · estimated", "you", "Deck 16", "Discard 1", "Drawn 2", "Paid for 1"} <= set(texts)


def test_what_is_hidden_altogether_is_left_out() -> None:
    nothing = dict.fromkeys(("hands", "piles", "tops", "chosen", "route_hands", "deck", "discard", "route_deck"))
    svg = draw("northmen", {**position(), **nothing}, PACK)
    assert "Deck hidden" in _texts(svg)
    ET.fromstring(draw("northmen", {"round": 1, "phase": "play"}, PACK))
    ET.fromstring(draw("northmen", {}, {"kingdoms": [{"id": "Normans"}], "regions": []}))


@pytest.mark.parametrize("kingdoms", range(1, 8))
def test_incomplete_packs_have_a_map_too(kingdoms: int) -> None:
    pack = {**PACK, "kingdoms": PACK["kingdoms"][:kingdoms], "regions": PACK["regions"][: kingdoms + 1]}
    titles = _titles(draw("northmen", position(), pack))
    assert len([t for t in titles if t.endswith("of the chart")]) == kingdoms
    assert len([t for t in titles if t.endswith((", on the sea", ", landlocked"))]) == kingdoms + 1


def test_names_from_packs_and_records_cannot_break_out() -> None:
    odd = '"><script>x</script>&\x00'
    pack = copy.deepcopy(PACK)
    pack["kingdoms"][0]["id"] = pack["regions"][0]["id"] = pack["cards"][0]["id"] = pack["routes"][0]["id"] = odd
    pack["cards"][0].update(kingdom=odd, region=odd)
    pack["routes"][0].update(kingdom=odd, region=odd, value=odd)
    record = position(row=[odd, "X9"], card=odd, seat=odd, you=odd, region=odd, kingdom=odd, phase=odd, asked=odd)
    record["hands"]["A"] = record["piles"]["A"] = record["route_hands"]["A"] = [odd]
    record["tops"]["A"] = odd
    record["control"][odd], record["tokens"][odd] = "A", 2
    svg = draw("northmen", record, pack)
    assert "<script" not in svg
    assert any(">x</script>&�" in title for title in _titles(svg))


def test_long_names_are_cut_and_kept_in_full_for_those_who_point() -> None:
    long = "The Very Long Kingdom of Nowhere At All"
    pack = {**PACK, "kingdoms": [{"id": long, "borders": [long + "s"]}], "regions": [{"id": long + "s", "sea": True}]}
    svg = draw("northmen", position(kingdom=long, region=long + "s"), pack)
    assert f"{long}, number 1 of the chart" in _titles(svg)
    assert max(len(text) for text in _texts(svg)) < 72


def test_a_card_that_the_pack_has_not_is_drawn_blank() -> None:
    svg = draw("northmen", position(row=["X9"]), PACK)
    assert "X9: not in the pack" in _titles(svg)


def test_no_text_is_too_small_to_read() -> None:
    sizes = [float(s) for s in re.findall(r'font-size="([\d.]+)"', draw("northmen", position(), PACK))]
    assert min(sizes) >= 11


CROWDED = [tuple(tuple(REGIONS[(k * step + n) % 9] for n in (0, 1, 4)) for k in range(7)) for step in (1, 2, 4, 5)]


@pytest.mark.parametrize("borders", [BORDERS, *CROWDED])
def test_plates_do_not_touch_and_no_border_runs_under_one(borders: tuple[tuple[str, ...], ...]) -> None:
    atlas = lay_out(tuple(zip(KINGDOMS, borders, strict=True)), REGIONS)
    assert len(atlas.at) == 16 and len(atlas.borders) == sum(len(near) for near in borders)
    for (x, y), (v, w) in itertools.combinations(atlas.at, 2):
        assert abs(x - v) >= PLATE[0] + 12 or abs(y - w) >= PLATE[1] + 12
    for a, b in atlas.borders:
        for n, place in enumerate(atlas.at):
            assert n in (a, b) or _gap(atlas.at[a], atlas.at[b], place) > 0


def _gap(one: tuple[int, int], other: tuple[int, int], plate: tuple[int, int]) -> float:
    """How far outside a plate the nearest of many points of a line lies (0 or less: under it)."""
    points = [[one[i] + (other[i] - one[i]) * n / 200 for i in (0, 1)] for n in range(201)]
    far = [(abs(x - plate[0]) - PLATE[0] / 2, abs(y - plate[1]) - PLATE[1] / 2) for x, y in points]
    return min(hypot(max(x, 0), max(y, 0)) if max(x, y) > 0 else max(x, y) for x, y in far)


def test_the_layout_depends_on_nothing_but_the_pack() -> None:
    ground = [g for g in _pieces(draw("northmen", position(), PACK)) if " of the chart" in g]
    again = [g for g in _pieces(draw("northmen", {"phase": "over"}, PACK)) if " of the chart" in g]
    assert len(ground) == 7 and ground == again
    kingdoms = tuple(zip(KINGDOMS, BORDERS, strict=True))
    assert lay_out.__wrapped__(kingdoms, REGIONS) == lay_out(kingdoms, REGIONS)


def test_a_film_shows_at_each_step_what_a_picture_of_it_shows() -> None:
    records = walk(60)
    shown = film("northmen", records, PACK, uid="u")
    root = ET.fromstring(shown.svg)
    drawn = {int(g.get("data-p", "")): g for g in root.iter(f"{SVG}g") if g.get("data-p")}
    text = {n: ET.tostring(g, encoding="unicode").partition(">")[2] for n, g in drawn.items()}
    visible: set[int] = set()
    for n, (on, off) in enumerate(shown.frames):
        assert set(off) <= visible and not set(on) & visible
        visible = visible - set(off) | set(on)
        if n % 7 == 0:
            alone = draw("northmen", records[n], PACK, uid="u")
            assert sorted({text[p] for p in visible}) == sorted(set(_pieces(alone)))
    assert len(shown.views) == 1


def test_a_film_of_a_long_game_stays_small() -> None:
    shown = film("northmen", walk(400), PACK)
    numbers = sum(len(str(frame)) for frame in shown.frames)
    assert len(shown.svg) + numbers < 1_500_000


def test_pages_draw_northmen() -> None:
    assert can_draw("northmen") and html.can_draw is can_draw
    first, second = (draw("northmen", position(), PACK, uid=uid) for uid in ("a", "b"))
    assert first == draw("northmen", position(), PACK, uid="a")
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in (first, second)]
    assert ids[0] and not ids[0] & ids[1]
    assert set(re.findall(r'href="#([^"]+)', first)) <= ids[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_of_the_model_and_all_views_of_them_are_drawn(players: int) -> None:
    game = make_game("northmen", players=players)
    random, pack = Random(players), pack_record(game.pack)
    positions = [game.start()]
    while legal := game.legal(positions[-1]):
        positions.append(game.apply(positions[-1], random.choice(legal)))
    shown = film("northmen", [game.record(position) for position in positions], pack)
    assert len(shown.frames) == len(positions) > 200 and len(shown.svg) < 600_000
    for n, position in enumerate(positions[::11]):
        seat = n % players
        texts = _texts(draw("northmen", game.observe(position, seat), pack))
        assert f"as {game.seats[seat]} sees it · estimated" in texts
