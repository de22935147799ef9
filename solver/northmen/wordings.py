"""Proposed wordings for Northmen: they are put in the place of clauses, and the analysis is done again."""

from __future__ import annotations

from lawspeaker.solver.wordings import Wording, claims_of

from .topics import examples, topics

WORDINGS = (
    Wording(
        "token", ("SN-RALLY-11", "SN-CARD-06", "SN-PLUNDER-01"),
        "If the card names one of the nine Neutral Regions, of which Bulgaria is one, a token has to go there.",
        ("named != nothing",), ruling="R_BULGARIA",
    ),
    Wording(
        "control_later", ("SN-CTRL-09",),
        "Ties for control are broken in this step only; who controls a Kingdom now does so until the phase ends.",
        ("False",), ruling="R_CONTROL_SPAN",
    ),
    Wording(
        "move", ("SN-MOVE-09", "SN-MOVE-11"),
        "Each soldier sends a cube to a Neutral Region beside the Kingdom, each ship one to a region on the sea.",
        ("piece == army and open_ground and adjacent", "piece == fleet and open_ground and on_sea"),
        ruling="R_MUST_MOVE",
    ),
    Wording(
        "kept_card", ("SN-PLAN-07",), "When his turn ends a player discards every card that he has not paid for.",
        ("not paid_for",), ruling="R_DISCARD",
    ),
    Wording(
        "cubes", ("SN-RALLY-06", "SN-CARD-03"), "He places a cube for each symbol as long as his reserve has one.",
        demand="answer == min(value, reserve)", ruling="R_PARTIAL",
    ),
    Wording(
        "draw_or_end", ("SN-RALLY-16", "SN-RALLY-02", "SN-MARCH-02"),
        "If the Rally Phase goes on, he draws a card.", ("not fifteen_placed",), ruling="R_RALLY_END",
    ),
    Wording(
        "third_round", ("SN-RESET-05", "SN-RESET-07"), "In rounds 1 and 2 the next group of tokens comes into use.",
        ("round < 3",), ruling="R_R3_PLAN",
    ),
    Wording(
        "winner", ("SN-SCORE-03",), "Among equal scores most unspent Infamy wins; who is tied then shares the victory.",
        ("score == best_with_others",), demand="allowed == (infamy_of_the_tied != less_infamy)", ruling="R_FINAL_TIE",
    ),
)  # fmt: skip
CLAIMS = claims_of(WORDINGS, topics, examples(), deep=True)
