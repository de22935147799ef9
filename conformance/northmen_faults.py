"""The faults planted in Northmen: mechanical mutants of its rules and methods, and variants made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import make_game
from lawspeaker.model.northmen import rules, rules_march
from lawspeaker.model.northmen.game import NorthmenGame

from . import northmen_answers as a
from . import northmen_endings as e
from . import northmen_variants as v
from .faults import Fault
from .northmen_fixtures import fixtures
from .planting import as_kind, kind_faults, mechanical_faults, plays_by, session_faults, with_rule
from .session import Session

__all__ = ["CANARY", "DOMAINS", "METHODS", "RULE_CLASSES", "by_hand", "fixtures", "mechanical"]

RULE_CLASSES = {
    "rounds": "END", "has_planning": "END", "cubes_each": "SUP", "heroes_each": "SUP", "starting_infamy": "DATA",
    "starting_reserve": "SUP", "first_leader": "ORD", "hand_size": "THR", "row_size": "THR", "starting_routes": "THR",
    "route_deck": "SUP", "hand_shown": "HID", "group_size": "THR", "first_in_rally": "ORD", "next_in_rally": "ORD",
    "playable": "LEG-", "hire_before_token": "ORD", "pile_shown": "HID", "cubes_placed": "SUP", "may_hire": "LEG+",
    "hero_price": "THR", "back_to_reserve": "SUP", "token_placed": "OMIT", "group_after_token": "SUP",
    "rally_over": "END", "draws_card": "OMIT", "sources": "LEG-", "row_refilled": "SUP", "first_to_plan": "ORD",
    "next_to_plan": "ORD", "may_do_both": "LEG-", "may_buy": "THR", "route_price": "THR", "goes_under": "SUP",
    "room_for_route": "LEG-", "may_hold": "THR", "hold_price": "THR", "kept_hand": "SUP", "new_deck": "SUP",
    "next_leader": "ORD", "bonuses": "SCR", "total": "SCR", "leaders": "SCR", "tie_by_infamy": "TIE",
    "controller": "TIE", "battle_winner": "TIE", "battle_fought": "TRG", "leaves_kingdom": "RES",
    "controller_stays": "TGT", "taken_off": "SUP", "loser_leaves": "RES", "winner_stays": "TGT", "beaten": "SUP",
    "chart_order": "ORD", "delayed_order": "ORD", "mover": "TGT", "may_delay": "LEG+", "delay_price": "THR",
    "delayed_waits": "ORD", "delayed_marches": "OMIT", "cards_that_count": "SCR", "strength": "SCR",
    "army_targets": "GEO", "fleet_targets": "GEO", "hero_targets": "GEO", "march_target": "LEG+",
    "cubes_must_leave": "LEG+", "battles_come_first": "RES", "collector": "TGT", "tokens_left": "SUP",
    "route_completed": "LEG+", "lasting": "STA", "routes_played": "OMIT", "played_routes_show": "HID",
    "regions_cleared": "SUP", "time_tokens_return": "SUP",
}  # fmt: skip
"""The class of fault that a mistake in a rule is, by the rule's name."""

