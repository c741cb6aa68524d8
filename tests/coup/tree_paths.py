"""Ways through the tree of Coup, in words."""

from kibitz.search.tree import Node
from kibitz.search.tree_words import Form


def at(node: Node, *texts: str) -> Node:
    """The node that is reached by some steps; ``P2 challenge`` where several players may do the same."""
    for text in texts:
        who, _, rest = text.partition(" ")
        seat = int(who[1:]) - 1 if who[0] == "P" and who[1:].isdigit() else None
        if text == "nobody":
            assert node.form is Form.WINDOW
            node = node.children[-1]
            continue
        found = [c for c in node.children if c.text == (text if seat is None else rest) and seat in (None, c.seat)]
        assert len(found) == 1, (text, [c.text for c in node.children])
        node = found[0]
    return node
