"""The page's own script in a real browser; left out where there is no Chromium."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lawspeaker.reports.events import Collected
from lawspeaker.reports.html import GamePage, render_site

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

ACTS = """<script>
const log = [];
const box = document.querySelector("[data-stepper]");
const pieces = [...box.querySelectorAll("[data-p]")];
const shown = () => pieces.filter(p => p.style.display !== "none").map(p => p.dataset.p).join();
const press = (key) => { box.dispatchEvent(new KeyboardEvent("keydown", {key, cancelable: true})); log.push(shown()); };
log.push(shown());
for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"]) press(key);
const said = box.querySelector(".act").textContent;
const search = document.querySelector("[data-filter] input[type=search]");
search.value = "landmass"; search.dispatchEvent(new Event("input"));
const rows = [...document.querySelectorAll("[data-row]")].filter(r => !r.hidden).map(r => r.id).join();
document.body.replaceChildren(JSON.stringify({log, said, rows}));
</script></body>"""


def _run(page: Path, profile: Path) -> str:
    command = [str(CHROMIUM), *FLAGS, f"--user-data-dir={profile}", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


def test_keys_step_through_the_trace_and_the_filter_filters(
    tmp_path: Path, collected: Collected, page: GamePage
) -> None:
    text = render_site(collected, {"fjords": page})["fjords.html"]
    file = tmp_path / "page.html"
    file.write_text(text.replace("</body>", ACTS), encoding="utf-8")
    found = re.search(r"<body>(\{.*\})\s*</body>", _run(file, tmp_path / "profile"), re.DOTALL)
    assert found is not None
    log = re.findall(r'"([\d,]+)"', found[1].split('"said"')[0])
    start, one, two, still, back, home, end = log
    assert len({start, one, two}) == 3
    assert (still, back, home, end) == (two, one, start, two)
    assert '"said":"B: farm 0,1/0"' in found[1]
    assert '"rows":"c-FD-TILE-03"' in found[1]
