'use strict';
/* Loaded before the adapter of examples/fjords-boardgameio (`node -r`): plants the mistake that the environment
 * variable FJORDS_FAULT names into the boardgame.io game, each one that a programmer makes there. */

const game = require('../../../conformance/examples/fjords-boardgameio/game.js');

const makeGame = game.makeGame;
const swapped = { 0: '1', 1: '0' };

const FAULTS = {
  /** The move takes what the list of legal actions does not offer: a tile that has a place goes aside. */
  aside(made) {
    const { moves } = made.phases.discovery.turn.stages.drawn;
    moves.aside = ({ G, events, playerID }) => {
      G.open.push(G.drawn);
      G.drawn = null;
      G.setAside = G.pile.length > 0;
      if (G.pile.length) events.setActivePlayers({ value: { [playerID]: 'choose' } });
      else G.first = playerID;
    };
  },
  /** boardgame.io's usual turn order, round and round: a player who can place no field is not passed over. */
  skip(made) {
    made.phases.land.turn.order.next = ({ ctx }) => 1 - Number(ctx.currentPlayer);
  },
  /** The winner of a round starts the next instead of its loser. */
  winner(made) {
    const { onEnd } = made.phases.land;
    made.phases.land.onEnd = (context) => {
      const G = onEnd(context);
      return G.points.length < game.ROUNDS && G.starter !== null ? { ...G, starter: swapped[G.starter] } : G;
    };
  },
};

game.makeGame = (...words) => {
  const made = makeGame(...words);
  FAULTS[process.env.FJORDS_FAULT](made);
  return made;
};
