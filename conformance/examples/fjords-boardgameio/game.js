'use strict';
/* Fjords for two players as a boardgame.io game.
 *
 * Players '0' and '1' play; player '2' is the box: it makes the moves that chance makes at a table (who
 * begins, which tile is drawn). A cell is a text "q,r" in axial coordinates, a segment "q,r/n".
 *
 * Phases: `lot` (the box says who begins), `discovery` (a turn goes through the stages choose, deal, drawn,
 * farm) and `land` (a turn is one field); three rounds of them.
 */

const { INVALID_MOVE } = require('boardgame.io/core');

const BOX = '2';
const ROUNDS = 3;
const FARMS = 4;
const FIELDS = 20;
// Counter-clockwise from east, like the sides of a tile.
const STEPS = [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]];

// -- tiles --------------------------------------------------------------------------------------------

/** Runs of sides round the border that satisfy `test`, each a sorted list of side numbers. */
function runs(sides, test) {
  const inside = [...sides].map(test);
  if (inside.every(Boolean)) return [[0, 1, 2, 3, 4, 5]];
  const found = [];
  for (let side = 0; side < 6; side++) {
    if (!inside[side] || inside[(side + 5) % 6]) continue;
    const run = [];
    for (let at = side; inside[at % 6]; at++) run.push(at % 6);
    found.push(run.sort());
  }
  return found;
}

/** All matching sides as one part, which may reach no side at all. */
const joined = (sides, test) => [[0, 1, 2, 3, 4, 5].filter((side) => test(sides[side]))];

function numbered(parts) {
  const sorted = parts.map((part) => [...part].sort());
  return sorted.sort((a, b) => !a.length - !b.length || (a.join() < b.join() ? -1 : 1));
}

function readTile({ id, sides, centre, segments, land, start }) {
  const isFarmland = (terrain) => terrain === 'F';
  const isLand = (terrain) => terrain !== 'S';
  return {
    id,
    sides,
    start: Boolean(start),
    segments: numbered(segments || (centre === 'F' ? joined : runs)(sides, isFarmland)),
    land: numbered(land || (centre === 'S' ? runs : joined)(sides, isLand)),
  };
}

/** The box of a pack: tiles by id, their order, and the board with which a round begins. */
function readBox(pack) {
  const tiles = {};
  for (const tile of pack.tiles) tiles[tile.id] = readTile(tile);
  const board = {};
  for (const { tile, q, r, turn } of pack.arrangements.find(({ name }) => name === 'triangle').tiles) {
    board[`${q},${r}`] = { tile, turn };
  }
  const order = pack.tiles.map(({ id }) => id);
  return { tiles, board, order, pile: order.filter((id) => !tiles[id].start) };
}

// -- the region ---------------------------------------------------------------------------------------

const beside = (q, r, direction) => `${q + STEPS[direction][0]},${r + STEPS[direction][1]}`;
const coordinates = (cell) => cell.split(',').map(Number);
const other = (player) => (player === '0' ? '1' : '0');

/** What a laid (or tried) tile shows towards a direction. */
const shown = (box, { tile, turn }, direction) => box.tiles[tile].sides[(direction - turn + 6) % 6];

/** May the tile lie there: a free cell, two neighbours, sides that agree, each land part joined. */
function fits(box, board, laid, q, r) {
  if (board[`${q},${r}`]) return false;
  const touching = [0, 1, 2, 3, 4, 5].map((direction) => board[beside(q, r, direction)]);
  if (touching.filter(Boolean).length < 2) return false;
  const agrees = touching.every(
    (neighbour, direction) =>
      !neighbour || shown(box, neighbour, (direction + 3) % 6) === shown(box, laid, direction));
  if (!agrees) return false;
  return box.tiles[laid.tile].land.every((part) => part.some((side) => touching[(side + laid.turn) % 6]));
}

/** Every free cell beside the region. */
function border(board) {
  const cells = new Set();
  for (const cell of Object.keys(board)) {
    const [q, r] = coordinates(cell);
    for (let direction = 0; direction < 6; direction++) {
      const next = beside(q, r, direction);
      if (!board[next]) cells.add(next);
    }
  }
  return [...cells];
}

/** All places of a tile as [q, r, turn]. */
function places(box, board, tile) {
  const found = [];
  for (const cell of border(board)) {
    const [q, r] = coordinates(cell);
    for (let turn = 0; turn < 6; turn++) {
      if (fits(box, board, { tile, turn }, q, r)) found.push([q, r, turn]);
    }
  }
  return found;
}

/** The segments that touch this one: farmland against farmland on neighbouring tiles. */
function neighbours(box, board, segment) {
  const [cell, number] = segment.split('/');
  const [q, r] = coordinates(cell);
  const { tile, turn } = board[cell];
  const found = [];
  for (const side of box.tiles[tile].segments[number]) {
    const direction = (side + turn) % 6;
    const next = beside(q, r, direction);
    const laid = board[next];
    if (!laid) continue;
    const facing = (direction + 3 - laid.turn + 12) % 6;
    const at = box.tiles[laid.tile].segments.findIndex((sides) => sides.includes(facing));
    if (at >= 0) found.push(`${next}/${at}`);
  }
  return found;
}

