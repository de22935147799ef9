"""Fire & Axe with one rule told wrongly, one ruling ignored, or one entry of its pack changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.fire_axe import rules, rules_tasks

from .planting import plays_by, with_rule

Ints = tuple[int, ...]
Build = Callable[[AnyGame], AnyGame]


def _changed(kind: str, name: str, **fields: Any) -> Build:
    """Return what makes a game with a port, water, Saga or rune of the pack changed."""

    def build(game: AnyGame) -> AnyGame:
        pack: Any = game.pack
        entries = tuple(replace(one, **fields) if one.id == name else one for one in getattr(pack, kind))
        return game.varied(pack=replace(pack, **{kind: entries}))

    return build


def _packed(**fields: Callable[[Any], Any]) -> Build:
    """Return what makes a game with whole fields of the pack made anew."""

    def build(game: AnyGame) -> AnyGame:
        pack: Any = game.pack
        return game.varied(pack=replace(pack, **{name: make(pack) for name, make in fields.items()}))

    return build


def _fourth_pays_double(counts: Ints) -> Ints:
    """Pay the second place in a set as the first where three seats or more have a Saga of it."""
    right = rules_tasks.saga_set(counts)
    return tuple(10 * n for n in counts) if sum(n > 0 for n in counts) > 2 else right


def _first_of_tied(counts: Ints) -> Ints:
    right = rules_tasks.saga_set(counts)
    most = counts.index(max(counts))
    return tuple(p if n != max(counts) or seat == most else 5 * n
                 for seat, (n, p) in enumerate(zip(counts, right, strict=True)))  # fmt: skip


def _axe_alone(towns: Ints) -> Ints:
    right = rules_tasks.axe_bonus(towns)
    return right if towns.count(max(towns)) == 1 else (0,) * len(towns)


def _axe_shared(towns: Ints) -> Ints:
    tied = towns.count(max(towns))
    return tuple(points // tied for points in rules_tasks.axe_bonus(towns))


def _owner_only(value: int, settled: int, own: int, independent: bool) -> int:
    return rules_tasks.settlement_points(value, own if own == 1 else settled, own, independent)


def _fifth_from_first(seat: int, players: int) -> int:
    """Skip seat A after seat E."""
    return 1 if players == 5 and seat == 4 else rules.next_seat(seat, players)


def _last_space(face: int, face_down: int, taken: bool) -> bool:
    return face <= 1 and face_down == 0


def _red_is_blue(best: int, normal: int, worst: int, quarters: int, red: int) -> int:
    return rules.clear_days(best, normal, worst, (quarters + 2) % 4, red)


def _turned_back(best: int, normal: int, worst: int, quarters: int, red: int) -> int:
    """Read the dial the wrong way round where the red hole is not opposite the blue one."""
    return rules.clear_days(best, normal, worst, quarters, 4 - red if red != 2 else 1)


def _crewless_start(moment: str, phase: str, where_ok: bool) -> bool:
    return rules_tasks.right_moment(moment, phase, where_ok) or (moment == "raid" and phase == "main" and where_ok)


Other = tuple[str, str, str, str, str, Build]
_RULES: tuple[Other, ...] = (
    ("tie-axe-none", "M49", "TIE", "FA-SCORE-04", "nobody gets the Bloodied Axe if two have most towns",
     with_rule("axe_bonus", _axe_alone)),
    ("tie-axe-shared", "M49", "TIE", "FA-SCORE-04", "seats with equally many towns share the Bloodied Axe",
     with_rule("axe_bonus", _axe_shared)),
    ("tie-set-first", "M49", "TIE", "FA-SCORE-14", "of seats with equally many Sagas the first alone gets 10 each",
     with_rule("saga_set", _first_of_tied)),
    ("tie-winner-first", "M49", "TIE", "FA-WIN-02", "the first of several with most VP wins",
     with_rule("winners", lambda scores: rules_tasks.winners(scores)[:1])),
    ("tie-raid", "M48", "TIE", "FA-RAID-04", "a roll equal to the value takes a town",
     with_rule("raid_succeeds", lambda roll, value: roll >= value)),
    ("tie-settle", "M48", "TIE", "FA-SETTLE-11", "a die equal to the value settles",
     with_rule("die_settles", lambda roll, value: roll >= value)),
    ("scr-three-seats", "M34", "SCR", "FA-SCORE-13", "where three have Sagas of a Homeland all are paid as the first",
     with_rule("saga_set", _fourth_pays_double)),
    ("scr-own-region", "M35", "SCR", "FA-SCORE-08", "a Settlement alone of its owner's in a region is not multiplied",
     with_rule("settlement_points", _owner_only)),
    ("scr-demand-three", "M69", "SCR", "FA-TRADE-04", "the good in demand pays 3 VP more",
     with_rule("demand_bonus", lambda good, demand: 3 if good == demand else 0)),
    ("thr-hand-four", "M69", "THR", "FA-DRAW-04", "a hand may have four runes", with_rule("hand_limit", lambda: 4)),
    ("thr-days-eight", "M69", "THR", "FA-ACT-02", "a turn has eight Days", with_rule("days_of_turn", lambda: 8)),
    ("thr-slots", "M73", "THR", "FA-LOAD-13", "the seventh slot stays closed in the Third Era",
     with_rule("capacity", lambda era, second, ruling: min(6, rules.capacity(era, second, ruling)))),
    ("thr-excess", "M69", "THR", "FA-WEA-05", "losses begin where the slider equals the number of the zone",
     with_rule("excess", lambda sailing, clear: max(0, sailing - clear + 1))),
    ("thr-fourth-roll", "M69", "THR", "FA-RAID-10", "a raid has two rolls",
     with_rule("may_roll_again", lambda rolls, crew: rolls < 2 and crew > 0)),
    ("thr-crew-sixteen", "M69", "SUP", "FA-CREW-02", "a player plays on with fifteen Settlements",
     with_rule("sits_out", lambda built, crew: built > crew)),
    ("ord-back", "M16", "ORD", "FA-TURN-01", "turns pass to the right",
     with_rule("next_seat", lambda seat, players: (seat - 1) % players)),
    ("ord-fifth", "M16", "ORD", "FA-END-08", "with five players seat B follows seat E",
     with_rule("next_seat", _fifth_from_first)),
    ("ord-last-begins", "M16", "ORD", "FA-SETUP-17", "the last seat begins",
     with_rule("first_seat", lambda players: players - 1)),
    ("ord-eras", "M18", "ORD", "FA-SETUP-07", "the Third Era comes before the Second", with_rule(
        "next_era", lambda left: next((n for n in (0, 2, 1) if left[n]), -1))),
    ("res-effect-first", "M68", "RES", "FA-RUNE-04", "a rune takes effect before the dial is turned",
     with_rule("dial_turns_first", lambda: False)),
    ("end-last-space", "M14", "END", "FA-FINAL-04", "the game ends when one Saga is left",
     with_rule("sagas_over", _last_space)),
    ("end-second-token", "M12", "END", "FA-FINAL-06", "the game ends with the second token",
     with_rule("clock_stops_at", lambda placed: placed >= 2)),
    ("end-no-clock", "M12", "END", "FA-FINAL-05", "no Final Round tokens are placed",
     with_rule("tokens_placed", lambda placed: 0)),
    ("end-anybody-out", "M12", "END", "FA-CREW-04", "the game ends when the starting player sits out",
     with_rule("crews_over", lambda out: out[0])),
    ("omit-good-raid", "M59", "OMIT", "FA-RAID-03", "a good in a port does not help a raider",
     with_rule("raid_value", lambda value, good, ruling: value)),
    ("omit-good-settle", "M59", "OMIT", "FA-SETTLE-12", "a good in a port does not help a settler",
     with_rule("settle_value", lambda value, good, ruling: value)),
    ("omit-discard", "M59", "OMIT", "FA-SAGA-10", "a Saga that is met when turned up stays",
     with_rule("comes_into_play", lambda met, begun: True)),
    ("omit-waive", "M59", "OMIT", "FA-SETTLE-16", "the last crewmember becomes the Settlement without a question",
     with_rule("may_waive", lambda crew, ruling: crew > 1 and ruling == "always")),
    ("omit-red", "M60", "OMIT", "FA-COMP-15", "the red hole shows normal weather", with_rule(
        "clear_days", lambda best, normal, worst, quarters, red: best if quarters == 0 else normal)),
    ("leg-region-towns", "M01", "LEG+", "FA-SETTLE-08", "a town elsewhere in the region does not keep settlers out",
     with_rule("may_settle", lambda town, others, alone, settled: not settled and not town)),
    ("leg-large-settled", "M04", "LEG-", "FA-SETTLE-09", "a town in another independent port keeps settlers out",
     with_rule("may_settle", lambda town, others, alone, settled: (
         not alone and rules_tasks.may_settle(town, others, alone, settled)))),
    ("leg-raid-card", "M01", "LEG+", "FA-RUNE-09", "cards for raids may be played before one", with_rule(
        "right_moment", _crewless_start)),
    ("leg-occupied", "M03", "LEG+", "FA-SAIL-07", "two ships may lie in one port",
     with_rule("may_enter", lambda port, others: not port or others < 2)),
    ("leg-one-homeland", "M05", "LEG-", "FA-LOAD-08", "ships leave for the first two Homelands only",
     with_rule("homes_to_leave_for", lambda homelands: homelands[:2])),
    ("sup-pile", "M22", "SUP", "FA-DRAW-07", "the rune discarded first is lost when the deck is made anew",
     with_rule("reshuffled", lambda deck, pile: (deck, pile) if deck else (pile & (pile - 1) or pile, 0))),
    ("sup-limbo", "M22", "SUP", "FA-END-06", "what lies on the Losses chart is out of the game",
     with_rule("chart_returns", lambda: False)),
    ("sup-two-kept", "M24", "SUP", "FA-WINT-01", "two crew stay aboard when a ship winters",
     with_rule("crew_kept", lambda crew: min(2, crew))),
    ("geo-dial-back", "M71", "GEO", "FA-RUNE-05", "the dial turns the wrong way",
     with_rule("dial_after", lambda dial, quarters: (dial - quarters) % 4)),
    ("geo-dial-stops", "M53", "GEO", "FA-RUNE-05", "the dial stops at its first and last zone",
     with_rule("dial_after", lambda dial, quarters: max(0, min(3, dial + quarters)))),
    ("geo-opposite", "M52", "GEO", "FA-COMP-15", "best and worst weather are read the other way round",
     with_rule("clear_days", _red_is_blue)),
    ("geo-red-beside", "M52", "GEO", "FA-COMP-15", "the red hole stands beside the blue one",
     with_rule("clear_days", _turned_back)),
    ("trg-interrupt", "M44", "TRG", "FA-WEA-06", "losses may be put off by a rune", with_rule(
        "may_interrupt", lambda what, ruling: what == "rune" or ruling == f"{what}_interrupts")),
    ("tgt-era-of-card", "M61", "TRG", "FA-ERA-02", "a Saga that is discarded begins its Era",
     with_rule("new_era", lambda era, card, placed, ruling: max(era, card))),
    ("mul-left-skulls", "M39", "MUL", "FA-LOSS-04", "skulls to the left need not be covered",
     with_rule("skulls", lambda excess, chart: min(1, chart[min(excess, len(chart) - 1)]))),
    ("path-discard-home", "M57", "PATH", "FA-DRAW-06", "runes may be discarded in a Homeland, but not played",
     with_rule("may_use_runes", lambda at_home, discarding: discarding or not at_home)),
    ("path-discard-acts", "M57", "PATH", "FA-RUNE-06", "a rune that is discarded takes effect all the same",
     with_rule("rune_takes_effect", lambda played: True)),
)  # fmt: skip

_STUBBORN: tuple[tuple[str, str, str, str], ...] = (
    ("load-trap", "FA-LOAD-07", "R_LOAD_TRAP", "jettison"), ("wz-end", "FA-LOAD-08", "R_WZ_END", "free"),
    ("zero-load", "FA-LOAD-07", "R_ZERO_LOAD", "one_load"), ("loss-timing", "FA-WEA-06", "R_LOSS_TIMING",
    "winter_interrupts"), ("limbo", "FA-END-06", "R_LIMBO", "at_once"), ("port-edges", "FA-SAIL-01", "R_PORT_EDGES",
    "via_water"), ("trade-value", "FA-TRADE-02", "R_TRADE_VALUE", "after_token"), ("demand-token", "FA-TRADE-03",
    "R_DEMAND_TOKEN", "change_anyway"), ("raid-third", "FA-RAID-10", "R_RAID_THIRD", "first_two"),
    ("raid-rune", "FA-RUNE-09", "R_RAID_RUNE", "barred"), ("waive", "FA-SETTLE-16", "R_WAIVE", "always"),
    ("rune-turn", "FA-RUNE-02", "R_RUNE_TURN", "any"), ("collect", "FA-SAGA-02", "R_COLLECT", "may_state"),
    ("era-on-discard", "FA-ERA-02", "R_ERA_ON_DISCARD", "yes"), ("third-token", "FA-FINAL-06", "R_THIRD_TOKEN",
    "at_placement"), ("holder-out", "FA-FINAL-05", "R_HOLDER_OUT", "pass_tokens"), ("score-value", "FA-SCORE-05",
    "R_SCORE_VALUE", "reduced"),
)  # fmt: skip

_DATA: tuple[Other, ...] = (
    ("data-value", "M26", "DATA", "FA-COMP-01", "the value of Kiev is one more", _changed("ports", "Kiev", value=4)),
    ("data-zone", "M26", "DATA", "FA-WEA-03", "Shetland counts to the North Zone",
     _changed("ports", "Shetland", zone="North")),
    ("data-region", "M26", "DATA", "FA-COMP-02", "York is an independent port", _changed("ports", "York", region=None)),
    ("data-edge", "M27", "DATA", "FA-SAIL-01", "the Baltic Sea and the Gulf of Finland do not meet",
     _packed(edges=lambda pack: tuple(e for e in pack.edges if set(e) != {"Baltic Sea", "Gulf of Finland"}))),
    ("data-edge-more", "M28", "DATA", "FA-SAIL-03", "Rome lies on the Middle Sea as well",
     _packed(edges=lambda pack: (*pack.edges, ("Rome", "Middle Sea")))),
    ("data-losses", "M26", "DATA", "FA-LOSS-05", "the fourth column of the Losses chart has a skull more",
     _packed(losses=lambda pack: tuple(n + (at >= 4) for at, n in enumerate(pack.losses)))),
    ("data-dial", "M26", "DATA", "FA-COMP-15", "the worst weather of the East is one Day better", _packed(
        dial=lambda pack: replace(pack.dial, numbers={**pack.dial.numbers, "East": (6, 5, 5)}))),
    ("data-saga-port", "M26", "DATA", "FA-COMP-08", "Saga S14 names another port",
     _changed("sagas", "S14", ports=("Horn", "Hvarf"))),
    ("data-saga-vp", "M26", "DATA", "FA-SAGA-06", "Saga S27 pays one more", _changed("sagas", "S27", vp=4)),
    ("data-saga-home", "M26", "DATA", "FA-SAGA-07", "Saga S09 is one of Sweden",
     _changed("sagas", "S09", homeland="Sweden")),
    ("data-rune-where", "M26", "DATA", "FA-RUNE-09", "rune R17 may be played anywhere",
     _changed("runes", "R17", where="any")),
    ("data-treasure", "M26", "DATA", "FA-COMP-18", "a large treasure is worth 9, not 8",
     _packed(treasures=lambda pack: replace(pack.treasures, large=(6, 9, 10)))),
    ("data-town", "M28", "DATA", "FA-SETUP-02", "no town stands in Norwich", _packed(
        ports=lambda pack: tuple(replace(p, town="none") if p.id == "Norwich" else p for p in pack.ports),
        treasures=lambda pack: replace(pack.treasures, small=pack.treasures.small[1:]))),
)  # fmt: skip

OTHERS: tuple[Other, ...] = (
    *_RULES,
    *((f"amb-{name}", "M25", "AMB", clause, f"plays {ruling}={value} whatever it is told", plays_by(**{ruling: value}))
      for name, clause, ruling, value in _STUBBORN),
    *_DATA,
)  # fmt: skip
"""Id, operator, class, clause, what is wrong, and what makes the faulty game."""
