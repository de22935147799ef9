"""Subjects that misbehave, one way each: ``bad.py KIND [PIDFILE]``.

Up to the point where it goes wrong each answers rightly for the first steps of the toy game.  It imports
nothing of the project, so that it starts fast and shows that nothing is needed.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

KIND = sys.argv[1]
OUT = sys.stdout.buffer
HELLO = {
    "protocol": 1, "name": "bad", "version": KIND, "games": ["pebbles"], "level": 1,
    "capabilities": {"legal": True, "result": True},
}  # fmt: skip


def honest(request: dict) -> bytes:
    method, params = request["method"], request["params"]
    if method == "hello":
        result = HELLO
    elif method == "start":
        result = {"step": 0, "actor": "chance", "legal": []}
    elif method == "step" and params.get("action", "").startswith("roll "):
        result = {"step": 1, "actor": "A", "legal": [params["action"].replace("roll", "walk"), "rest"]}
    elif method == "step":
        result = {"step": 1, "accepted": False, "code": "malformed", "actor": "A", "legal": []}
    else:
        result = {}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode() + b"\n"


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
    "internal_error": b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"oops"}}\n',
}
"""Answers that are the same whatever is asked, but for the number."""


def fail(line: bytes, answer: bytes) -> None:
    """Answer a step in the bad way."""
    number = json.loads(line)["id"]
    if KIND in FIXED:
        say(FIXED[KIND] % number)
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
    elif KIND == "lacks_legal":
        value = json.loads(answer)
        del value["result"]["legal"]
        say(json.dumps(value).encode() + b"\n")
    elif KIND == "wrong_step":
        value = json.loads(answer)
        value["result"]["step"] += 1
        say(json.dumps(value).encode() + b"\n")
    elif KIND == "gigabyte_line":
        for _ in range(1 << 14):
            say(b"x" * (1 << 16))
    elif KIND == "flood":
        while True:
            say(b"\n" * 4096)
    elif KIND == "flood_stderr":
        for _ in range(200):
            os.write(2, b"noise " * 10_000)
        say(answer)
    elif KIND == "grandchild":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        Path(sys.argv[2]).write_text(str(child.pid))
        time.sleep(60)
    elif KIND == "crlf":
        say(answer.strip() + b"  \r\n\n")
    else:
        say(answer)


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
    elif KIND == "late" and method == "step":
        time.sleep(0.6)
        say(answer)
    elif KIND == "chatty_bye" and method == "bye":
        say(answer + b"goodbye\n")
    elif method == "step":
        fail(line, answer)
    else:
        say(answer)