/** Does this name a segment of a laid tile? */
function isSegment(box, board, segment) {
  const [cell, number] = segment.split('/');
  return Boolean(board[cell]) && Number(number) < box.tiles[board[cell].tile].segments.length;
}

const occupied = (G, segment) =>
  ['0', '1'].some((player) => G.farms[player].includes(segment) || G.fields[player].includes(segment));

/** The segments on which the player may put a field now. */
function fieldsFor(box, G, player) {
  if (G.fields[player].length >= FIELDS) return [];
  const found = new Set();
  for (const piece of [...G.farms[player], ...G.fields[player]]) {
    for (const segment of neighbours(box, G.board, piece)) {
      if (!occupied(G, segment)) found.add(segment);
    }
  }
  return [...found];
}

/** The segments of the tile just placed on which the player may put a farm. */
function farmsFor(box, G, player) {
  if (!G.last || G.farms[player].length >= FARMS) return [];
  const segments = box.tiles[G.board[G.last].tile].segments;
  return segments.map((_, number) => `${G.last}/${number}`).filter((segment) => !occupied(G, segment));
}

// -- rounds -------------------------------------------------------------------------------------------

/** A round before anything happened in it. */
function newRound(box, round, starter, points) {
  return {
    round,
    starter,
    pile: [...box.pile],
    open: [],
    drawn: null,
    setAside: false,
    board: { ...box.board },
    last: null,
    fromPile: false,
    farms: { 0: [], 1: [] },
    fields: { 0: [], 1: [] },
    placer: null,
    first: null,
    points,
  };
}

/** Who starts after a round with these points: the loser; null (a lot) after a tie. */
const loser = ([a, b]) => (a === b ? null : a < b ? '0' : '1');

/** Points by player and the winners: the higher total, else who won two rounds, else both. */
function outcome(points) {
  const sum = (seat) => points.reduce((total, round) => total + round[seat], 0);
  const won = (seat) => points.filter((round) => round[seat] > round[1 - seat]).length;
  const best = (measure) => [0, 1].filter((seat) => measure(seat) > measure(1 - seat));
  let winners = best(sum);
  if (!winners.length) winners = [0, 1].filter((seat) => won(seat) >= 2);
  if (!winners.length) winners = [0, 1];
  return { scores: { 0: sum(0), 1: sum(1) }, winners: winners.map(String) };
}

// -- the game -----------------------------------------------------------------------------------------

/** Moves; each is the law about one action and refuses with INVALID_MOVE. */
function makeMoves(box) {
  function lay(G, events, player, tile, q, r, turn, fromPile) {
    G.board[`${q},${r}`] = { tile, turn };
    G.last = `${q},${r}`;
    G.fromPile = fromPile;
    G.placer = player;
    // The decision about a farm is asked only where a farm is possible.
    if (farmsFor(box, G, player).length) events.setActivePlayers({ value: { [player]: 'farm' } });
    else finish(G, events, player);
  }

  /** The turn is over, and discovery with the last face-down tile. */
  function finish(G, events, player) {
    if (G.fromPile && !G.pile.length) G.first = other(player);
    G.last = null;
    G.fromPile = false;
    G.setAside = false;
    events.endTurn();
  }

  return {
    begin({ G }, player) {
      if (player !== '0' && player !== '1') return INVALID_MOVE;
      G.starter = player;
    },
    draw({ G, events }) {
      if (!G.pile.length) return INVALID_MOVE;
      events.setActivePlayers({ value: { [BOX]: 'deal' } });
    },
    deal({ G, ctx, events }, tile) {
      const at = G.pile.indexOf(tile);
      if (at < 0) return INVALID_MOVE;
      G.pile.splice(at, 1);
      G.drawn = tile;
      events.setActivePlayers({ value: { [ctx.currentPlayer]: 'drawn' } });
    },
    place({ G, events, playerID }, tile, q, r, turn) {
      if (tile !== G.drawn || !fits(box, G.board, { tile, turn }, q, r)) return INVALID_MOVE;
      G.drawn = null;
      lay(G, events, playerID, tile, q, r, turn, true);
    },
    open({ G, events, playerID }, tile, q, r, turn) {
      const at = G.open.indexOf(tile);
      if (at < 0 || !fits(box, G.board, { tile, turn }, q, r)) return INVALID_MOVE;
      G.open.splice(at, 1);
      lay(G, events, playerID, tile, q, r, turn, false);
    },
    aside({ G, events, playerID }) {
      if (places(box, G.board, G.drawn).length) return INVALID_MOVE;
      G.open.push(G.drawn);
      G.drawn = null;
      if (G.pile.length) {
        G.setAside = true;
        events.setActivePlayers({ value: { [playerID]: 'choose' } });
      } else {
        G.setAside = false;
        G.first = playerID;
      }
    },
    farm({ G, events, playerID }, segment) {
      if (!farmsFor(box, G, playerID).includes(segment)) return INVALID_MOVE;
      G.farms[playerID].push(segment);
      finish(G, events, playerID);
    },
    nofarm({ G, events, playerID }) {
      finish(G, events, playerID);
    },
    field({ G, playerID }, segment) {
      if (!fieldsFor(box, G, playerID).includes(segment)) return INVALID_MOVE;
      G.fields[playerID].push(segment);
    },
  };
}

