"""A computation in the form that libraries take: nodes in order, each naming the nodes that it reads. A convolution is
a graph of one node; a whole network has a node per layer."""
from dataclasses import dataclass, field

INPUT = ""
"""Stands for the images, where a node's name is expected."""


@dataclass
class Node:
    """One step; kinds are those of our layers (peers/network_file.py) except batch norms."""

    kind: str
    name: str
    reads: tuple
    weights: object = None  # conv: K x C/G x k x k; linear: out x in
    bias: object = None
    kernel: int = 0
    stride: int = 1
    padding: int = 0
    groups: int = 1
    rate: float = 0.0  # dropout: the fraction that it sets to 0


@dataclass
class Graph:
    """Nodes, from the images to the output of the last one."""

    shape: tuple  # of the input, batch first
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
