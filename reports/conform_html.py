"""Conformance as one HTML page that needs nothing beside it, in the dress of the pages of `verify`."""

from __future__ import annotations

from typing import Any

import jinja2
from markupsafe import Markup

from .conform_runs import (
    Runs,
    Traces,
    blame_words,
    name_of,
    reading_words,
    run_lines,
    sides,
    standing,
    visible,
)
from .html import HERE, slug, tone
from .terminal import count_words


def conform_html(runs: Runs, traces: Traces | None = None, *, version: str = "") -> str:
    """Return the runs as a page; whatever a subject said stands in it as text."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
    )
    environment.filters.update(counts=count_words, slug=slug, tone=tone, standing=standing, named=name_of)
    environment.globals.update(
        sides=sides, reading=reading_words, blame=blame_words, lines=run_lines, trace_of=(traces or Traces()).of
    )
    page = environment.get_template("conform.html.j2").render(
        runs=runs.all(),
        version=version,
        css=Markup((HERE / "static" / "site.css").read_text(encoding="utf-8")),
        js=Markup((HERE / "static" / "site.js").read_text(encoding="utf-8")),
    )
    return page.rstrip() + "\n"


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
