"""Whole games of Northmen, and its compound decisions: each result has exactly one path."""

from collections import Counter
from itertools import product

import pytest

from lawspeaker.model.core.contract import OVER
from lawspeaker.model.core.games import make_game, room
from lawspeaker.model.core.play import Rare, divide, perft, playout, steps, uniform
from lawspeaker.model.core.taking import take_compound
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.maps import march_possible, reach_of

PLAYERS = room("northmen").players
GAMES = {n: make_game("northmen", players=n) for n in PLAYERS}


def marches(game, seeds):
    """Yield each position at which a march begins."""
    for seed in seeds:
        for step in steps(game, seed):
            if step.before.phase == "march" and not game.inside(step.before):
                yield step.before


def results(game, position):
    """Return how often each result of a march is reached, by the pieces that went to each region."""
    found, todo = Counter(), [(position, ())]
    while todo:
        here, sent = todo.pop()
        for action in game.legal(here):
            more = (*sent, (action.place, action.cubes, action.heroes)) if action.cubes + action.heroes else sent
            after = game.apply(here, action)
            if after.phase == "march" and game.inside(after):
                todo.append((after, more))
            else:
                found[more] += 1
    return found


@pytest.mark.parametrize("players", PLAYERS)
def test_each_result_of_a_march_has_one_path_and_is_one_that_the_map_allows(players):
    game, seen = GAMES[players], 0
    reach = reach_of(game.pack, game.rulings["R_LANDLOCK"], game.rulings["R_BULGARIA"])
    for position in marches(game, range(6)):
        kingdom, seat = position.kingdom, position.seat
        cubes, heroes = position.cubes[kingdom][seat], position.heroes[kingdom][seat]
        if cubes + heroes > 3:
            continue
        seen += 1
        soldiers, ships = game.strength(position)
        k, r = game.tables.k, game.tables.r
        wanted = set()
        for one in shares(cubes, r):
            for two in shares(heroes, r):
                if march_possible(reach, kingdom, soldiers, ships, one, two):
                    wanted.add(tuple((k + n, c, h) for n, (c, h) in enumerate(zip(one, two, strict=True)) if c + h))
        found = results(game, position)
        assert set(found) == wanted
        assert set(found.values()) == {1}
    assert seen >= 5


def shares(count, places):
    """Yield every way of sharing so many pieces among places."""
    if places == 1:
        yield (count,)
        return
    for here in range(count + 1):
        yield from ((here, *rest) for rest in shares(count - here, places - 1))


def test_perft_counts_the_results_of_a_march_as_one_decision_each():
    game, seen = GAMES[2], 0
    for position in marches(game, range(4)):
        count = sum(results(game, position).values())
        if count > 3000:
            continue
        seen += 1
        assert perft(game, position, 1) == count
        assert sum(divide(game, position, 1).values()) == count
        assert perft(game, position, 1, compound=False) == len(game.legal(position))
    assert seen >= 5


@pytest.mark.parametrize("players", PLAYERS)
def test_perft_of_the_first_decisions(players):
    game = GAMES[players]
    position = game.start()
    while game.actor(position) < 0:  # deal the first card there is to everybody
        position = game.apply(position, game.legal(position)[0])
    # six cards to play, a Hero or none, three face-up cards or the deck; and so on for the next seat
    counts = [perft(game, position, depth, chance=False) for depth in range(7)]
    assert counts == [1, 6, 6 * 2, 6 * 2 * 4, 6 * 2 * 4 * 6, 6 * 2 * 4 * 6 * 2, 6 * 2 * 4 * 6 * 2 * 4]


@pytest.mark.parametrize(("players", "policy"), list(product(PLAYERS, (uniform, "rare"))))
def test_whole_games_end_with_winners_after_three_rounds(players, policy):
    game = GAMES[players]
    for seed in range(10):
        last, count = playout(game, seed, Rare() if policy == "rare" else policy, limit=3000)
        assert game.actor(last) == OVER and last.round == 3 and game.result(last).winners
        assert 200 < count < 900


def test_a_compound_text_does_what_its_parts_do():
    game, forms = GAMES[3], Counter()
    for seed in range(3):
        played = list(steps(game, seed, Rare()))
        at = 0
        while at < len(played):
            end = at + 1
            while end < len(played) and game.inside(played[end].before):
                end += 1
            text = game.compound(played[at].before, [step.action for step in played[at:end]])
            if text is not None:
                forms[text.split()[0]] += 1
                taken = take_compound(game, played[at].before, text)
                assert taken is not None and taken[-1].after == played[end - 1].after
            at = end
    assert set(forms) == {"march", "routes", "holds"} and min(forms.values()) >= 5


def test_the_lists_hold_structs_of_the_actions_module():
    game = GAMES[2]
    kinds = {type(action) for step in steps(game, 3, Rare()) for action in game.legal(step.before)}
    assert {act.Deal, act.Turn, act.Route, act.Play, act.Send, act.Hold, act.Done, act.Withhold} <= kinds
