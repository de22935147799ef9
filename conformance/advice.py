"""What to do about each kind of failure, and whose fault it is, in plain words."""

from __future__ import annotations

ADVICE = {
    "timeout": "Flush standard output after every line. If it does flush, look for a loop, or for a read that waits "
    "for more than one line.",
    "late": "The engine is too slow here, or waits for something; look what this message starts. More time: --timeout, "
    "for the first answer --start-timeout.",
    "total": "All answers together took too long; look for what grows with every game. More time: --total.",
    "unflushed": "Flush standard output after every line, and read line by line: the answer came only when the input "
    "was closed. In Python print(..., flush=True) and sys.stdin.readline, in C fflush(stdout).",
    "no_line_end": "End every answer with a line feed: the answer was there, but not its end.",
    "crash": "Run the command by hand and type one line of PROTOCOL.md's hello into it; its error message shows there.",
    "half_line": "End every answer with a line end, and flush before the program ends.",
    "given_up": "It has failed too often to be started again; mend what was said first.",
    "changed": "Answer hello and options alike each time the program is started: nothing may depend on earlier runs.",
    "not_json": "Standard output is for answers only; print everything else to standard error.",
    "invalid_utf8": "Write UTF-8, whatever the machine's own encoding is.",
    "duplicate_key": "Build the answer as a map and let a JSON library write it.",
    "not_a_number": "NaN and Infinity are not JSON; leave the field out.",
    "not_whole": "All numbers are whole and fit into 64 bits: write 3, not 3.0.",
    "too_deep": "No record of a game nests that deeply; look for a structure that holds itself.",
    "line_too_long": "One answer is one line of at most 1 MiB.",
    "two_answers": "Answer each question exactly once.",
    "wrong_id": "Copy the question's id into the answer unchanged, as a number.",
    "not_jsonrpc": 'An answer is {"jsonrpc":"2.0","id":...} with either "result" or "error".',
    "bad_shape": "Compare the answer with the example of this message in PROTOCOL.md and with "
    "schemas/METHOD.answer.json; the path says where it differs ($ is the result).",
    "missing": "What hello declares must be in every answer for which it is in want; else declare less.",
    "step": "step is the number of steps taken so far: 0 after start, one more after each accepted step.",
    "hello": "hello must be answered with a result that names protocol 1 and the game.",
    "bye": "Answer bye with an empty result, then end.",
    "version": "Answer hello with a protocol version out of the list that was sent.",
    "game": "List the game's id in games.",
    "flood": "Write nothing but one line for each question.",
    "harness": "This is a mistake of the referee, not of your program: please report it.",
}
"""What to do about each kind of failure."""

FAULTS = {
    "adapter": "the adapter's fault: it talks, but not the protocol",
    "engine": "the engine's fault: the program died, hung, or plays otherwise",
    "harness": "the harness's fault",
}
"""Whose fault something is, by the word for it."""

BLAME = {"late": "engine", "unflushed": "adapter", "no_line_end": "adapter"}
"""Whose fault it is where looking closer says more than the failure did."""