METHODS: dict[str, tuple[str, str]] = {
    "dealing": ("SN-SETUP-03", "ORD"), "_deal": ("SN-SETUP-03", "SUP"), "_turn": ("SN-SETUP-04", "SUP"),
    "_route": ("SN-SETUP-05", "SUP"), "_play": ("SN-RALLY-03", "STA"), "_hire": ("SN-RALLY-09", "SUP"),
    "_token": ("SN-RALLY-11", "TRG"), "_is_last": ("SN-RALLY-02", "TRG"), "_full": ("SN-RALLY-20", "END"),
    "_draw_step": ("SN-RALLY-16", "END"), "_take": ("SN-RALLY-17", "SUP"), "_turn_over": ("SN-RALLY-19", "END"),
    "_rally_turn": ("SN-RALLY-19", "STA"), "begin_marching": ("SN-CTRL-03", "RES"), "controller": ("SN-CTRL-01", "TIE"),
    "withdraw": ("SN-CTRL-05", "SUP"), "next_kingdom": ("SN-MOVE-01", "ORD"), "rest_of_pass": ("SN-MOVE-01", "ORD"),
    "may_delay": ("SN-MOVE-03", "LEG+"), "begin_march": ("SN-MOVE-08", "STA"), "next_region": ("SN-DELAY-03", "LEG-"),
    "free_the_stuck": ("SN-DELAY-03", "OMIT"), "strength": ("SN-MOVE-08", "SCR"), "room": ("SN-MOVE-09", "LEG+"),
    "sends": ("SN-MOVE-09", "LEG+"), "delay": ("SN-MOVE-04", "STA"), "no_delay": ("SN-MOVE-03", "ORD"),
    "send": ("SN-MOVE-09", "STA"), "after_movement": ("SN-MARCH-03", "RES"), "battles": ("SN-BATTLE-01", "RES"),
    "collect": ("SN-COLLECT-02", "MUL"), "in_control": ("SN-TRADE-03", "AMB"), "keep_routes": ("SN-TRADE-05", "STA"),
    "completed": ("SN-TRADE-02", "LEG+"), "commitments": ("SN-TRADE-02", "LEG-"),
    "next_commitment": ("SN-TRADE-01", "RES"), "commit": ("SN-TRADE-01", "RES"), "clean_up": ("SN-CLEAN-01", "SUP"),
    "begin_planning": ("SN-PLAN-01", "ORD"), "purchases": ("SN-PLAN-03", "LEG+"), "drawing": ("SN-PLAN-03", "THR"),
    "pay": ("SN-RALLY-10", "SUP"), "offers": ("SN-PLAN-02", "LEG-"), "keeps": ("SN-PLAN-04", "LEG-"),
    "holds": ("SN-PLAN-06", "LEG-"), "buy": ("SN-PLAN-03", "THR"), "keep": ("SN-PLAN-04", "STA"),
    "hold": ("SN-PLAN-06", "STA"), "done": ("SN-PLAN-07", "STA"), "end_round": ("SN-RESET-01", "END"),
}  # fmt: skip
"""Methods of the game that are changed, with the clause each serves and the class of a mistake in it."""


# -- mechanical -------------------------------------------------------------------------------------


@cache
def mechanical() -> tuple[Fault, ...]:
    """Return every mechanical mutant of the labelled rules and of the listed methods."""
    return mechanical_faults(make_game("northmen"), RULE_CLASSES, METHODS)


# -- by hand ----------------------------------------------------------------------------------------

Build = Callable[[AnyGame], AnyGame]


def _changed(kind: str, name: str, **fields: Any) -> Build:
    """Return what makes a game with a card, route, Kingdom or region of the pack changed."""

    def build(game: AnyGame) -> AnyGame:
        pack: Any = game.pack
        entries = tuple(replace(one, **fields) if one.id == name else one for one in getattr(pack, kind))
        return game.varied(pack=replace(pack, **{kind: entries}))

    return build


def _swapped(kind: str, first: int) -> Build:
    """Return what makes a game in which two entries of the pack have changed places."""

    def build(game: AnyGame) -> AnyGame:
        pack: Any = game.pack
        entries = list(getattr(pack, kind))
        entries[first], entries[first + 1] = entries[first + 1], entries[first]
        return game.varied(pack=replace(pack, **{kind: tuple(entries)}))

    return build


def _without_border(game: AnyGame) -> AnyGame:
    pack: Any = game.pack
    kingdoms = tuple(replace(k, borders=k.borders[:-1]) if k.id == "Danes" else k for k in pack.kingdoms)
    return game.varied(pack=replace(pack, kingdoms=kingdoms))


def _without(game: AnyGame, kind: str, name: str) -> AnyGame:
    pack: Any = game.pack
    entries = tuple(one for one in getattr(pack, kind) if one.id != name)
    return game.varied(pack=replace(pack, complete=False, **{kind: entries}))


