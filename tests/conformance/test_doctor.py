"""The doctor names each symptom, what to do about it and whose fault it is, and finds healthy programs well."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from toy import ROOM, Pebbles

from lawspeaker.commands.doctor import command
from lawspeaker.conformance import messages as m
from lawspeaker.conformance.advice import ADVICE, BLAME, FAULTS
from lawspeaker.conformance.checkup import examine
from lawspeaker.conformance.process import Limits, ProcessSubject
from lawspeaker.conformance.session import FULL, Session
from lawspeaker.conformance.subjects import InProcessSubject

BAD = Path(__file__).parent / "subjects" / "bad.py"
LIMITS = Limits(start=20.0, handshake=1.0, work=0.5, close=0.2)

SYMPTOMS = {
    # kind: (the sign, words of what was seen, words of the hint, whose fault)
    "unflushed@start": ("starts a game", "as soon as its input was closed", "Flush standard output", "adapter"),
    "unflushed": ("takes legal actions", "as soon as its input was closed", "Flush standard output", "adapter"),
    "banner@hello": ("answers hello", "Welcome to Pebbles 2.4!", "standard error", "adapter"),
    "banner": ("takes legal actions", "Welcome to Pebbles 2.4!", "standard error", "adapter"),
    "wrong_step": ("takes legal actions", "step 2 in place of 1", "steps taken so far", "adapter"),
    "wrong_step@undo": ("takes back a step", "step 1 in place of 0", "steps that are left", "adapter"),
    "unknown_refusal": ("says why with a known code", "code nope", "not_your_turn", "adapter"),
    "unknown_error@save": ("names errors by known codes", "internal: oops", "table of error codes", "adapter"),
    "no_newline": ("takes legal actions", "a whole answer came, but no line end", "line feed", "adapter"),
    "whole_then_exit": ("takes legal actions", "a whole answer came, but no line end", "line feed", "adapter"),
    "half_line_then_hang": ("takes legal actions", "bytes but no line end", "Flush", "engine"),
    "half_line_then_exit": ("takes legal actions", "in the middle of an answer", "End every answer", "engine"),
    "bad_json": ("takes legal actions", "column", "JSON library|standard error", "adapter"),
    "schema_path@legal": ("answers legal", "$.legal[0]", "schemas/METHOD.answer.json", "adapter"),
    "twice": ("refuses what is no action", "second or late answer to question 3", "exactly once", "adapter"),
    "late": ("takes legal actions", "came only after the limit of 0.5 s", "--timeout", "engine"),
    "hangs@view": ("answers view", "no answer within 0.5 s", "loop", "engine"),
    "hangs@bye": ("says goodbye", "no answer within 1 s", "loop", "engine"),
    "level_lies": ("offers what level 2 has", "lacks state, view, setup, undo", "lower level", "adapter"),
    "lies": ("takes back a step", "unknown_method", "declare less", "adapter"),
    "unknown_method@save": ("saves and loads", "unknown_method", "do not declare", "adapter"),
    "unknown_method@setup": ("sets up the position that it reports", "unknown_method", "declare less", "adapter"),
    "internal_error@undo": ("takes back a step", "internal: oops", "standard error", "engine"),
    "lacks_legal": ("reports legal, which it declared", "legal is missing after step 1", "declare less", "adapter"),
    "refuses_legal": ("takes legal actions", "refused (illegal), though it stands in its own list", "same", "engine"),
    "exits": ("takes legal actions", "exit code 3; its standard error ends: engine: out of", "by hand", "engine"),
    "exits_3@bye": ("ends after goodbye", "ended with exit code 3", "Exit code 0", "engine"),
    "killed": ("takes legal actions", "SIGKILL", "by hand", "engine"),
    "stays@bye": ("ends after goodbye", "still runs", "End after bye", "engine"),
    "chatty_bye": ("writes nothing after goodbye", "goodbye", "exactly once", "adapter"),
    "child_in_own_session@bye": ("leaves no process behind", "1 of its processes", "has started", "engine"),
    "other_game": ("answers hello", "does not play pebbles", "List the game's id", "adapter"),
    "version_2": ("answers hello", "protocol 2, not 1", "protocol version", "adapter"),
    "no_chance": ("offers a way of making chance", "chance is empty", "dictated", "adapter"),
    "not_utf8": ("takes legal actions", "not UTF-8", "UTF-8", "adapter"),
    "float": ("takes legal actions", "1.0 is not whole", "3.0", "adapter"),
    "text_id": ("takes legal actions", "the answer's id is '5'|the answer's id is '3'", "as a number", "adapter"),
}


def subject(kind: str, limits: Limits = LIMITS) -> ProcessSubject:
    return ProcessSubject([sys.executable, "-S", "-E", str(BAD), kind], limits)


@pytest.mark.parametrize("kind", sorted(SYMPTOMS))
def test_each_symptom_is_named_with_a_hint_and_whose_fault_it_is(kind):
    what, said, hint, fault = SYMPTOMS[kind]
    signs = {sign.what: sign for sign in examine(Pebbles(), lambda: subject(kind))}
    assert what in signs, signs
    sign = signs[what]
    assert not sign.well
    assert any(words in sign.said for words in said.split("|")), sign
    assert any(words in sign.advice for words in hint.split("|")), sign
    assert sign.fault == fault
    assert all(sign.advice and sign.fault in FAULTS for sign in signs.values() if not sign.well)
    assert all("\n" not in sign.said for sign in signs.values())


@pytest.mark.parametrize("kind", ["honest", "honest@none", "crlf", "unprintable"])
def test_a_healthy_program_is_well_in_everything(kind):
    signs = examine(Pebbles(), lambda: subject(kind))
    assert [sign for sign in signs if not sign.well] == []
    assert {"takes legal actions", "ends after goodbye"} <= {sign.what for sign in signs}
    assert all(sign.said.isprintable() for sign in signs)


@pytest.mark.parametrize("mode", ["dictated", "scripted", "reported"])
def test_the_reference_is_well_whoever_makes_chance(mode):
    import msgspec

    offered = msgspec.structs.replace(FULL, chance=(mode,))
    asked = []

    class Counted(InProcessSubject):
        def ask(self, message, meanwhile=None):
            asked.append(message)
            return super().ask(message, meanwhile)

    signs = examine(Pebbles(), lambda: Counted(Session(Pebbles(), ROOM, offered=offered)))
    assert [sign for sign in signs if not sign.well] == []
    kinds = {type(message) for message in asked}
    assert kinds >= {m.Hello, m.Options, m.Start, m.Step, m.Legal, m.State, m.View, m.Save, m.Load, m.Setup, m.Bye}
    assert m.Undo in kinds


@pytest.mark.parametrize("refuses", [False, True])
def test_setup_is_tried_although_no_state_is_reported(refuses):
    import msgspec

    class Choosy(Session):
        def _setup(self, message):
            return m.Report(self.step, False, "invalid_position", "no") if refuses else super()._setup(message)

    offered = msgspec.structs.replace(FULL, state=False)
    signs = {s.what: s for s in examine(Pebbles(), lambda: InProcessSubject(Choosy(Pebbles(), ROOM, offered=offered)))}
    assert signs["sets up a position"].well is not refuses


def test_a_digest_that_is_not_of_the_state_beside_it_is_noticed():
    class Wrong(InProcessSubject):
        def ask(self, message, meanwhile=None):
            reply = super().ask(message, meanwhile)
            import msgspec

            bad = isinstance(reply, m.Report) and reply.digest
            return msgspec.structs.replace(reply, digest="sha256:abc") if bad else reply

    signs = {s.what: s for s in examine(Pebbles(), lambda: Wrong(Session(Pebbles(), ROOM)))}
    assert not signs["reports the digest of its state"].well


def test_an_undo_that_changes_the_game_is_the_engines_fault():
    class Forgetful(Session):
        def _undo(self, message):
            found = super()._undo(message)
            self.history[-1] = self.game.start()
            return found

    signs = {s.what: s for s in examine(Pebbles(), lambda: InProcessSubject(Forgetful(Pebbles(), ROOM)))}
    sign = signs["takes back a step"]
    assert (sign.well, sign.fault) == (False, "engine")
    assert "undo and the step again changes" in sign.said


def test_standard_error_is_shown_where_something_is_wrong():
    program = "import sys; sys.stderr.write('first\\n\\x1b[31msecond\\n'); sys.exit(1)"
    signs = examine(Pebbles(), lambda: ProcessSubject([sys.executable, "-c", program], LIMITS))
    shown = next(sign for sign in signs if "standard error" in sign.what)
    assert shown.said == r"first | \x1b[31msecond"


def test_every_fault_that_is_made_more_exact_has_advice():
    assert BLAME.keys() <= ADVICE.keys()
    assert set(BLAME.values()) <= FAULTS.keys()


def test_the_command_says_whose_fault_and_what_to_do(tmp_path):
    script = tmp_path / "engine.py"
    script.write_text("print('hello there', flush=True)\n")
    done = CliRunner().invoke(command, ["--game", "fjords", "--", sys.executable, str(script)], standalone_mode=False)
    assert done.return_value == 1
    wrong = [line for line in done.output.splitlines() if line.startswith("WRONG")]
    assert len(wrong) == 1
    assert "'hello there'" in wrong[0]
    assert "the adapter's fault" in done.output
    assert "1 wrong" in done.output
