'use strict';
/* Speaks the conformance protocol for the boardgame.io game in game.js: `node adapter.js`.
 *
 * Every step is a move of a boardgame.io client, which alone says whether it is legal; the list of legal
 * actions is the game's own ai.enumerate.
 */

process.env.NODE_ENV = 'production'; // else boardgame.io logs to standard output

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const yaml = require('js-yaml');
const { Client } = require('boardgame.io/client');
const { BOX, makeGame, readBox } = require('./game');
const { SEATS, seatOf, playerOf, mover, toRecord, toOpening, audit } = require('./position');

const PACK = join(__dirname, '..', '..', '..', 'model', 'fjords', 'packs', 'estimated.yaml');
const OWN = yaml.load(readFileSync(PACK, 'utf8'));
/** The reading that game.js follows: it has no other. */
const RULINGS = {
  R_FIRST: 'chance', R_TIED_ROUND: 'chance', R_LAST_OPEN: 'end', R_BLOCKED: 'skip', R_SUPPLY: 'stop',
  R_PLAYABLE: 'objective', R_START: 'triangle', R_TWO: 'at_least', R_LAND: 'component', R_HOLE: 'nothing',
  R_SEGMENT: 'per_tile', R_MULTI: 'segment', R_DRAWN: 'must', R_ORDER: 'description',
};

const CODES = {
  parse_error: -32700, invalid_request: -32600, unknown_method: -32601, invalid_params: -32602, internal: -32603,
  no_game: -32001, not_offered: -32002, unknown_ruling: -32003, unknown_value: -32004, unknown_pack: -32005,
  unknown_game: -32006, bad_players: -32007, bad_save: -32009,
  nothing_to_undo: -32010, hello_first: -32011,
};

class ProtocolError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

// -- texts of actions ---------------------------------------------------------------------------------

const NUMBER = '(0|-?[1-9][0-9]*)';
const CELL = `${NUMBER},${NUMBER}`;
const SEGMENT = '((?:0|-?[1-9][0-9]*),(?:0|-?[1-9][0-9]*)/(?:0|[1-9][0-9]*))';
const TILE = '([^ ]+)'; // an id of the pack
const laying = ([tile, q, r, turn]) => [tile, Number(q), Number(r), Number(turn)];
const GRAMMAR = [
  ['begin', /^start ([AB])$/, ([seat]) => [playerOf(seat)]],
  ['draw', /^draw$/, () => []],
  ['deal', new RegExp(`^deal ${TILE}$`), ([tile]) => [tile]],
  ['place', new RegExp(`^place ${TILE} ${CELL} r([0-5])$`), laying],
  ['open', new RegExp(`^open ${TILE} ${CELL} r([0-5])$`), laying],
  ['aside', /^aside$/, () => []],
  ['farm', new RegExp(`^farm ${SEGMENT}$`), ([segment]) => [segment]],
  ['nofarm', /^nofarm$/, () => []],
  ['field', new RegExp(`^field ${SEGMENT}$`), ([segment]) => [segment]],
];

/** The move and its arguments, or null: no action of this game. */
function parse(text) {
  for (const [move, pattern, read] of GRAMMAR) {
    const found = pattern.exec(text);
    if (found) return { move, args: read(found.slice(1)) };
  }
  return null;
}