_KINDS: tuple[tuple[str, str, str, type[NorthmenGame]], ...] = (
    ("M20", "ORD", "SN-RESET-03", v.DealsFromA), ("M01", "LEG+", "SN-RALLY-09", v.HiresAgain),
    ("M04", "LEG-", "SN-RALLY-09", v.OneHeroAKingdom), ("M63", "TGT", "SN-RALLY-09", v.HeroBesideCard),
    ("M21", "SUP", "SN-RALLY-07", v.ThirtyFirstCube), ("M09", "STA", "SN-RALLY-06", v.PlacedStays),
    ("M09", "STA", "SN-RALLY-04", v.TopStays), ("M17", "ORD", "SN-RALLY-18", v.RefillKeepsTurn),
    ("M73", "THR", "SN-RALLY-18", v.LastCardStays), ("M05", "LEG-", "SN-RALLY-17", v.DrawnFromBelow),
    ("M56", "GEO", "SN-RALLY-11", v.TokenElsewhere), ("M68", "RES", "SN-CTRL-07", v.ControlInOrder),
    ("M66", "RES", "SN-BATTLE-04", v.SecondLoserStays), ("M61", "TGT", "SN-BATTLE-06", v.BeatenToWinner),
    ("M18", "ORD", "SN-DELAY-01", v.DelayedBySeat), ("M66", "OMIT", "SN-DELAY-02", v.DelayForgets),
    ("M69", "LEG+", "SN-MOVE-04", v.AsksToDelayNothing), ("M09", "STA", "SN-MOVE-08", v.ArmiesCarried),
    ("M06", "LEG-", "SN-MOVE-12", v.HeroNeedsSymbol), ("M57", "PATH", "SN-DELAY-02", v.ShipsOnLand),
    ("M01", "LEG+", "SN-MOVE-11", v.SoldiersAtSea), ("M07", "LEG-", "SN-MOVE-09", v.SomeMustGo),
    ("M08", "STA", "SN-TRADE-03", v.OriginsLost), ("M68", "RES", "SN-BATTLE-02", e.BattlesInOrder),
    ("M46", "TRG", "SN-BATTLE-01", e.HeroesDoNotFight), ("M47", "TRG", "SN-BATTLE-01", e.NothingToFightFor),
    ("M40", "MUL", "SN-COLLECT-02", e.OneTokenARegion), ("M38", "MUL", "SN-COLLECT-02", e.HeroTakesShare),
    ("M20", "RES", "SN-TRADE-01", e.RevealedAtOnce), ("M31", "HID", "SN-SETUP-07", e.AsksOfCompleted),
    ("M17", "ORD", "SN-TRADE-01", e.ChoosesFromA), ("M09", "STA", "SN-TRADE-04", e.ChosenStays),
    ("M09", "STA", "SN-DELAY-01", e.SecondPassStays), ("M22", "SUP", "SN-CLEAN-01", e.ThirdCubesLost),
    ("M16", "PATH", "SN-PLAN-02", e.BuysAfterHolding), ("M07", "LEG-", "SN-PLAN-01", e.SkipsThePoor),
    ("M09", "STA", "SN-PLAN-06", e.HeldStays), ("M59", "OMIT", "SN-PLAN-04", e.BothKept),
    ("M23", "ORD", "SN-PLAN-04", e.OtherOnTop), ("M22", "SUP", "SN-PLAN-04", e.RouteGone),
    ("M23", "SUP", "SN-COLLECT-03", e.UnplacedReturn), ("M14", "END", "SN-END-01", e.EndsWhenDecided),
    ("M34", "SCR", "SN-END-02", e.BonusOfHand), ("M34", "SCR", "SN-SCORE-01", e.HandCostsPlunder),
    ("M05", "GEO", "SN-MOVE-11", v.FleetsAway), ("M40", "MUL", "SN-MOVE-08", v.ShipsTwice),
    ("M73", "GEO", "SN-DELAY-03", v.LastRegionForgotten),
    ("M30", "HID", "SN-SETUP-07", a.HandShown), ("M30", "HID", "SN-SETUP-07", a.RoutesShown),
    ("M30", "HID", "SN-RALLY-05", a.CoveredShown), ("M44", "HID", "SN-MOVE-07", a.ForcesShownEarly),
    ("M33", "HID", "SN-MOVE-07", a.ForcesHidden), ("M44", "HID", "SN-TRADE-01", a.ChoicesShown),
    ("M31", "HID", "SN-TRADE-01", a.ChoicesCounted), ("M33", "HID", "SN-TRADE-01", a.OwnChoicesLost),
    ("M32", "HID", "SN-TRADE-01", a.QuestionShown), ("M31", "HID", "SN-SETUP-07", a.OptionsCounted),
    ("M30", "HID", "SN-SETUP-04", a.DeckListed), ("M30", "HID", "SN-SETUP-06", a.RouteDeckListed),
    ("M30", "HID", "SN-PLAN-07", a.DiscardsListed), ("M32", "HID", "SN-PLAN-04", a.BottomShown),
    ("M33", "HID", "SN-PLAN-04", a.OwnBottomLost), ("M30", "HID", "SN-PLAN-03", a.DrawnShown),
    ("M30", "HID", "SN-PLAN-06", a.HeldShown), ("M33", "HID", "SN-RALLY-05", a.OwnPileCovered),
    ("M62", "HID", "SN-SETUP-07", a.WrongYou),
)  # fmt: skip

