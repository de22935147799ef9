"""Subjects that misbehave, one way each: ``bad.py KIND [FILE]`` at each step, ``bad.py KIND@METHOD [FILE]`` there.

Elsewhere each plays the toy game rightly: at level 1, with ``@`` at level 2 with all there is.  It imports
nothing of the project, so that it starts fast and shows that nothing is needed.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from plain import CAPABILITIES, Plain

HELLOS = {
    "level_lies": {"level": 2},
    "lies": {"capabilities": {"legal": True, "result": True, "undo": True}},
    "unprintable": {"name": "bad\x1b[2J\x07", "version": "\u202e" + "9" * 10_000},
    "other_game": {"games": ["chess"]},
    "version_2": {"protocol": 2},
    "no_chance": {"capabilities": {"chance": []}},
    "hides": {"level": 0, "capabilities": {}},
}
"""What hello says in place of the usual."""
DENIED = {"lies": "undo", "lies_about_view": "view", "lies_about_save": "save", "lies_about_setup": "setup"}
"""What hello declares and a question then is answered with "unknown method"."""
RICH = {*DENIED, "changed", "another_reading"} - {"lies"}
"""Kinds without ``@`` that offer all there is."""
WORDS = sys.argv[1]
KIND, _, METHOD = WORDS.partition("@")
OUT = sys.stdout.buffer
LITTLE = {"legal": True, "result": True}
ALL = METHOD not in ("", "legal") or KIND in RICH
PLAIN = Plain("bad", WORDS, 2, CAPABILITIES) if ALL else Plain("bad", WORDS, 1, LITTLE)
if KIND in HELLOS:
    PLAIN.about |= HELLOS[KIND]


def honest(request: dict) -> bytes:
    return json.dumps(PLAIN.answer(request)).encode() + b"\n"


def say(data: bytes) -> None:
    OUT.write(data)
    OUT.flush()


FIXED = {
    "nan": b'{"jsonrpc":"2.0","id":%d,"result":{"step":NaN}}\n',
    "float": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1.0}}\n',
    "duplicate": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1,"step":2}}\n',
    "text_id": b'{"jsonrpc":"2.0","id":"%d","result":{"step":1}}\n',
    "no_jsonrpc": b'{"id":%d,"result":{"step":1}}\n',
    "both": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1},"error":{"code":1,"message":""}}\n',
    "unknown_field": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1,"legals":[]}}\n',
    "no_error_text": b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32603}}\n',
    "unknown_error": b'{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":"oops","data":{"code":"oops"}}}\n',
    "unknown_method": b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"?"}}\n',
    "long_number": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1' + b"0" * 40 + b"}}\n",
    "long_field": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1,"' + b"x" * 1_000_000 + b'":0}}\n',
    "bad_json": b'{"jsonrpc":"2.0","id":%d,"result":{"step":1,}}\n',
    "empty_answer": b"{}\n",
    "array": b"[%d]\n",
    "internal_error": b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"oops"}}\n',
}
"""Answers that are the same whatever is asked, but for the number."""


HEAVY = ("flood_stderr", "unasked", "child", "child_in_own_session", "child_of_a_child", "child_without_mark",
         "orphan")  # fmt: skip
FAILED: list[bytes] = []


def fail(line: bytes, answer: bytes) -> None:
    """Answer a step in the bad way; what takes long only a few times."""
    FAILED.append(line[:0])
    if KIND in HEAVY and len(FAILED) > 3:
        say(answer)
        return
    number = json.loads(line)["id"]
    if KIND in FIXED:
        say(FIXED[KIND].replace(b"%d", b"%d" % number))
    elif KIND == "hangs":
        time.sleep(60)
    elif KIND == "ignores_sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)
    elif KIND == "exits":
        os.write(2, b"engine: out of pebbles\n")
        os._exit(3)
    elif KIND == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif KIND == "closes_output":
        os.close(1)
        time.sleep(60)
    elif KIND == "garbage":
        say(b"Segmentation fault (core dumped)\n")
    elif KIND == "not_utf8":
        say(answer.replace(b'"2.0"', b'"\xff\xfe"'))
    elif KIND == "nested":
        say(b'{"jsonrpc":"2.0","id":%d,"result":' % number + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
    elif KIND == "half_line_then_hang":
        say(answer[: len(answer) // 2])
        time.sleep(60)
    elif KIND == "half_line_then_exit":
        say(answer[: len(answer) // 2])
        os._exit(0)
    elif KIND == "twice":
        say(answer + answer)
    elif KIND == "wrong_id":
        say(b'{"jsonrpc":"2.0","id":%d,"result":{"step":1}}\n' % (number + 7))
    elif KIND == "gigabyte_line":
        for _ in range(1 << 14):
            say(b"x" * (1 << 16))
    elif KIND == "flood":
        while True:
            say(b"\n" * 4096)
    elif KIND == "flood_stderr":
        for _ in range(20):
            os.write(2, b"noise " * 10_000)
        say(answer)
    elif KIND == "grandchild":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path(sys.argv[2]).write_text(str(child.pid))
        time.sleep(60)
    elif KIND in SPOILED:
        value = json.loads(answer)
        SPOILED[KIND](value.get("result", {}))
        say(json.dumps(value).encode() + b"\n")
    elif KIND in LATER:
        LATER[KIND](answer)
    else:
        say(answer)


def spoil_legal(result: dict) -> None:
    if "legal" in result:
        result["legal"] = [1]


def emptied(answer: bytes) -> bytes:
    """Return the answer with no legal action."""
    value = json.loads(answer)
    value["result"]["legal"] = []
    return json.dumps(value).encode() + b"\n"


def spoil_code(result: dict) -> None:
    if result.get("accepted") is False:
        result["code"] = "nope"


SPOILED = {
    "schema_path": spoil_legal,
    "unknown_refusal": spoil_code,
    "many_legal": lambda result: result.update(legal=[f"{n:x}" for n in range(30_000)]),
    "long_message": lambda result: result.update(accepted=True, message="m" * 300_000),
    "unasked": lambda result: result.update(state={"x": "s" * 900_000}),
    "lacks_legal": lambda result: result.pop("legal"),
    "wrong_step": lambda result: result.update(step=result["step"] + 1),
    "not_listed": lambda result: result.update(legal=[*result["legal"], "fly"]) if "legal" in result else None,
    "moody": lambda result: result.update(legal=[]) if "legal" in result and once(sys.argv[2]) else None,
    "deep_state": lambda result: result.update(state=json.loads("[" * 40 + "]" * 40)),
    "refuses_legal": lambda result: result.update(step=0, accepted=False, code="illegal", actor="chance"),
}
"""What is done to a right answer."""


def outlive(session: bool, twice: bool = False, scrub: bool = False) -> None:
    """Leave a process behind that ignores every polite signal."""
    code = "import signal,time; signal.signal(15, 1); signal.signal(1, 1); time.sleep(60)"
    if twice:
        code = f"import subprocess,sys; subprocess.Popen([sys.executable, '-c', {code!r}], start_new_session=True)"
    child = subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=session, stdout=subprocess.DEVNULL,
                             env={} if scrub else None)  # fmt: skip
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(str(child.pid))
    if twice:
        child.wait()


def drip(answer: bytes) -> None:
    for byte in answer * 1000:
        say(bytes([byte]).replace(b"\n", b" "))
        time.sleep(0.02)


def once(path: str) -> bool:
    """Whether this is the first time that this is asked, over all starts of the program."""
    first = not Path(path).exists()
    Path(path).touch()
    return first


HELD: list[bytes] = []


def torrent(answer: bytes) -> None:
    say(answer)
    while True:
        say(answer * 100)


def swap(answer: bytes) -> None:
    HELD.append(answer)
    if len(HELD) == 2:
        say(HELD.pop() + HELD.pop())


LATER = {
    "crlf": lambda answer: say(answer.strip() + b"  \r\n\n"),
    "no_newline": lambda answer: (say(answer.strip()), time.sleep(60)),
    "whole_then_exit": lambda answer: (say(answer.strip()), os._exit(0)),
    "unflushed": lambda answer: OUT.write(answer),
    "banner": lambda answer: say(b"Welcome to Pebbles 2.4!\n" + answer),
    "out_of_order": swap,
    "drip": drip,
    "stops_itself": lambda answer: os.kill(os.getpid(), signal.SIGSTOP),
    "deaf": lambda answer: (os.close(0), time.sleep(60)),
    "random_bytes": lambda answer: say(bytes(range(256)).replace(b"\n", b"") * 40 + b"\n"),
    "late": lambda answer: (time.sleep(0.6), say(answer)),
    "child": lambda answer: (outlive(False), say(answer)),
    "child_in_own_session": lambda answer: (outlive(True), say(answer)),
    "child_of_a_child": lambda answer: (outlive(True, twice=True), say(answer)),
    "child_without_mark": lambda answer: (outlive(True, scrub=True), say(answer)),
    "orphan": lambda answer: (outlive(True, scrub=True), say(answer)),
    "exits_after": lambda answer: (say(answer), os._exit(4)),
    "exits_3": lambda answer: (say(answer), os.write(2, b"engine: cannot save\n"), os._exit(3)),
    "stays": lambda answer: (say(answer), time.sleep(60)),
    "flaky": lambda answer: os._exit(5) if once(sys.argv[2]) else say(answer),
    "flips_after_crash": lambda answer: os._exit(5) if once(sys.argv[2]) else say(emptied(answer)),
    "torrent": torrent,
    "hangs_up": lambda answer: (os.close(0), os.close(1), os.close(2), time.sleep(60)),
    "saves_too_much": lambda answer: say(answer.replace(b'"saved": "', b'"saved": "' + b"s" * 1_048_380)),
}
"""What is done with a right answer."""


for line in sys.stdin.buffer:
    if not line.strip():
        continue
    request = json.loads(line)
    answer, method = honest(request), request["method"]
    if KIND == "no_flush" or (KIND == "silent_hello" and method == "hello"):
        time.sleep(60)
    elif KIND == "slow":
        time.sleep(0.2)
        say(answer)
    elif KIND == "chatty_bye" and method == "bye":
        say(answer + b"goodbye\n")
    elif KIND == "changed" and method == "hello" and not once(sys.argv[2]):
        say(answer.replace(b'"undo": true', b'"undo": false'))
    elif KIND == "changed" and method == "step":
        os._exit(6)
    elif KIND == "orphan" and method == "bye":
        say(answer)
        break
    elif KIND == "another_reading" and method == "options":
        say(answer)
        PLAIN.rulings["R_REST"] = "forced"
    elif method == DENIED.get(KIND):
        say(FIXED["unknown_method"].replace(b"%d", b"%d" % request["id"]))
    elif method == (METHOD or "step") and KIND not in HELLOS.keys() | RICH:
        fail(line, answer)
    else:
        say(answer)
