"""The faults planted in Fire & Axe: mechanical mutants of its rules and methods, and variants made by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from typing import Any

from lawspeaker.model.core.games import make_game
from lawspeaker.model.fire_axe.game import FireAxeGame

from . import fire_axe_answers as a
from . import fire_axe_endings as e
from . import fire_axe_variants as v
from .faults import Fault
from .fire_axe_fixtures import fixtures
from .fire_axe_rules import OTHERS
from .planting import as_kind, kind_faults, mechanical_faults, session_faults
from .session import Session

__all__ = ["CANARY", "DOMAINS", "METHODS", "REASONS", "RULE_CLASSES", "by_hand", "fixtures", "mechanical"]

RULE_CLASSES = {
    "crew_each": "SUP", "first_demand": "DATA", "first_place": "DATA", "first_zone": "DATA", "sagas_kept": "SUP",
    "next_era": "ORD", "saga_spaces": "THR", "opening_runes": "THR", "starting_points": "DATA", "first_seat": "ORD",
    "next_seat": "ORD", "on_other_turns": "AMB", "days_of_turn": "THR", "may_act": "LEG+", "days_to_load": "SUP",
    "days_to_draw": "SUP", "days_to_sail": "SUP", "days_to_task": "SUP", "may_go_on": "LEG-", "may_load": "LEG+",
    "in_stock": "SUP", "capacity": "THR", "may_load_good": "AMB", "trapped": "AMB", "may_leave": "LEG+",
    "may_end_wintering": "LEG+", "days_to_leave": "SUP", "homes_to_leave_for": "LEG-", "may_draw": "LEG+",
    "hand_limit": "THR", "hand_shown": "HID", "reshuffled": "SUP", "reaches": "GEO", "may_enter": "LEG+",
    "clear_days": "GEO", "excess": "THR", "skulls": "MUL", "may_interrupt": "TRG", "covered_before": "STA",
    "may_lose": "LEG-", "wrecked": "TRG", "chart_returns": "SUP", "slider_after_turn": "STA", "may_do_tasks": "LEG+",
    "may_try": "LEG+", "raid_value": "OMIT", "settle_value": "OMIT", "may_trade": "LEG+", "trade_price": "SCR",
    "demand_bonus": "SCR", "may_raid": "LEG+", "raid_succeeds": "TIE", "crew_lost": "SUP", "may_roll_again": "THR",
    "may_break_off": "LEG-", "treasure_paid": "SCR", "towns_kept": "SUP", "may_settle": "LEG+", "settle_dice": "THR",
    "die_settles": "TIE", "settlers_lost": "SUP", "settlement_made": "TRG", "may_waive": "LEG-",
    "may_use_runes": "LEG+", "dial_turns": "LEG-", "dial_turns_first": "RES", "dial_after": "GEO",
    "rune_takes_effect": "PATH", "pile_after": "SUP", "right_moment": "TRG", "may_winter": "LEG+",
    "winters_from": "LEG-", "winters_after": "LEG-", "crew_kept": "SUP", "may_end": "LEG-", "saga_met": "TRG",
    "saga_points": "SCR", "sagas_taken": "TGT", "is_replaced": "OMIT", "comes_into_play": "OMIT", "new_era": "TRG",
    "tokens_taken": "TRG", "sagas_over": "END", "tokens_placed": "END", "clock_stops_at": "END", "sits_out": "END",
    "crews_over": "END", "axe_bonus": "TIE", "settlement_points": "SCR", "scoring_value": "SCR", "saga_set": "TIE",
    "winners": "TIE",
}  # fmt: skip
"""The class of fault that a mistake in a rule is, by the rule's name."""

METHODS: dict[str, tuple[str, str]] = {
    "deal_runes": ("FA-SETUP-16", "ORD"), "begin_turn": ("FA-FINAL-05", "END"), "end_turn": ("FA-END-08", "ORD"),
    "wreck": ("FA-END-02", "STA"), "open_window": ("FA-OURS-WINDOW", "AMB"), "pass_": ("FA-OURS-WINDOW", "ORD"),
    "loads": ("FA-LOAD-02", "LEG+"), "leaves": ("FA-LOAD-08", "LEG-"), "may_draw": ("FA-DRAW-01", "LEG+"),
    "sails": ("FA-SAIL-01", "GEO"), "lossy": ("FA-LOSS-06", "LEG-"), "may_winter": ("FA-WINT-01", "LEG+"),
    "may_end": ("FA-END-05", "LEG-"), "load": ("FA-LOAD-03", "SUP"), "unload": ("FA-LOAD-07", "SUP"),
    "leave": ("FA-LOAD-09", "STA"), "draw": ("FA-DRAW-02", "STA"), "sail": ("FA-SAIL-02", "STA"),
    "lose": ("FA-LOSS-01", "SUP"), "winter": ("FA-WINT-01", "SUP"), "losses_due": ("FA-LOSS-02", "THR"),
    "tasks": ("FA-TASK-03", "LEG+"), "raid_goes_on": ("FA-RAID-08", "LEG-"), "trade": ("FA-TRADE-01", "STA"),
    "raid": ("FA-RAID-02", "STA"), "stop": ("FA-RAID-12", "STA"), "die": ("FA-RAID-04", "STA"),
    "treasure": ("FA-RAID-05", "STA"), "settle": ("FA-SETTLE-10", "STA"), "throw": ("FA-SETTLE-13", "RES"),
    "convert": ("FA-SETTLE-15", "STA"), "waive": ("FA-SETTLE-16", "STA"), "completing": ("FA-SAGA-02", "TRG"),
    "refill": ("FA-SAGA-09", "TRG"), "flip": ("FA-SAGA-10", "STA"), "settled": ("FA-FINAL-04", "END"),
    "next_sagas": ("FA-SETUP-07", "ORD"), "collects": ("FA-SAGA-02", "LEG-"), "collect_saga": ("FA-SAGA-02", "TGT"),
    "decline": ("FA-SAGA-02", "STA"), "rune_uses": ("FA-RUNE-02", "LEG+"), "discard": ("FA-RUNE-06", "STA"),
    "play": ("FA-RUNE-07", "RES"), "deal": ("FA-DRAW-02", "STA"), "drop": ("FA-RUNE-06", "TGT"),
}  # fmt: skip
"""Methods of the game that are changed, with the clause each serves and the class of a mistake in it."""


@cache
def mechanical() -> tuple[Fault, ...]:
    """Return every mechanical mutant of the labelled rules and of the listed methods."""
    return mechanical_faults(make_game("fire_axe"), RULE_CLASSES, METHODS)


# -- by hand ----------------------------------------------------------------------------------------