_SESSIONS: tuple[tuple[str, str, str, type[Session]], ...] = (
    ("M74", "ENUM", "SN-MOVE-03", a.ListsDelay), ("M76", "ENUM", "SN-MOVE-12", a.ListsTwice),
    ("M77", "ENUM", "SN-END-01", a.ListsAtEnd), ("M75", "ENUM", "SN-RALLY-16", a.AcceptsNoCard),
    ("M75", "ENUM", "SN-RALLY-09", a.AcceptsLateHero), ("M75", "LEG+", "SN-MOVE-09", a.AcceptsMarch),
    ("M75", "ENUM", "SN-OURS-ORDER", a.AcceptsAnyOrder), ("M58", "PATH", "SN-MOVE-09", a.HalfDone),
    ("M41", "UND", "SN-TRADE-01", a.UndoOnePart), ("M41", "UND", "SN-RALLY-10", a.UndoKeepsInfamy),
    ("M41", "UND", "SN-PLAN-04", a.UndoKeepsBottom), ("M41", "UND", "SN-CLEAN-02", a.UndoWholeRound),
    ("M43", "UND", "SN-RALLY-09", a.SaveLosesPlaced), ("M43", "UND", "SN-PLAN-04", a.SaveLosesBottom),
    ("M43", "UND", "SN-MOVE-08", a.SaveLosesArmies), ("M43", "UND", "SN-TRADE-01", a.SaveLosesChoices),
    ("M78", "RNG", "SN-OURS-CHANCE", a.OwnDice),
)  # fmt: skip


# -- rules told wrongly -------------------------------------------------------------------------------


def _pieces(cubes: rules.Ints, heroes: rules.Ints) -> list[int]:
    return [c + h for c, h in zip(cubes, heroes, strict=True)]


def _battle_anticlockwise(cubes: rules.Ints, heroes: rules.Ints, leader: int, clock: str) -> int:
    other = "to_leader" if clock == "from_leader" else "from_leader"
    return rules_march.battle_winner(cubes, heroes, leader, other)


def _from_seat_a(cubes: rules.Ints, heroes: rules.Ints, leader: int, clock: str, empty: str) -> int:
    return rules_march.controller(cubes, heroes, 0, clock, empty)


def _no_heroes_of_three(cubes: rules.Ints, heroes: rules.Ints, leader: int, clock: str) -> int:
    """Leave Heroes out where three are tied."""
    pieces = _pieces(cubes, heroes)
    three = pieces.count(max(pieces)) >= 3
    tied = [seat for seat, count in enumerate(pieces) if count == max(pieces)]
    return rules_march.nearest(tied, leader, len(cubes), clock) if three else rules_march.battle_winner(
        cubes, heroes, leader, clock
    )  # fmt: skip


def _nearest_either_way(cubes: rules.Ints, heroes: rules.Ints, leader: int, clock: str, empty: str) -> int:
    right = rules_march.controller(cubes, heroes, leader, clock, empty)
    pieces, n = _pieces(cubes, heroes), len(cubes)
    best = [s for s in range(n) if right >= 0 and (pieces[s], heroes[s]) == (pieces[right], heroes[right])]
    return min(best, key=lambda s: min((s - leader) % n, (leader - s) % n), default=right)


def _heroes_first(cubes: rules.Ints, heroes: rules.Ints, leader: int, clock: str, empty: str) -> int:
    led = [seat for seat, count in enumerate(heroes) if count == max(heroes)]
    alone = len(led) == 1 and cubes[led[0]] + heroes[led[0]] + 1 >= max(_pieces(cubes, heroes))
    return led[0] if alone else rules_march.controller(cubes, heroes, leader, clock, empty)


def _bonus_of_two(infamy: rules.Ints, routes: rules.Ints, ruling: str) -> rules.Ints:
    return (0,) * len(infamy) if infamy.count(max(infamy)) > 2 else rules.bonuses(infamy, routes, ruling)


