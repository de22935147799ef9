'use strict';
/* Fjords for two in plain JavaScript: what stands here in place of your engine. It knows no protocol. */

const STEPS = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];
const SIDES = [0, 1, 2, 3, 4, 5];
const ROUNDS = 3;
const FARMS = 4;
const FIELDS = 20;
const other = (seat) => (seat === 'A' ? 'B' : 'A');
const mod6 = (n) => ((n % 6) + 6) % 6;

/** Each run of such sides round the border. */
function runs(sides, letters) {
  const inside = SIDES.map((side) => letters.includes(sides[side]));
  if (inside.every(Boolean)) return [SIDES];
  return SIDES.filter((side) => inside[side] && !inside[mod6(side - 1)]).map((first) => {
    const run = [];
    for (let at = first; inside[at % 6]; at++) run.push(at % 6);
    return run.sort();
  });
}

const joined = (sides, letters) => [SIDES.filter((side) => letters.includes(sides[side]))];

function readTile({ sides, centre, segments, land }) {
  const parts = (segments || (centre === 'F' ? joined : runs)(sides, 'F')).map((part) => [...part].sort());
  parts.sort((a, b) => !a.length - !b.length || (a.join() < b.join() ? -1 : 1));
  return { sides, segments: parts, land: land || (centre === 'S' ? runs : joined)(sides, 'FM') };
}

class Game {
  constructor(pack) {
    this.tiles = Object.fromEntries(pack.tiles.map((tile) => [tile.id, readTile(tile)]));
    this.all = pack.tiles.filter(({ start }) => !start).map(({ id }) => id);
    const laid = pack.arrangements.find(({ name }) => name === 'triangle').tiles;
    this.begin = laid.map(({ tile, q, r, turn }) => [`${q},${r}`, { tile, turn }]);
    this.points = [];
    this.newRound(null);
  }

  newRound(starter) {
    this.seat = starter;
    this.phase = starter ? 'choose' : 'start';
    this.board = new Map(this.begin);
    [this.pile, this.open] = [[...this.all], []];
    this.drawn = this.last = null;
    this.fromPile = false;
    this.farms = { A: [], B: [] };
    this.fields = { A: [], B: [] };
  }

  /** A seat, 'chance' or 'over'. */
  actor() {
    return { over: 'over', start: 'chance', deal: 'chance' }[this.phase] || this.seat;
  }

  /** The texts of what may be done next. */
  legal() {
    switch (this.phase) {
      case 'start': return ['start A', 'start B'];
      case 'choose': return [...(this.pile.length ? ['draw'] : []), ...this.open.flatMap((id) => this.places('open', id))];
      case 'deal': return this.pile.map((id) => `deal ${id}`);
      case 'drawn': { const found = this.places('place', this.drawn); return found.length ? found : ['aside']; }
      case 'farm': return [...this.farmsHere().map((segment) => `farm ${segment}`), 'nofarm'];
      case 'land': return this.fieldsOf(this.seat).map((segment) => `field ${segment}`);
      default: return [];
    }
  }

  /** Do one of the legal actions. */
  apply(text) {
    const [word, what, cell, turn] = text.split(' ');
    switch (word) {
      case 'start': [this.seat, this.phase] = [what, 'choose']; break;
      case 'draw': this.phase = 'deal'; break;
      case 'deal': [this.drawn, this.phase] = [what, 'drawn']; this.pile = this.pile.filter((id) => id !== what); break;
      case 'place': this.lay(what, cell, turn, true); break;
      case 'open': this.open = this.open.filter((id) => id !== what); this.lay(what, cell, turn, false); break;
      case 'aside': this.setAside(); break;
      case 'farm': this.farms[this.seat].push(what); this.endTurn(); break;
      case 'nofarm': this.endTurn(); break;
      case 'field': this.fields[this.seat].push(what); this.nextField(other(this.seat)); break;
    }
  }

  /** Points by seat, and the winners. */
  scores() {
    const total = (seat) => this.points.reduce((sum, round) => sum + round[seat], 0);
    const won = (seat) => this.points.filter((round) => round[seat] > round[other(seat)]).length;
    let winners = ['A', 'B'].filter((seat) => total(seat) > total(other(seat)));
    if (!winners.length) winners = ['A', 'B'].filter((seat) => won(seat) >= 2);
    return { scores: { A: total('A'), B: total('B') }, winners: winners.length ? winners : ['A', 'B'] };
  }

  // -- discovery: tiles and farms

  beside(cell) {
    const [q, r] = cell.split(',').map(Number);
    return STEPS.map(([dq, dr]) => `${q + dq},${r + dr}`);
  }

  fits({ sides, land }, turn, cell) {
    const laid = this.beside(cell).map((next) => this.board.get(next));
    if (this.board.has(cell) || laid.filter(Boolean).length < 2) return false;
    const agrees = (there, side) =>
      !there || this.tiles[there.tile].sides[mod6(side + 3 - there.turn)] === sides[mod6(side - turn)];
    return laid.every(agrees) && land.every((part) => part.some((side) => laid[mod6(side + turn)]));
  }

  places(word, id) {
    const cells = new Set([...this.board.keys()].flatMap((cell) => this.beside(cell)));
    return [...cells].flatMap((cell) =>
      SIDES.filter((turn) => this.fits(this.tiles[id], turn, cell)).map((turn) => `${word} ${id} ${cell} r${turn}`));
  }

  lay(tile, cell, turn, fromPile) {
    this.board.set(cell, { tile, turn: Number(turn[1]) });
    [this.last, this.fromPile, this.phase] = [cell, fromPile, 'farm'];
    if (!this.farmsHere().length) this.endTurn(); // asked only where a farm is possible
  }

  setAside() {
    this.open.push(this.drawn);
    this.phase = 'choose';
    if (!this.pile.length) this.nextField(this.seat);
  }

  farmsHere() {
    const { segments } = this.tiles[this.board.get(this.last).tile];
    return this.farms[this.seat].length < FARMS ? segments.map((_, n) => `${this.last}/${n}`) : [];
  }

  endTurn() {
    [this.phase, this.seat] = ['choose', other(this.seat)];
    if (this.fromPile && !this.pile.length) this.nextField(this.seat);
  }

  // -- land: fields

  neighbours(segment) {
    const [cell, number] = segment.split('/');
    const { tile, turn } = this.board.get(cell);
    return this.tiles[tile].segments[number].flatMap((side) => {
      const next = this.beside(cell)[mod6(side + turn)];
      const laid = this.board.get(next);
      if (!laid) return [];
      const facing = mod6(side + turn + 3 - laid.turn);
      return this.tiles[laid.tile].segments.flatMap((part, n) => (part.includes(facing) ? [`${next}/${n}`] : []));
    });
  }

  fieldsOf(seat) {
    if (this.fields[seat].length >= FIELDS) return [];
    const taken = new Set(['A', 'B'].flatMap((who) => [...this.farms[who], ...this.fields[who]]));
    const found = [...this.farms[seat], ...this.fields[seat]].flatMap((piece) => this.neighbours(piece));
    return [...new Set(found)].filter((segment) => !taken.has(segment));
  }

  nextField(seat) {
    const able = [seat, other(seat)].filter((who) => this.fieldsOf(who).length);
    if (able.length) {
      [this.seat, this.phase] = [able[0], 'land'];
      return;
    }
    const [A, B] = [this.fields.A.length, this.fields.B.length];
    this.points.push({ A, B });
    if (this.points.length === ROUNDS) this.phase = 'over';
    else this.newRound(A === B ? null : A < B ? 'A' : 'B');
  }
}

module.exports = { Game };