_KINDS: tuple[tuple[str, str, str, type[FireAxeGame]], ...] = (
    ("M01", "LEG+", "FA-LOAD-01", v.LoadsAtHome), ("M04", "LEG-", "FA-DRAW-01", v.NoDrawAfterSail),
    ("M04", "LEG-", "FA-LOAD-05", v.LeavesFullOnly), ("M06", "LEG-", "FA-SETTLE-10", v.MostDiceOnly),
    ("M04", "LEG-", "FA-LOSS-06", v.GoodsLostFirst), ("M03", "LEG+", "FA-TASK-06", v.SecondTaskAfterRaid),
    ("M01", "LEG+", "FA-WEA-06", v.WintersOverLosses), ("M01", "LEG+", "FA-ACT-04", v.SailsOnFreely),
    ("M09", "STA", "FA-TASK-06", v.TasksStay), ("M09", "STA", "FA-ACT-02", v.DaysStay),
    ("M09", "STA", "FA-LOSS-03", v.CoveredStays), ("M09", "STA", "FA-RUNE-01", v.SpareStays),
    ("M09", "STA", "FA-RUNE-01", v.ShelterStays), ("M09", "STA", "FA-RAID-13", v.AttackStays),
    ("M09", "STA", "FA-RUNE-01", v.DoubledStays), ("M22", "SUP", "FA-WINT-02", v.WinteredGoodsLost),
    ("M22", "SUP", "FA-CREW-01", v.WreckedCrewLost), ("M61", "TGT", "FA-END-06", v.ChartToNext),
    ("M23", "SUP", "FA-LOSS-08", v.GoodsOfWreckKept), ("M17", "ORD", "FA-END-02", v.WreckedGoesOn),
    ("M17", "ORD", "FA-SETUP-16", v.DealsBackwards), ("M44", "TRG", "FA-FINAL-05", v.HolderSkipsDraw),
    ("M63", "TGT", "FA-WEA-05", v.WeatherOfZoneLeft), ("M39", "MUL", "FA-LOSS-05", v.LossesTogether),
    ("M47", "TRG", "FA-RAID-07", v.VictoryCostsToo), ("M40", "MUL", "FA-RAID-06", v.LargeTownTwice),
    ("M68", "RES", "FA-SETTLE-16", v.ConvertsUnasked), ("M57", "PATH", "FA-SETTLE-13", v.SparesRaidersOnly),
    ("M61", "TGT", "FA-RAID-05", v.TreasureToNext), ("M05", "GEO", "FA-SAIL-05", v.OneWayOut),
    ("M05", "GEO", "FA-SAIL-03", v.HomeClosed), ("M60", "GEO", "FA-TRADE-07", v.RegionOfTwo),
    ("M57", "PATH", "FA-DRAW-04", e.FourthRune), ("M47", "TRG", "FA-RUNE-06", e.LoserDrawsDial),
    ("M61", "TGT", "FA-RUNE-07", e.RobberKeeps), ("M62", "TGT", "FA-RUNE-07", e.StrikesTheRobber),
    ("M22", "SUP", "FA-TRADE-03", e.DemandTokenLost), ("M39", "MUL", "FA-RUNE-04", e.WindOnce),
    ("M23", "SUP", "FA-RUNE-06", e.DiscardBelow), ("M09", "STA", "FA-RAID-13", e.DiceForget),
    ("M66", "RES", "FA-SAGA-08", e.OneSagaATime), ("M35", "TGT", "FA-SAGA-05", e.OwnDeedsOnly),
    ("M38", "MUL", "FA-SAGA-06", e.SagaPaidTwice), ("M08", "STA", "FA-ERA-03", e.EraStays),
    ("M59", "OMIT", "FA-SAGA-10", e.DiscardedOnTop), ("M64", "TGT", "FA-FINAL-01", e.TokensPassOn),
    ("M14", "END", "FA-FINAL-04", e.FinishesTheTurn), ("M14", "END", "FA-CREW-04", e.AllCrewHome),
    ("M34", "SCR", "FA-SCORE-01", e.RunesPay), ("M35", "SCR", "FA-SCORE-04", e.AxeForSecond),
    ("M50", "TIE", "FA-WIN-02", e.FirstWins), ("M34", "SCR", "FA-SCORE-01", e.CargoPays),
    ("M30", "HID", "FA-DRAW-03", a.NeighbourShown), ("M44", "HID", "FA-DRAW-03", a.DealtShown),
    ("M30", "HID", "FA-DRAW-03", a.VictimShown), ("M30", "HID", "FA-SETUP-12", a.RuneDeckListed),
    ("M31", "HID", "FA-SETUP-12", a.LastRuneShown), ("M33", "HID", "FA-DRAW-03", a.OwnHandHidden),
    ("M33", "HID", "FA-OURS-HIDDEN", a.HandsNotCounted), ("M33", "HID", "FA-RUNE-06", a.PileCovered),
    ("M31", "HID", "FA-DRAW-03", a.OptionsCounted), ("M62", "HID", "FA-DRAW-03", a.WrongYou),
)  # fmt: skip

_SESSIONS: tuple[tuple[str, str, str, type[Session]], ...] = (
    ("M74", "ENUM", "FA-WINT-01", a.ListsWinter), ("M76", "ENUM", "FA-SETTLE-10", a.ListsTwice),
    ("M77", "ENUM", "FA-FINAL-04", a.ListsAtEnd), ("M75", "ENUM", "FA-DRAW-06", a.AcceptsDiscardAtHome),
    ("M75", "ENUM", "FA-RAID-12", a.AcceptsStopEarly), ("M75", "LEG+", "FA-LOAD-08", a.AcceptsLateEnd),
    ("M75", "LEG+", "FA-TRADE-07", a.AcceptsThirdGood), ("M41", "UND", "FA-RUNE-05", a.UndoKeepsDial),
    ("M41", "UND", "FA-TRADE-02", a.UndoKeepsPoints), ("M41", "UND", "FA-TASK-06", a.UndoKeepsTasks),
    ("M41", "UND", "FA-RAID-05", a.UndoKeepsTreasure), ("M43", "UND", "FA-TASK-06", a.SaveLosesTasks),
    ("M43", "UND", "FA-LOSS-03", a.SaveLosesCovered), ("M43", "UND", "FA-RAID-13", a.SaveLosesAttack),
    ("M43", "UND", "FA-ACT-02", a.SaveLosesDays), ("M43", "UND", "FA-RAID-10", a.SaveLosesRolls),
    ("M78", "RNG", "FA-OURS-CHANCE", a.OwnDice), ("M81", "RNG", "FA-SETTLE-11", a.SecondDice),
)  # fmt: skip

