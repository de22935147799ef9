'use strict';
/* The record of a position in the protocol, out of boardgame.io's G and ctx and back. */

const { BOX, FARMS, FIELDS, ROUNDS, fits, isSegment, coordinates } = require('./game');

const SEATS = ['A', 'B'];
const seatOf = (player) => (player === null ? null : SEATS[Number(player)]);
const playerOf = (seat) => (seat === null ? null : String(SEATS.indexOf(seat)));

const numbersOf = (text) => text.split(/[,/]/).map(Number);
function byNumbers(a, b) {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at < 0 ? 0 : left[at] - right[at];
}

/** Who makes the next move: a player, the box, or nobody (null). */
function mover(ctx) {
  if (ctx.gameover) return null;
  return ctx.activePlayers ? Object.keys(ctx.activePlayers)[0] : ctx.currentPlayer;
}

function phaseOf(ctx) {
  if (ctx.gameover) return 'over';
  if (ctx.phase === 'lot') return 'start';
  if (ctx.phase === 'land') return 'land';
  return ctx.activePlayers[mover(ctx)];
}

function toRecord(box, G, ctx) {
  const inOrder = (ids) => box.order.filter((id) => ids.includes(id));
  const pieces = (of) => ({ A: [...of[0]].sort(byNumbers), B: [...of[1]].sort(byNumbers) });
  const player = ctx.gameover || ctx.currentPlayer === BOX ? null : ctx.currentPlayer;
  return {
    round: G.round,
    phase: phaseOf(ctx),
    starter: seatOf(G.starter),
    seat: seatOf(player),
    pile: inOrder(G.pile),
    open: inOrder(G.open),
    drawn: G.drawn,
    set_aside: G.setAside,
    told: false,
    board: Object.keys(G.board).sort(byNumbers).map((cell) => [
      ...coordinates(cell), G.board[cell].tile, G.board[cell].turn,
    ]),
    last: G.last && coordinates(G.last),
    from_pile: G.fromPile,
    farms: pieces(G.farms),
    fields: pieces(G.fields),
    placer: seatOf(G.placer),
    first: seatOf(G.first),
    points: G.points,
  };
}

/** The opening that `makeGame` takes. */
function toOpening(record) {
  const board = {};
  for (const [q, r, tile, turn] of record.board) board[`${q},${r}`] = { tile, turn };
  const pieces = (of) => ({ 0: [...of.A], 1: [...of.B] });
  const G = {
    round: record.round,
    starter: playerOf(record.starter),
    pile: [...record.pile],
    open: [...record.open],
    drawn: record.drawn,
    setAside: record.set_aside,
    board,
    last: record.last && record.last.join(),
    fromPile: record.from_pile,
    farms: pieces(record.farms),
    fields: pieces(record.fields),
    placer: playerOf(record.placer),
    first: playerOf(record.first),
    points: record.points.map((round) => [...round]),
  };
  const phases = { start: 'lot', land: 'land', over: null };
  const phase = record.phase in phases ? phases[record.phase] : 'discovery';
  return { G, phase, stage: record.phase, player: playerOf(record.seat) };
}

const twice = (list) => list.filter((item, index) => list.indexOf(item) !== index);

/** What is wrong with a record of the right shape: a list of sentences, empty if nothing is. */
function audit(box, record) {
  const said = [];
  const expect = (right, sentence) => right || said.push(sentence);
  const tiles = [...record.pile, ...record.open, ...record.board.map(([, , tile]) => tile)];
  if (record.drawn !== null) tiles.push(record.drawn);
  const strange = tiles.filter((tile) => !(tile in box.tiles));
  if (strange.length) return [`unknown tiles: ${strange}`];
  for (const tile of twice(tiles)) said.push(`tile ${tile} lies twice`);
  for (const tile of box.order) expect(tiles.includes(tile), `tile ${tile} is missing`);
  const cells = record.board.map(([q, r]) => `${q},${r}`);
  for (const cell of twice(cells)) said.push(`two tiles lie on ${cell}`);
  if (said.length) return said;

  const { G } = toOpening(record);
  for (const cell of cells) {
    const [q, r] = coordinates(cell);
    const laid = G.board[cell];
    const rest = { ...G.board };
    delete rest[cell];
    const begins = box.board[cell];
    if (begins && begins.tile === laid.tile && begins.turn === laid.turn) continue;
    expect(!box.tiles[laid.tile].start, `start tile ${laid.tile} lies elsewhere`);
    expect(fits(box, rest, laid, q, r), `tile ${laid.tile} does not fit on ${cell}`);
  }
  const farms = [...G.farms[0], ...G.farms[1]];
  const pieces = [...farms, ...G.fields[0], ...G.fields[1]];
  for (const segment of pieces) expect(isSegment(box, G.board, segment), `${segment} is no segment`);
  for (const segment of twice(pieces)) said.push(`${segment} holds two pieces`);
  for (const segment of farms) {
    const laid = G.board[segment.split('/')[0]];
    expect(!laid || !box.tiles[laid.tile].start, `a farm stands on start tile ${laid && laid.tile}`);
  }
  for (const player of [0, 1]) {
    expect(G.farms[player].length <= FARMS, `${SEATS[player]} has too many farms`);
    expect(G.fields[player].length <= FIELDS, `${SEATS[player]} has too many fields`);
  }
  const finished = record.phase === 'over' ? ROUNDS : record.round - 1;
  expect(record.round >= 1 && record.round <= ROUNDS, 'there are three rounds');
  expect(record.points.length === finished, 'points do not go with the round');
  expect((record.phase === 'drawn') === (record.drawn !== null), 'a drawn tile goes with phase drawn');
  expect((record.phase === 'farm') === (record.last !== null), 'a last tile goes with phase farm');
  expect(!record.last || cells.includes(record.last.join()), 'the last tile lies nowhere');
  expect(record.phase !== 'window' && !record.told, 'a tile is unplayable when it has no place');
  return said;
}

module.exports = { SEATS, seatOf, playerOf, mover, toRecord, toOpening, audit };
