"""A computation as libraries are given it: nodes in order, each naming those that it reads. One
convolution is a graph of one node, and so is a whole network's every layer."""
from dataclasses import dataclass, field

INPUT = ""
"""In place of a node's name: the images."""


@dataclass
class Node:
    """One step: of a kind as our layers are (peers/network_file.py), all but batch norms."""

    kind: str
    name: str
    reads: tuple
    weights: object = None  # conv: K x C/G x k x k; linear: out x in
    bias: object = None
    kernel: int = 0
    stride: int = 1
    padding: int = 0
    groups: int = 1
    rate: float = 0.0  # dropout: of what it sets to 0


@dataclass
class Graph:
    """Nodes from the images to the last one's output."""

    shape: tuple  # of the input, the batch first
    nodes: list = field(default_factory=list)

    def add(self, kind, reads, name=None, **what):
        """Appends a node and returns its name."""
        node = Node(kind, name or f"{kind}{len(self.nodes)}",
                    (reads,) if isinstance(reads, str) else tuple(reads), **what)
        self.nodes.append(node)
        return node.name

    @property
    def output(self):
        """The name of the last node."""
        return self.nodes[-1].name
