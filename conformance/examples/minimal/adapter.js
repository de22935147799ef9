'use strict';
/* A level-1 adapter for the engine in engine.js: `node adapter.js`. It needs no package. */

const { Game } = require('./engine');

const RULINGS = {
  R_FIRST: 'chance', R_TIED_ROUND: 'chance', R_LAST_OPEN: 'end', R_BLOCKED: 'skip', R_SUPPLY: 'stop',
  R_PLAYABLE: 'objective', R_START: 'triangle', R_TWO: 'at_least', R_LAND: 'component', R_HOLE: 'nothing',
  R_SEGMENT: 'per_tile', R_MULTI: 'segment', R_DRAWN: 'must', R_ORDER: 'description',
};
const CODES = { unknown_method: -32601, unknown_ruling: -32003, unknown_value: -32004 };
let pack = null;
let game = null;
let steps = 0;

const METHODS = {
  hello: () => ({
    protocol: 1, name: 'my engine', version: '1', games: ['fjords'], level: 1,
    capabilities: { legal: true, result: true, options: true, chance: ['dictated'] },
  }),
  options(params) {
    for (const [name, value] of Object.entries(params.rulings)) {
      if (RULINGS[name] !== value) throw name in RULINGS ? 'unknown_value' : 'unknown_ruling';
    }
    pack = params.pack.data;
    return { rulings: RULINGS, pack: params.pack.id };
  },
  start(params) {
    [game, steps] = [new Game(pack), 0];
    return report(params.want);
  },
  step(params) {
    const actor = game.actor();
    const code = params.step !== steps + 1 ? 'wrong_step'
      : actor === 'over' ? 'over'
      : params.by !== actor ? 'not_your_turn'
      : !game.legal().includes(params.action) ? 'illegal' : null;
    if (code) return { step: steps, accepted: false, code };
    game.apply(params.action);
    steps += 1;
    return report(params.want);
  },
  legal: () => report(['legal']),
  bye: () => ({}),
};

function report(want) {
  const actor = game.actor();
  const found = { step: steps, actor };
  if (want.includes('legal')) found.legal = actor === 'chance' || actor === 'over' ? [] : game.legal();
  if (want.includes('result') && actor === 'over') found.result = game.scores();
  return found;
}

function answer({ id, method, params }) {
  try {
    if (!Object.hasOwn(METHODS, method)) throw 'unknown_method';
    return { jsonrpc: '2.0', id, result: METHODS[method](params) };
  } catch (code) {
    if (!(code in CODES)) throw code; // an error in the engine ends the program
    return { jsonrpc: '2.0', id, error: { code: CODES[code], message: code, data: { code } } };
  }
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
});
