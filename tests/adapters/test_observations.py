"""Observations: everything that a seat may know, and nothing else."""

import numpy as np
import pytest

from kibitz import GAMES as NAMES
from kibitz import game
from kibitz.adapters.setting import setting
from kibitz.game.doors import redeal_at, reseed_at
from kibitz.ground.jit import uint64
from tests.adapters.test_actions import positions

pytestmark = pytest.mark.plain


@pytest.mark.untraced
@pytest.mark.parametrize("name", NAMES)
def test_all_redeals_look_the_same(name):
    """What an environment shows: the observation, and whoever is to move also the mask of what is legal."""
    others = 0
    for step, (here, states) in enumerate(positions(name, 150)):
        if step % 3:
            continue
        xs = here.game.scratches()
        reseed_at(xs, 0, uint64(step))
        for seat in range(here.seats):
            other = states.copy()
            redeal_at(other, 0, xs, 0, seat)
            assert (here.layout.observe(states, seat) == here.layout.observe(other, seat)).all()
            if game.actor_at(states, 0) == seat:
                assert here.actions.legal(states) == here.actions.legal(other)
            others += any((here.layout.observe(states, s) != here.layout.observe(other, s)).any() for s in range(here.seats))
    assert others > 3  # some of them are other worlds


@pytest.mark.parametrize("name", NAMES)
def test_observations_keep_their_bounds(name):
    for here, states in positions(name, 150):
        low, high = here.layout.bounds()
        found = here.layout.observe(states, here.seats - 1)[0]
        assert found.shape == (here.layout.size,)
        assert (low <= found).all()
        assert (found <= high).all()


@pytest.mark.parametrize("name", ["catan", "coup"])
def test_every_field_is_what_the_state_says(name):
    """A slow reading of the struct, bit by bit."""
    for step, (here, states) in enumerate(positions(name, 150)):
        if step % 10:
            continue
        seat = step // 10 % here.seats
        shown = here.layout.split(here.layout.observe(states, seat)[0])
        view = states.copy()
        game.hide_at(view, 0, seat)
        values = game.to_dict(view)
        assert shown.pop("seat") == seat
        for part in here.layout.parts[1:]:
            expected = values[part.name][seat] if part.own else values[part.name]
            if part.bits:
                masks = np.array(expected, object).ravel()
                expected = [[mask >> bit & 1 for bit in range(part.bits)] for mask in masks]
            assert np.ravel(shown[part.name]).tolist() == np.ravel(expected).tolist(), part.name


def test_one_piece_shows_the_own_hand_and_the_size_of_the_other():
    for here, states in positions("onepiece", 60):
        s = states[0]
        for seat in range(2):
            shown = here.layout.split(here.layout.observe(states, seat)[0])
            assert shown["hand_size"].tolist() == [len(s.hand[0]), len(s.hand[1])]
            assert [d for d, n in enumerate(shown["hand"][seat]) for _ in range(n)] == sorted(s.hand[seat])
            assert shown["hand"][1 - seat].sum() == sum(s.shown[1 - seat].values())
            assert shown["field"][seat, 0, 0] == s.field[seat][0].design + 1


#: Games for which nothing was written: of structs, with wide fields; of plain objects; with cards by name.
OTHERS = ["kuhn", "liars_dice", "examples/love_letter.py"]


@pytest.mark.parametrize("name", OTHERS)
def test_other_games_show_everything_in_their_views(name):
    worlds = 0
    for step, (here, states) in enumerate(positions(name, 40)):
        low, high = here.layout.bounds()
        xs = here.game.scratches()
        reseed_at(xs, 0, uint64(step))
        for seat in range(here.seats):
            shown = here.layout.observe(states, seat)[0]
            assert shown.shape == (here.layout.size,)
            assert ((low <= shown) & (shown <= high)).all()
            assert shown[0] == seat
            world = states.copy()
            redeal_at(world, 0, xs, 0, seat)
            assert (here.layout.observe(world, seat)[0] == shown).all()
            worlds += (here.layout.observe(world, 1 - seat)[0] != here.layout.observe(states, 1 - seat)[0]).any()
    assert worlds > 0


def test_wide_fields_are_shown_in_words_of_sixteen_bits():
    here = setting("liars_dice")
    states = here.start(0)
    states["roll"][0] = [66666, -1]
    words = here.layout.split(here.layout.observe(states, 0)[0])["roll"].astype(np.uint16).tolist()
    assert [low + (high << 16) for low, high in words] == [66666, 2**32 - 1]


def test_the_entries_of_a_plain_state_are_named():
    here = setting("examples/love_letter.py", 2)
    shown = here.layout.split(here.layout.observe(here.start(0), 1)[0])
    assert (shown["seat"], shown["seats"], shown["turn"]) == (1, 2, 0)
    assert shown["out"][:3].tolist() == [2, 0, 0]  # two players, both still in
