"use strict";
// Steppers: the board is drawn once; each frame only names the pieces it shows and hides.
for (const box of document.querySelectorAll("[data-stepper]")) {
  const source = box.querySelector('script[type="application/json"]');
  if (!source) continue;
  const data = JSON.parse(source.textContent);
  const pieces = new Map();
  for (const piece of box.querySelectorAll("[data-p]")) pieces.set(Number(piece.dataset.p), piece);
  const slider = box.querySelector("input[type=range]");
  const output = box.querySelector("output");
  const said = box.querySelector(".act");
  const words = box.querySelector(".says ul");
  const last = data.steps.length - 1;
  let now = -1;
  const show = (numbers, shown) => {
    for (const n of numbers) pieces.get(n).style.display = shown ? "" : "none";
  };
  // Each round has its own layout, so that the board is as large as it can be.
  let laid = null;
  const lay = (view) => {
    if (!view || view === laid) return;
    laid = view;
    const svg = box.querySelector("svg");
    svg.setAttribute("viewBox", "0 0 " + view.width + " " + view.height);
    svg.setAttribute("width", view.width);
    svg.setAttribute("height", view.height);
    for (const [place, moved] of Object.entries(view.places))
      svg.querySelector('[data-place="' + place + '"]').setAttribute("transform", moved);
  };
  const go = (target) => {
    target = Math.max(0, Math.min(last, target));
    while (data.frames.length && now < target) {
      const [on, off] = data.frames[now + 1];
      show(off, false); show(on, true); now += 1;
    }
    while (data.frames.length && now > target) {
      const [on, off] = data.frames[now];
      show(on, false); show(off, true); now -= 1;
    }
    now = target;
    lay(data.views[data.view[now]]);
    const step = data.steps[now];
    slider.value = String(now);
    output.textContent = now + " / " + last;
    said.textContent = step.action ? (step.by ? step.by + ": " : "") + step.action : "The start";
    words.replaceChildren(...step.words.map((word) => {
      const item = document.createElement("li");
      item.textContent = word;
      return item;
    }));
  };
  const moves = { first: () => 0, back: () => now - 1, on: () => now + 1, last: () => last };
  for (const button of box.querySelectorAll("button[data-go]"))
    button.addEventListener("click", () => go(moves[button.dataset.go]()));
  slider.addEventListener("input", () => go(Number(slider.value)));
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  box.addEventListener("keydown", (event) => {
    const move = keys[event.key];
    if (!move || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(moves[move]());
  });
  go(0);
}
// Filters of tables.
for (const bar of document.querySelectorAll("[data-filter]")) {
  const table = document.getElementById(bar.dataset.filter);
  const search = bar.querySelector("input[type=search]");
  const flags = [...bar.querySelectorAll("[data-flag]")];
  const rows = [...table.querySelectorAll("[data-row]")];
  const apply = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = wanted.every((word) => text.includes(word))
        && flags.every((flag) => !flag.checked || row.classList.contains(flag.dataset.flag));
      row.hidden = !fits;
      if (fits) count += 1;
    }
    for (const body of table.tBodies) body.hidden = ![...body.querySelectorAll("[data-row]")].some((row) => !row.hidden);
    bar.querySelector("output").textContent = count + " of " + rows.length;
  };
  search.addEventListener("input", apply);
  for (const flag of flags) flag.addEventListener("change", apply);
  apply();
}
// A link to something inside a closed part opens it; printing opens everything.
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
};
addEventListener("hashchange", reveal);
reveal();
addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });
