"""Files of networks, which are refused by name where they are damaged or foreign, and the shelf that compiled code reads."""

import json
from pathlib import Path

import numpy as np
import pytest

from kibitz.game.evaluator import FIRST, network_size
from kibitz.game.nets import BOOKS, FloatLayers, InvalidNetwork, NetShelf, Network, NoNetwork
from tests.game.test_evaluator import INPUTS, WIDE, layers

pytestmark = pytest.mark.plain

VARIANTS = ("two", "three")


def network(seed: int = 0, variant: str = "two", wide: int = WIDE, **changes: str) -> Network:
    about = {"game": "toy", "layout": "abcd", **changes}
    return Network(about["game"], INPUTS, about["layout"], variant, layers(seed, wide=wide).quantised(), {"generation": 3})


@pytest.fixture
def shelf(tmp_path: Path) -> NetShelf:
    folder = tmp_path / "nets"
    folder.mkdir()
    network(5, "three").save(folder / "three.net")
    return NetShelf("toy", INPUTS, WIDE, "abcd", VARIANTS, folder)


def test_a_file_is_read_as_it_was_written(tmp_path):
    net = network()
    net.save(tmp_path / "a.net")
    again = Network.load(tmp_path / "a.net")
    assert again.weights.tolist() == net.weights.tolist()
    assert (again.game, again.variant, again.layout, again.about) == ("toy", "two", "abcd", {"generation": 3})
    assert again.checksum == net.checksum != network(1).checksum
    assert [path.name for path in tmp_path.iterdir()] == ["a.net"]


def test_what_is_damaged_is_refused_with_its_checksum(tmp_path):
    path = tmp_path / "a.net"
    network().save(path)
    whole = path.read_bytes()
    for damaged in (whole[:-2], whole[:-1], whole + b"\0\0", whole[:-9] + b"X" + whole[-8:]):
        path.write_bytes(damaged)
        with pytest.raises(
            InvalidNetwork, match=rf"a\.net: (damaged \(its checksum is not {network().checksum}\)|not a network)"
        ):
            Network.load(path)
    path.write_bytes(whole.replace(b'"two"', b'"six"'))
    with pytest.raises(InvalidNetwork, match="damaged"):
        Network.load(path)


@pytest.mark.parametrize("content", [b"", b"hello\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b"x" * (1 << 20)])
def test_what_is_no_network_is_refused(tmp_path, content):
    path = tmp_path / "a.net"
    path.write_bytes(content)
    with pytest.raises(InvalidNetwork, match=r"a\.net: not a network of Kibitz"):
        Network.load(path)
    with pytest.raises(InvalidNetwork, match="No such file"):
        Network.load(tmp_path / "none.net")


def test_another_version_is_named(tmp_path):
    path = tmp_path / "a.net"
    network().save(path)
    head, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(head), "version": 9}).encode() + b"\n" + rest)
    with pytest.raises(InvalidNetwork, match="a network of version 9; this Kibitz reads version 2"):
        Network.load(path)


@pytest.mark.parametrize(
    ("net", "message"),
    [
        (network(game="ludo"), "a network for ludo, not for toy"),
        (network(layout="efgh"), "made for other inputs than this Kibitz has; train it again"),
        (network(variant="nine"), "made for 'nine', which is none of two, three"),
        (network(wide=2 * WIDE), "256 numbers wide, and this Kibitz reads at most 128; train it again"),
        (network(wide=100), "damaged"),
        (network(wide=2), "damaged"),
    ],
    ids=["game", "layout", "variant", "wide", "odd width", "narrow"],
)
def test_a_shelf_refuses_what_is_foreign_or_outdated(shelf, tmp_path, net, message):
    net.save(tmp_path / "a.net")
    with pytest.raises(InvalidNetwork, match=message):
        shelf.read(tmp_path / "a.net")


@pytest.mark.parametrize("wide", [16, WIDE])
def test_the_layers_of_integers_are_those_that_they_came_from(wide):
    weights = layers(4, wide=wide).quantised()
    again = FloatLayers.of(weights, INPUTS)
    assert again.first == pytest.approx(layers(4, wide=wide).first, abs=1 / (1 << FIRST))
    assert again.quantised().tolist() == weights.tolist()
    with pytest.raises(ValueError, match=f"{len(weights) - 2} numbers make no network for {INPUTS} inputs"):
        FloatLayers.of(weights[:-2], INPUTS)


def test_a_shelf_has_room_for_a_narrower_network(shelf, tmp_path):
    network(wide=64).save(tmp_path / "a.net")
    net = shelf.read(tmp_path / "a.net")
    assert net.wide == 64
    assert shelf.has("two", shelf.add([net]))


@pytest.mark.parametrize("inputs", [-193, 0, 20.0, "20", None])
def test_inputs_that_are_no_number_of_inputs_are_refused(tmp_path, inputs):
    path = tmp_path / "a.net"
    network().save(path)
    head, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(head), "inputs": inputs}).encode() + b"\n" + rest)
    with pytest.raises(InvalidNetwork, match=r"a\.net: not a network of Kibitz"):
        Network.load(path)


def test_a_shelf_begins_with_what_comes_with_the_game(shelf):
    assert [shelf.has(variant) for variant in VARIANTS] == [False, True]
    assert shelf.book(0)["three"].checksum == network(5, "three").checksum
    assert shelf.numbers.shape == (BOOKS, 2, network_size(INPUTS, WIDE))


def test_the_same_networks_share_a_book_and_there_is_room_for_so_many(shelf):
    first = shelf.add([network(1)])
    assert first == 1
    assert shelf.add([network(1)]) == first
    assert [shelf.has(variant, first) for variant in VARIANTS] == [True, False]
    for seed in range(2, BOOKS):
        shelf.add([network(seed)])
    with pytest.raises(NoNetwork, match="no room for more than 15 networks"):
        shelf.add([network(99)])
    assert np.array_equal(shelf.numbers[3, 0], network(3).weights)