/** Candidates for bots and for the adapter, as boardgame.io's `ai.enumerate` gives them. */
function enumerate(box, G, ctx, playerID) {
  if (ctx.gameover) return [];
  if (ctx.phase === 'lot') return playerID === BOX ? ['0', '1'].map((p) => ({ move: 'begin', args: [p] })) : [];
  if (ctx.phase === 'land') {
    if (playerID !== ctx.currentPlayer) return [];
    return fieldsFor(box, G, playerID).map((segment) => ({ move: 'field', args: [segment] }));
  }
  const laying = (move, tile) => places(box, G.board, tile).map((place) => ({ move, args: [tile, ...place] }));
  switch ((ctx.activePlayers || {})[playerID]) {
    case 'choose':
      return [
        ...(G.pile.length ? [{ move: 'draw', args: [] }] : []),
        ...G.open.flatMap((tile) => laying('open', tile)),
      ];
    case 'deal':
      return G.pile.map((tile) => ({ move: 'deal', args: [tile] }));
    case 'drawn': {
      const found = laying('place', G.drawn);
      return found.length ? found : [{ move: 'aside', args: [] }];
    }
    case 'farm':
      return [
        ...farmsFor(box, G, playerID).map((segment) => ({ move: 'farm', args: [segment] })),
        { move: 'nofarm', args: [] },
      ];
    default:
      return [];
  }
}

/** The game with this box. `opening`, if given, is a position to begin with: {G, phase, stage, player}. */
function makeGame(box, opening = null) {
  const { begin, draw, deal, place, open, aside, farm, nofarm, field } = makeMoves(box);
  const start = opening ? opening.phase : 'lot';
  const opens = (ctx) => opening && ctx.turn === 0;
  const canField = (G, player) => fieldsFor(box, G, player).length > 0;
  const orOther = (G, player) => Number(canField(G, player) ? player : other(player));

  return {
    name: 'fjords',
    minPlayers: 3,
    maxPlayers: 3,
    // The turn order is the game's business; no client ends a turn or a phase by itself.
    events: {
      endTurn: false, pass: false, endPhase: false, setPhase: false,
      endGame: false, setActivePlayers: false, endStage: false, setStage: false,
    },
    setup: () => (opening ? opening.G : newRound(box, 1, null, [])),
    phases: {
      lot: {
        start: start === 'lot',
        moves: { begin },
        turn: { order: { first: () => Number(BOX), next: () => Number(BOX) } },
        endIf: ({ G }) => G.starter !== null,
        next: 'discovery',
      },
      discovery: {
        start: start === 'discovery',
        turn: {
          order: {
            first: ({ G, ctx }) => Number(opens(ctx) ? opening.player : G.starter),
            next: ({ ctx }) => Number(other(ctx.currentPlayer)),
          },
          activePlayers: { currentPlayer: 'choose' },
          onBegin({ G, ctx, events }) {
            if (!opening || ctx.turn !== 1) return;
            const active = opening.stage === 'deal' ? BOX : ctx.currentPlayer;
            events.setActivePlayers({ value: { [active]: opening.stage } });
          },
          stages: {
            choose: { moves: { draw, open } },
            deal: { moves: { deal } },
            drawn: { moves: { place, aside } },
            farm: { moves: { farm, nofarm } },
          },
        },
        endIf: ({ G }) => G.first !== null,
        next: 'land',
      },
      land: {
        start: start === 'land',
        moves: { field },
        turn: {
          minMoves: 1,
          maxMoves: 1,
          order: {
            first: ({ G, ctx }) => orOther(G, opens(ctx) ? opening.player : G.first),
            next: ({ G, ctx }) => orOther(G, other(ctx.currentPlayer)),
          },
        },
        endIf: ({ G }) => !canField(G, '0') && !canField(G, '1'),
        onEnd({ G }) {
          const points = [...G.points, [G.fields[0].length, G.fields[1].length]];
          if (points.length === ROUNDS) return { ...G, points };
          return newRound(box, G.round + 1, loser(points[points.length - 1]), points);
        },
        next: ({ G }) => (G.starter === null ? 'lot' : 'discovery'),
      },
    },
    endIf: ({ G }) => (G.points.length === ROUNDS ? outcome(G.points) : undefined),
    // Nothing is hidden: the order of the pile is no part of the position.
    playerView: ({ G, playerID }) => (playerID === null || playerID === undefined ? G : { ...G, you: playerID }),
    ai: { enumerate: (G, ctx, playerID) => enumerate(box, G, ctx, playerID) },
  };
}

module.exports = { BOX, FARMS, FIELDS, ROUNDS, readBox, makeGame, fits, isSegment, neighbours, coordinates };