def _bonus_halved(infamy: rules.Ints, routes: rules.Ints, ruling: str) -> rules.Ints:
    return tuple(bonus // infamy.count(max(infamy)) for bonus in rules.bonuses(infamy, routes, ruling))


def _fourth_is_third(players: int) -> rules.Ints:
    return (5, 4, 6, 3) if players == 4 else rules.starting_infamy(players)


def _mark_four_for_three(named: bool, mark: str, players: int, ruling: str) -> bool:
    return rules.token_placed(named, mark, 4 if players == 3 else players, ruling)


def _deaf(mark: str) -> Build:
    return with_rule(
        "token_placed",
        lambda named, shown, players, ruling: rules.token_placed(
            named, "none" if shown == mark else shown, players, ruling
        ),
    )


def _without_fourth(cubes: rules.Ints, heroes: rules.Ints, ruling: str) -> int:
    return rules_march.collector((*cubes[:3], *(0 for _ in cubes[3:])), heroes, ruling)


_OTHERS: tuple[tuple[str, str, str, str, str, Build], ...] = (
    ("tie-anticlockwise", "M51", "TIE", "SN-BATTLE-09", "ties in battle are counted the wrong way round",
     with_rule("battle_winner", _battle_anticlockwise)),
    ("tie-from-a", "M51", "TIE", "SN-CTRL-09", "ties for control are counted from seat A, not from the Leader",
     with_rule("controller", _from_seat_a)),
    ("tie-either-way", "M53", "GEO", "SN-CTRL-09", "the nearest to the Leader is sought both ways round",
     with_rule("controller", _nearest_either_way)),
    ("tie-of-three", "M39", "TIE", "SN-BATTLE-08", "Heroes break ties of two only",
     with_rule("battle_winner", _no_heroes_of_three)),
    ("tie-heroes-first", "M48", "TIE", "SN-CTRL-08", "Heroes win a Kingdom also if one piece is lacking",
     with_rule("controller", _heroes_first)),
    ("tie-shared", "M49", "TIE", "SN-SCORE-03", "who is tied at the end in Infamy too loses to the first seat",
     with_rule("tie_by_infamy", lambda tied, infamy: rules.tie_by_infamy(tied, infamy)[:1])),
    ("tie-infamy", "M50", "TIE", "SN-SCORE-03", "equal scores are shared, whatever Infamy says",
     with_rule("tie_by_infamy", lambda tied, infamy: tied)),
    ("mul-bonus-of-two", "M66", "MUL", "SN-END-03", "a bonus is shared by two at most; three tied get nothing",
     with_rule("bonuses", _bonus_of_two)),
    ("mul-bonus-halved", "M37", "MUL", "SN-END-03", "those tied for the bonus divide it",
     with_rule("bonuses", _bonus_halved)),
    ("scr-no-one", "M69", "SCR", "SN-END-02", "the bonus is the number of completed routes, without the one",
     with_rule("bonuses", lambda infamy, routes, ruling: tuple(
         max(0, bonus - 1) for bonus in rules.bonuses(infamy, routes, ruling)))),
    ("scr-no-bonus", "M59", "SCR", "SN-SCORE-01", "the bonus does not count for the score",
     with_rule("total", lambda taken, routes, bonus: taken + routes)),
    ("data-fourth-seat", "M26", "DATA", "SN-SETUP-13", "of four players the third and the fourth swap their Infamy",
     with_rule("starting_infamy", _fourth_is_third)),
    ("omit-mark-3-4", "M59", "OMIT", "SN-RALLY-14", "cards marked for 3 and 4 players bring a token all the same",
     _deaf("3-4")),
    ("omit-mark-4", "M59", "OMIT", "SN-RALLY-15", "cards marked for 4 players bring a token all the same", _deaf("4")),
    ("thr-mark-4", "M69", "THR", "SN-RALLY-15", "cards marked for 4 players bring no token with 3 either",
     with_rule("token_placed", _mark_four_for_three)),
    ("ord-leader-back", "M16", "ORD", "SN-RESET-06", "the Leader Token passes to the right",
     with_rule("next_leader", lambda leader, players: (leader - 1) % players)),
    ("ord-plan-back", "M17", "ORD", "SN-PLAN-01", "planning turns pass to the right",
     with_rule("next_to_plan", lambda seat, players: (seat - 1) % players)),
    ("ord-rally-a", "M16", "ORD", "SN-LEADER-01", "seat A begins every Rally Phase",
     with_rule("first_in_rally", lambda leader, players: 0)),
    ("thr-hire-2", "M69", "THR", "SN-RALLY-09", "a Hero can be hired with two Infamy", with_rule(
        "may_hire", lambda infamy, heroes, placed, ruling: rules.may_hire(infamy + 1, heroes, placed, ruling))),
    ("thr-hire-4", "M69", "THR", "SN-RALLY-09", "a Hero can be hired from four Infamy on", with_rule(
        "may_hire", lambda infamy, heroes, placed, ruling: rules.may_hire(infamy - 1, heroes, placed, ruling))),
    ("sup-hero-4", "M21", "SUP", "SN-HERO-01", "a fourth Hero can be hired", with_rule(
        "may_hire", lambda infamy, heroes, placed, ruling: rules.may_hire(infamy, heroes + 1, placed, ruling))),
    ("thr-delay-4", "M69", "THR", "SN-MOVE-04", "a delay is offered with four Infamy",
     with_rule("may_delay", lambda infamy, free: rules_march.may_delay(infamy + 1, free))),
    ("thr-delay-6", "M69", "THR", "SN-MOVE-04", "a delay is offered from six Infamy on",
     with_rule("may_delay", lambda infamy, free: rules_march.may_delay(infamy - 1, free))),
    ("leg-delay-two", "M01", "LEG+", "SN-MOVE-06", "a player may delay more than one Kingdom",
     with_rule("may_delay", lambda infamy, free: infamy >= 5)),
    ("thr-14", "M69", "THR", "SN-RALLY-20", "the Rally Phase ends with the fourteenth token",
     with_rule("rally_over", lambda group, board, ruling: rules.rally_over(max(0, group - 1), board, ruling))),
    ("thr-16", "M73", "THR", "SN-SETUP-08", "a group has sixteen tokens", with_rule("group_size", lambda: 16)),
    ("thr-buy-4", "M48", "THR", "SN-PLAN-03", "routes can be bought from four Infamy on", with_rule(
        "may_buy", lambda infamy, pairs, left, ruling: rules.may_buy(infamy - 1, pairs, left, ruling))),
    ("thr-route-deck", "M48", "THR", "SN-PLAN-03", "the last two routes cannot be bought", with_rule(
        "may_buy", lambda infamy, pairs, left, ruling: rules.may_buy(infamy, pairs, left - 1, ruling))),
    ("sup-from-infamy", "M24", "SUP", "SN-RALLY-08", "where the reserve is short, Infamy pays for cubes",
     with_rule("cubes_placed", rules._from_infamy_too)),
    ("sup-heroes-lost", "M22", "SUP", "SN-BATTLE-05", "beaten Heroes are lost",
     with_rule("beaten", lambda cubes, heroes: (cubes, 0, 0))),
    ("sup-beaten-home", "M23", "SUP", "SN-BATTLE-06", "beaten cubes go to the reserve",
     with_rule("beaten", lambda cubes, heroes: (0, cubes, heroes))),
    ("sup-driven-out", "M23", "SUP", "SN-CTRL-05", "cubes driven out of a Kingdom go to the reserve",
     with_rule("taken_off", lambda cubes, heroes: (0, cubes, heroes))),
    ("sup-spent", "M22", "SUP", "SN-RALLY-10", "spent Infamy is out of the game",
     with_rule("back_to_reserve", lambda spent: 0)),
    ("sup-discards", "M22", "SUP", "SN-RESET-01", "discards are not shuffled into the new deck",
     with_rule("new_deck", lambda deck, row, discard, played: deck | row | played)),
    ("sta-time-tokens", "M22", "STA", "SN-CLEAN-02", "Time Tokens do not return",
     with_rule("time_tokens_return", lambda: False)),
    ("res-plunder-first", "M68", "RES", "SN-COLLECT-01", "plunder is collected before battles",
     with_rule("battles_come_first", lambda: False)),
    ("trg-token-first", "M44", "TRG", "SN-RALLY-02", "the token is placed before the Hero is hired",
     with_rule("hire_before_token", lambda: False)),
    ("trg-delay-at-once", "M44", "TRG", "SN-MOVE-05", "a delayed Kingdom marches at once",
     with_rule("delayed_waits", lambda: False)),
    ("tgt-leader-moves", "M64", "TGT", "SN-MOVE-02", "the Leader makes the moves of every Kingdom",
     with_rule("mover", lambda control, leader: leader)),
    ("tgt-fourth-blind", "M62", "TGT", "SN-COLLECT-02", "cubes of the fourth seat do not count for plunder",
     with_rule("collector", _without_fourth)),
    ("geo-neighbours", "M02", "GEO", "SN-MOVE-10", "Armies may go to any region",
     with_rule("army_targets", lambda borders, regions: regions)),
    ("geo-inland", "M03", "GEO", "SN-MOVE-13", "Fleets may go to landlocked regions",
     with_rule("fleet_targets", lambda sea, regions: regions)),
    ("geo-heroes-ashore", "M05", "GEO", "SN-MOVE-12", "Heroes do not go by sea",
     with_rule("hero_targets", lambda armies, fleets: armies)),
    ("path-delay-lost", "M57", "PATH", "SN-RALLY-10", "what a delay costs is out of the game",
     with_rule("back_to_reserve", lambda spent: spent if spent != 5 else 0)),
    ("amb-clock", "M25", "AMB", "SN-LEADER-02", "plays R_CLOCK=to_leader whatever it is told",
     plays_by(R_CLOCK="to_leader")),
    ("amb-partial", "M25", "AMB", "SN-RALLY-07", "plays R_PARTIAL=all_or_nothing whatever it is told",
     plays_by(R_PARTIAL="all_or_nothing")),
    ("amb-collect", "M25", "AMB", "SN-COLLECT-02", "plays R_COLLECT=pieces whatever it is told",
     plays_by(R_COLLECT="pieces")),
    ("amb-span", "M25", "AMB", "SN-TRADE-03", "plays R_CONTROL_SPAN=present whatever it is told",
     plays_by(R_CONTROL_SPAN="present")),
    ("amb-mark", "M25", "AMB", "SN-RALLY-14", "plays R_MARK=enable whatever it is told", plays_by(R_MARK="enable")),
    ("amb-rally-end", "M25", "AMB", "SN-RALLY-20", "plays R_RALLY_END=finish_turn whatever it is told",
     plays_by(R_RALLY_END="finish_turn")),
    ("amb-final-tie", "M25", "AMB", "SN-SCORE-03", "plays R_FINAL_TIE=leader whatever it is told",
     plays_by(R_FINAL_TIE="leader")),
    ("end-deck", "M13", "END", "SN-RALLY-20", "the Rally Phase ends when the deck is empty",
     plays_by(R_DECK_EMPTY="end")),
    ("end-no-planning", "M12", "END", "SN-ROUND-03", "the last round has no Planning Phase",
     plays_by(R_R3_PLAN="skipped")),
    ("end-board", "M12", "END", "SN-RALLY-20", "tokens left over from earlier rounds count towards the fifteen",
     plays_by(R_FIFTEEN="board")),
    ("data-border", "M27", "DATA", "SN-MAP-01", "the Danes do not border the last of their regions", _without_border),
    ("data-card", "M26", "DATA", "SN-CARD-02", "card NM8 shows two ships", _changed("cards", "NM8", ships=2)),
    ("data-symbol", "M26", "DATA", "SN-CARD-04", "card MG8 shows two soldiers and a ship",
     _changed("cards", "MG8", soldiers=2, ships=1)),
    ("data-region", "M26", "DATA", "SN-CARD-05", "card RU5 names another region",
     _changed("cards", "RU5", region="Poland")),
    ("data-mark", "M26", "DATA", "SN-RALLY-15", "card SX2 lacks its mark", _changed("cards", "SX2", mark="none")),
    ("data-route", "M26", "DATA", "SN-ROUTE-01", "route T07 is worth one more", _changed("routes", "T07", value=4)),
    ("data-missing", "M28", "DATA", "SN-CARD-01", "card SX8 is missing", lambda game: _without(game, "cards", "SX8")),
    ("data-route-missing", "M28", "DATA", "SN-CONTENTS-04", "route T20 is missing",
     lambda game: _without(game, "routes", "T20")),
    ("data-chart", "M26", "DATA", "SN-CHART-01", "two Kingdoms of the chart have changed places",
     _swapped("kingdoms", 2)),
)  # fmt: skip

CANARY = Fault("canary", "M01", "LEG-", "SN-RALLY-03", "the last legal action is never offered", as_kind(v.Canary))
"""Takes part in every run and must be caught."""


def by_hand() -> tuple[Fault, ...]:
    """Return the variants made by hand, the canary first."""
    found = [CANARY, *kind_faults(_KINDS), *session_faults(_SESSIONS)]
    found += [Fault(name, code, kind, clause, said, build) for name, code, kind, clause, said, build in _OTHERS]
    return tuple(found)


# -- domains ----------------------------------------------------------------------------------------

_BOOL, _SEATS = (False, True), tuple((seat, n) for n in (2, 3, 4) for seat in range(n))
_MARKS, _INFAMY = ("none", "3-4", "4"), range(31)

DOMAINS: dict[str, Callable[[], Iterable[tuple[Any, ...]]]] = {
    **{
        name: lambda: [()]
        for name in (
            "rounds", "cubes_each", "heroes_each", "first_leader", "hand_size", "row_size", "starting_routes",
            "group_size", "hire_before_token", "hero_price", "draws_card", "row_refilled", "may_do_both",
            "route_price", "goes_under", "hold_price", "leaves_kingdom", "controller_stays", "loser_leaves",
            "winner_stays", "delay_price", "delayed_waits", "delayed_marches", "battles_come_first", "routes_played",
            "played_routes_show", "regions_cleared", "time_tokens_return",
        )
    },
    "has_planning": lambda: product(_BOOL, ("played", "skipped")),
    "starting_infamy": lambda: product((2, 3, 4)), "hand_shown": lambda: product(_BOOL),
    "first_in_rally": lambda: _SEATS, "next_in_rally": lambda: _SEATS, "first_to_plan": lambda: _SEATS,
    "next_to_plan": lambda: _SEATS, "next_leader": lambda: _SEATS,
    "cubes_placed": lambda: product((1, 2, 3), _INFAMY, _INFAMY, ("partial", "all_or_nothing")),
    "may_hire": lambda: product(_INFAMY, range(4), range(4), ("needs_cube", "card_kingdom")),
    "back_to_reserve": lambda: product(range(1, 31)),
    "token_placed": lambda: product(_BOOL, _MARKS, (2, 3, 4), ("suppress", "enable")),
    "group_after_token": lambda: product(range(1, 16)),
    "rally_over": lambda: product(range(16), range(46), ("group", "board")),
    "may_buy": lambda: product(_INFAMY, range(1, 11), range(21), ("refuse", "take_one")),
    "room_for_route": lambda: product(range(21)), "may_hold": lambda: product(_INFAMY),
    "battle_fought": lambda: product((2, 3, 4)),
    "taken_off": lambda: product(range(31), range(4)), "beaten": lambda: product(range(31), range(4)),
    "chart_order": lambda: product(range(1, 8)), "delayed_order": lambda: product(range(1, 8)),
    "mover": lambda: product(range(4), range(4)), "may_delay": lambda: product(_INFAMY, _BOOL),
    "strength": lambda: product(range(25), repeat=2), "march_target": lambda: product(("region", "kingdom")),
    "cubes_must_leave": lambda: product(("must", "may")), "tokens_left": lambda: product(range(1, 46)),
    "route_completed": lambda: product(
        _BOOL, range(31), range(4), _BOOL, ("cubes", "pieces"), ("any", "from_kingdom")
    ),
}  # fmt: skip
"""Every input that a rule can have, where these are finitely many; proofs of equivalence enumerate them.

The rules of ties and scores have too many inputs for that.  A battle is asked about only where two or more
are present.
"""

REASONS: dict[str, str] = {
    "dealing: drops 'position.route_bottom' from 'position.route_deck or position.route_bottom'":
        "in the first round nothing has been put under the deck yet",
    "_is_last: 'region >= 0' becomes 'region > 0'":
        "only asked where tokens are placed before Heroes are hired, which the law says nowhere",
    "_is_last: two arguments swapped in 'self.law.rally_over(position.group - 1, sum(position.toke...'":
        "only asked where tokens are placed before Heroes are hired, which the law says nowhere",
    "_draw_step: two arguments swapped in 'self.law.sources(position.row, position.deck != 0)'":
        "the law returns both as they are, and either will do",
    "_draw_step: drops 'deck' from 'row or deck'":
        "while there is a deck the row is full (I06)",
    "free_the_stuck: drops 'not stuck' from 'not stuck and (not lost)'":
        "cubes are stuck only on a map on which a Kingdom has nowhere to send what its cards show",
    "collect: drops 'lost += count - tokens[region]'":
        "the law leaves all tokens that nobody collects",
    "collect: does not set unplaced to 'position.unplaced + lost'":
        "the law leaves all tokens that nobody collects",
    "in_control: two arguments swapped in 'game.law.controller(position.cubes[kingdom], position.her...'":
        "after control was judged one seat at most has pieces in a Kingdom, and no tie is left to break",
}
"""Why a mutant cannot differ, by what is wrong with it; said beside what was counted."""
