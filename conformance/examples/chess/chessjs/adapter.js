'use strict';
/* chess.js behind the conformance protocol: `node adapter.js [--fifty]`. */

const { createInterface } = require('node:readline');
const { Chess, validateFen } = require('chess.js');
const VERSION = require('chess.js/package.json').version;

const MOVE = /^[a-h][1-8][a-h][1-8][nbrq]?$/;
const OFFERED = ['legal', 'result', 'state', 'view', 'undo', 'save', 'setup'];
const CODES = {
  unknown_method: -32601, invalid_params: -32602, internal: -32603, no_game: -32001, not_offered: -32002,
  unknown_game: -32006, bad_players: -32007, bad_save: -32009, nothing_to_undo: -32010, hello_first: -32011,
};
/** With it the game ends after a hundred half-moves without a capture or a pawn's move. */
const FIFTY = process.argv.includes('--fifty');

class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

let greeted = false;
let chess = null;
let seats = ['A', 'B'];
let base = 0; // the number of steps at the beginning of this game: not 0 after load
let taken = 0;
let moves = new Set();

// -- the game -------------------------------------------------------------------------------------------

function now() {
  if (!chess) throw new Refused('no_game', 'send start or setup first');
  return chess;
}

const square = (n) => 'abcdefgh'[n & 7] + '87654321'[n >> 4];

/** List the moves; none once the game is over.
 *
 * moves({ verbose: true }) would say the same, but works out SAN and two FENs of each move, which takes
 * fifty times as long. This is what it calls itself, with squares as numbers. */
function look() {
  const listed = drawn() ? [] : now()._moves({ legal: true });
  moves = new Set(listed.map((move) => square(move.from) + square(move.to) + (move.promotion ?? '')));
}

const drawn = () => now().isInsufficientMaterial() || (FIFTY && now().isDrawByFiftyMoves() && !now().isCheckmate());
const turn = () => (now().turn() === 'w' ? 0 : 1);
const actor = () => (moves.size ? seats[turn()] : 'over');

/** Two points for mate, one each for a draw. */
function outcome() {
  if (!now().isCheckmate()) return { scores: { [seats[0]]: 1, [seats[1]]: 1 }, winners: seats };
  const loser = turn();
  return { scores: { [seats[loser]]: 0, [seats[1 - loser]]: 2 }, winners: [seats[1 - loser]] };
}

const state = () => ({ fen: now().fen() });

function report({ want = [] }) {
  if (want.some((item) => !['legal', 'state', 'result'].includes(item))) {
    throw new Refused('not_offered', 'only legal, state and result can be wanted');
  }
  const found = { step: base + taken, actor: actor() };
  if (want.includes('legal')) found.legal = [...moves];
  if (want.includes('state')) found.state = state();
  if (want.includes('result') && !moves.size) found.result = outcome();
  return found;
}

const refuse = (code, message) => ({ step: chess ? base + taken : 0, accepted: false, code, message });

// -- messages -------------------------------------------------------------------------------------------

function seat(players) {
  const named = players?.length ? players : seats;
  if (named.length !== 2 || named[0] === named[1]) {
    throw new Refused('bad_players', 'chess is for two: first White, then Black');
  }
  seats = named;
}

function begin(game, steps = 0) {
  [chess, base, taken] = [game, steps, 0];
  look();
}

const methods = {
  hello({ game }) {
    if (game !== 'chess') throw new Refused('unknown_game', 'this is chess');
    greeted = true;
    const capabilities = Object.fromEntries(OFFERED.map((name) => [name, true]));
    return { protocol: 1, name: 'chess.js', version: VERSION, games: ['chess'], level: 2, capabilities };
  },

  start(params) {
    seat(params.players);
    begin(new Chess());
    return report(params);
  },

  setup(params) {
    const fen = params.state.fen;
    if (Object.keys(params.state).join() !== 'fen' || typeof fen !== 'string') {
      return refuse('invalid_position', 'the record is a fen and nothing else');
    }
    const { ok, error } = validateFen(fen);
    if (!ok) return refuse('invalid_position', error);
    seat(params.players);
    begin(new Chess(fen));
    return report(params);
  },

  step(params) {
    const text = params.action;
    if (params.step !== base + taken + 1) return refuse('wrong_step', `step ${base + taken + 1} is next`);
    if (actor() === 'over') return refuse('over', 'the game is over');
    if (params.by !== actor()) return refuse('not_your_turn', `${actor()} is next`);
    if (typeof text !== 'string' || !MOVE.test(text)) {
      return refuse('malformed', 'a move is written as in UCI: e2e4, e7e8q');
    }
    if (!moves.has(text)) return refuse('illegal', `${text} is not among the legal moves`);
    now().move({ from: text.slice(0, 2), to: text.slice(2, 4), promotion: text[4] });
    taken += 1;
    look();
    return report(params);
  },

  legal: () => report({ want: ['legal'] }),

  state: ({ want = ['state'] }) => report({ want }),

  view({ seat: name }) {
    if (!seats.includes(name)) throw new Refused('bad_players', `the seats are ${seats.join(', ')}`);
    return { step: base + taken, view: { you: name, ...state() } };
  },

  undo(params) {
    if (!(params.count > 0 && params.count <= taken)) {
      throw new Refused('nothing_to_undo', `${taken} moves can be taken back`);
    }
    for (let n = 0; n < params.count; n += 1) now().undo();
    taken -= params.count;
    look();
    return report(params);
  },

  save: () => ({ step: base + taken, saved: `${base + taken} ${now().fen()}` }),

  load(params) {
    const [, steps, fen] = /^([0-9]{1,9}) (.*)$/.exec(params.saved) ?? [];
    if (!fen || !validateFen(fen).ok) throw new Refused('bad_save', 'not a text of mine');
    begin(new Chess(fen), Number(steps));
    return report(params);
  },

  bye: () => ({}),
};

function answer({ id, method, params = {} }) {
  try {
    if (!Object.hasOwn(methods, method)) throw new Refused('unknown_method', 'unknown method');
    if (!greeted && method !== 'hello' && method !== 'bye') throw new Refused('hello_first', 'say hello first');
    return { jsonrpc: '2.0', id, result: methods[method](params) };
  } catch (error) {
    const code = error instanceof Refused ? error.code : error instanceof TypeError ? 'invalid_params' : 'internal';
    return { jsonrpc: '2.0', id, error: { code: CODES[code], message: error.message, data: { code } } };
  }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => {
  if (!line.trim()) return;
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(answer(request))}\n`);
  if (request.method === 'bye') lines.close();
});