CANARY = Fault("canary", "M01", "LEG-", "FA-TURN-04", "the last legal action is never offered", as_kind(v.Canary))
"""Takes part in every run and must be caught."""


def by_hand() -> tuple[Fault, ...]:
    """Return the variants made by hand, the canary first."""
    found = [CANARY, *kind_faults(_KINDS), *session_faults(_SESSIONS)]
    found += [Fault(name, code, kind, clause, said, build) for name, code, kind, clause, said, build in OTHERS]
    return tuple(found)


# -- domains ----------------------------------------------------------------------------------------

_BOOL, _CREW, _DAYS = (False, True), range(16), range(30)
_SEATS = tuple((seat, n) for n in (2, 3, 4, 5) for seat in range(n))
_FLOOR = ("none", "one")

DOMAINS: dict[str, Callable[[], Iterable[tuple[Any, ...]]]] = {
    **{
        name: lambda: [()]
        for name in (
            "crew_each", "first_place", "saga_spaces", "opening_runes", "days_of_turn", "days_to_load", "days_to_draw",
            "days_to_sail", "days_to_task", "days_to_leave", "hand_limit", "chart_returns", "may_break_off",
            "towns_kept", "dial_turns", "dial_turns_first", "may_end", "is_replaced",
        )
    },
    "starting_points": lambda: product((2, 3, 4, 5)), "first_seat": lambda: product((2, 3, 4, 5)),
    "next_seat": lambda: _SEATS, "on_other_turns": lambda: product(("own", "any")),
    "sagas_kept": lambda: product(range(61)), "may_act": lambda: product(_DAYS, range(7, 30)),
    "may_go_on": lambda: ((spent, days) for days in range(7, 30) for spent in range(days + 1)),
    "may_load": lambda: product(_BOOL), "in_stock": lambda: product(range(16)),
    "capacity": lambda: product((1, 2, 3), _BOOL, ("cumulative", "literal")),
    "may_draw": lambda: product(_BOOL), "hand_shown": lambda: product(_BOOL),
    "reaches": lambda: product(_BOOL, _BOOL, ("by_map", "via_water")),
    "may_enter": lambda: product(_BOOL, range(5)), "slider_after_turn": lambda: product(_DAYS),
    "covered_before": lambda: product(range(61)), "wrecked": lambda: product(_CREW, ("loss", "raid", "settle")),
    "may_do_tasks": lambda: product(_BOOL), "may_try": lambda: product(_BOOL, _BOOL),
    "raid_value": lambda: product(range(21), _BOOL, _FLOOR), "settle_value": lambda: product(range(21), _BOOL, _FLOOR),
    "demand_bonus": lambda: product(range(3), range(-1, 3)), "may_raid": lambda: product(_BOOL, _CREW),
    "raid_succeeds": lambda: product(range(1, 40), range(-1, 21)), "settlers_lost": lambda: product(range(8)),
    "die_settles": lambda: product(range(1, 40), range(-1, 21)), "settlement_made": lambda: product(range(8)),
    "crew_lost": lambda: product((1, 2, 3), ("every", "first_two")),
    "may_roll_again": lambda: product((1, 2, 3), _CREW), "treasure_paid": lambda: product(range(100), _BOOL),
    "settle_dice": lambda: product(range(1, 8)), "may_use_runes": lambda: product(_BOOL, _BOOL),
    "rune_takes_effect": lambda: product(_BOOL), "dial_after": lambda: product(range(4), (-1, 0, 1, 2, 3)),
    "winters_from": lambda: product(_BOOL, _BOOL), "crew_kept": lambda: product(range(1, 8)),
    "winters_after": lambda: ((spent, days) for days in range(7, 30) for spent in range(days + 1)),
    "saga_points": lambda: product(range(21)), "comes_into_play": lambda: product(_BOOL, _BOOL),
    "tokens_placed": lambda: product(range(4)), "clock_stops_at": lambda: product(range(4)),
    "scoring_value": lambda: product(range(21), range(-1, 21), ("printed", "reduced")),
}  # fmt: skip
"""Every input that a rule can have, where these are finitely many; proofs of equivalence enumerate them."""

REASONS: dict[str, str] = {}
"""Why a mutant cannot differ, by what is wrong with it; said beside what was counted."""