function write({ move, args }) {
  switch (move) {
    case 'begin': return `start ${seatOf(args[0])}`;
    case 'place':
    case 'open': return `${move} ${args[0]} ${args[1]},${args[2]} r${args[3]}`;
    default: return [move, ...args].join(' ');
  }
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join()}}`;
}

// -- a game in progress -------------------------------------------------------------------------------

class Match {
  constructor(box, opening = null) {
    this.box = box;
    this.client = new Client({ game: makeGame(box, opening), numPlayers: 3, debug: false });
    this.steps = 0;
    this.history = []; // [state before the step, player who made it]
  }

  get state() {
    return this.client.store.getState();
  }

  get actor() {
    const player = mover(this.state.ctx);
    return player === null ? 'over' : player === BOX ? 'chance' : seatOf(player);
  }

  /** Make a move as this player; says whether boardgame.io took it. */
  move(player, { move, args }) {
    const before = this.state;
    this.client.updatePlayerID(player);
    this.client.moves[move](...args);
    if (this.state._stateID === before._stateID) return false;
    this.history.push([before, player]);
    this.steps += 1;
    return true;
  }

  /** Take back one step. Within a turn boardgame.io does it; it never undoes the end of a turn. */
  undo() {
    const [before, player] = this.history.pop();
    if (this.state._undo.length > 1) {
      this.client.updatePlayerID(player);
      this.client.undo();
    } else {
      this.restore(before);
    }
    this.steps -= 1;
  }

  /** Show this state, as boardgame.io's debug panel does it for a saved one. */
  restore(state) {
    this.client.store.dispatch({ type: 'SYNC', state, log: [], initialState: state, clientOnly: true });
  }

  legal(outcomes) {
    const { G, ctx } = this.state;
    const player = mover(ctx);
    if (player === null || (player === BOX && !outcomes)) return [];
    return this.client.game.ai.enumerate(G, ctx, player).map(write);
  }

  record() {
    return toRecord(this.box, this.state.G, this.state.ctx);
  }

  view(seat) {
    this.client.updatePlayerID(playerOf(seat));
    const { G, ctx } = this.client.getState();
    return { ...toRecord(this.box, G, ctx), you: seatOf(G.you) };
  }

  result() {
    const { gameover } = this.state.ctx;
    if (!gameover) return null;
    const { scores, winners } = gameover;
    return { scores: { A: scores[0], B: scores[1] }, winners: winners.map(seatOf) };
  }
}

// -- the protocol -------------------------------------------------------------------------------------

const isText = (value) => typeof value === 'string';
const isCount = (value) => Number.isInteger(value) && value >= 0;
const isTexts = (value) => Array.isArray(value) && value.every(isText);
const isRecord = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isChance = (value) => value === 'dictated';
const ITEMS = ['legal', 'result', 'state', 'digest'];

/** Per method the parameters: those that must be there, and those that may. */
const PARAMETERS = {
  hello: [{ protocol: Array.isArray, referee: isText, game: isText }, {}],
  options: [{}, { rulings: isRecord, pack: isRecord }],
  start: [{}, { players: isTexts, chance: isChance, want: isTexts }],
  step: [{ step: isCount, by: isText, action: isText }, { want: isTexts }],
  legal: [{}, {}],
  state: [{}, { want: isTexts }],
  view: [{ seat: isText }, {}],
  setup: [{ state: isRecord }, { players: isTexts, chance: isChance, want: isTexts }],
  undo: [{}, { count: isCount, want: isTexts }],
  save: [{}, {}],
  load: [{ saved: isText }, { want: isTexts }],
  bye: [{}, {}],
};

class Adapter {
  constructor() {
    this.box = readBox(OWN);
    this.greeted = false;
    this.done = false;
    this.match = null;
  }

  answer(request) {
    const { method, params = {} } = request;
    if (!Object.hasOwn(PARAMETERS, method)) throw new ProtocolError('unknown_method', `no method ${method}`);
    if (!this.greeted && method !== 'hello') throw new ProtocolError('hello_first', 'say hello first');
    this.check(method, params);
    return this[method](params);
  }

  check(method, params) {
    const [required, optional] = PARAMETERS[method];
    const wrong = (what) => new ProtocolError('invalid_params', what);
    if (!isRecord(params)) throw wrong('params is no object');
    for (const name of Object.keys(required)) {
      if (!(name in params)) throw wrong(`${name} is missing`);
    }
    for (const [name, value] of Object.entries(params)) {
      const test = required[name] || optional[name];
      if (!test) throw wrong(`${name} is unknown`);
      if (!test(value)) throw wrong(`${name} cannot be that`);
    }
    for (const item of params.want || []) {
      if (!ITEMS.includes(item)) throw wrong(`want: ${item} is unknown`);
    }
  }

  hello({ protocol, game }) {
    if (!protocol.includes(1)) throw new ProtocolError('invalid_params', 'this adapter speaks version 1');
    if (game !== 'fjords') throw new ProtocolError('unknown_game', 'this adapter plays fjords only');
    this.greeted = true;
    return {
      protocol: 1, name: 'fjords-boardgameio', version: '1.0.0', games: ['fjords'], level: 2,
      capabilities: {
        legal: true, outcomes: true, result: true, state: true, digest: true, view: true, undo: true,
        save: true, setup: true, options: true, chance: ['dictated'],
      },
    };
  }

  options({ rulings = {}, pack }) {
    for (const [ruling, value] of Object.entries(rulings)) {
      if (!Object.hasOwn(RULINGS, ruling)) throw new ProtocolError('unknown_ruling', `no ruling ${ruling}`);
      if (RULINGS[ruling] !== value) throw new ProtocolError('unknown_value', `${ruling}: only ${RULINGS[ruling]}`);
    }
    if (pack) this.box = this.unpack(pack);
    return pack ? { rulings: RULINGS, pack: pack.id } : { rulings: RULINGS };
  }

  unpack({ data }) {
    try {
      return readBox(data);
    } catch {
      throw new ProtocolError('unknown_pack', 'this pack cannot be read');
    }
  }

  start({ players = SEATS, want }) {
    this.seats(players);
    this.match = new Match(this.box);
    return this.report(want);
  }

  seats(players) {
    if (players.join() !== SEATS.join()) throw new ProtocolError('bad_players', 'the seats are A and B');
  }

  step({ step, by, action, want }) {
    const match = this.running();
    const actor = match.actor;
    if (step !== match.steps + 1) return this.refuse('wrong_step', `step ${match.steps + 1} is next`);
    if (actor === 'over') return this.refuse('over', 'the game is over');
    if (by !== actor) return this.refuse('not_your_turn', `${actor} is next`);
    const move = parse(action);
    if (!move) return this.refuse('malformed', 'this is no action of Fjords');
    const player = by === 'chance' ? BOX : playerOf(by);
    if (!match.move(player, move)) return this.refuse('illegal', 'boardgame.io refused the move');
    return this.report(want);
  }

  legal() {
    return this.report(['legal']);
  }

  state({ want = ['state'] }) {
    return this.report(want);
  }

  view({ seat }) {
    const match = this.running();
    if (!SEATS.includes(seat)) throw new ProtocolError('bad_players', 'the seats are A and B');
    return { step: match.steps, view: match.view(seat) };
  }

  setup({ state, players = SEATS, want }) {
    this.seats(players);
    const broken = audit(this.box, state);
    if (broken.length) {
      const steps = this.match ? this.match.steps : 0;
      return { step: steps, accepted: false, code: 'invalid_position', message: broken.join('; ') };
    }
    this.match = new Match(this.box, toOpening(state));
    return this.report(want);
  }

  undo({ count = 1, want }) {
    const match = this.running();
    if (count > match.history.length) throw new ProtocolError('nothing_to_undo', `${match.history.length} steps can be taken back`);
    for (let taken = 0; taken < count; taken++) match.undo();
    return this.report(want);
  }

  save() {
    const { steps, state } = this.running();
    return { step: steps, saved: JSON.stringify({ steps, state }) };
  }

  load({ saved, want }) {
    let kept;
    try {
      kept = JSON.parse(saved);
    } catch {
      kept = null;
    }
    if (!isRecord(kept) || !isCount(kept.steps) || !isRecord(kept.state)) {
      throw new ProtocolError('bad_save', 'this is no text of this adapter');
    }
    this.match = new Match(this.box);
    this.match.restore(kept.state);
    this.match.steps = kept.steps;
    return this.report(want);
  }

  bye() {
    this.done = true;
    return {};
  }

  running() {
    if (!this.match) throw new ProtocolError('no_game', 'nothing was started');
    return this.match;
  }

  refuse(code, message) {
    return { step: this.match.steps, accepted: false, code, message };
  }

  report(want = []) {
    const match = this.running();
    const found = { step: match.steps, actor: match.actor };
    if (want.includes('legal')) found.legal = match.legal(true);
    if (want.includes('state')) found.state = match.record();
    if (want.includes('digest')) {
      found.digest = `sha256:${createHash('sha256').update(canonical(match.record())).digest('hex')}`;
    }
    if (want.includes('result')) found.result = match.result();
    return found;
  }
}

function failure(id, code, message) {
  return { jsonrpc: '2.0', id, error: { code: CODES[code], message, data: { code } } };
}

function respond(adapter, line) {
  let request;
  try {
    request = JSON.parse(line);
  } catch {
    return failure(null, 'parse_error', 'this is no JSON');
  }
  if (!isRecord(request) || request.jsonrpc !== '2.0' || !Number.isInteger(request.id) || !isText(request.method)) {
    return failure(null, 'invalid_request', 'this is no request');
  }
  try {
    return { jsonrpc: '2.0', id: request.id, result: adapter.answer(request) };
  } catch (error) {
    if (error instanceof ProtocolError) return failure(request.id, error.code, error.message);
    console.error(error);
    return failure(request.id, 'internal', String(error.message));
  }
}

function main() {
  const adapter = new Adapter();
  let rest = '';
  process.stdin.setEncoding('utf8');
  // Lines end with a line feed and nothing else; node's readline would split at other characters too.
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.trim()) continue;
      process.stdout.write(`${JSON.stringify(respond(adapter, line))}\n`);
      if (adapter.done) process.exit(0);
    }
  });
}

main();
