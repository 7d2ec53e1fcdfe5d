#!/usr/bin/env python3
"""The graph that network programs write with --graph: numpy, executing its layers one by one, gets our outputs; so
does the graph of nodes that libraries take. Wrong attributes and inputs are noticed. Usage: test_network_file.py
BUILD_FOLDER. Skipped (77) if no Python has numpy."""
import copy
import json
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE.parents[1] / "scripts"), str(HERE)]
BUILD = pathlib.Path(sys.argv.pop(1)).resolve()

from peers import interpreter

if not interpreter.has(sys.executable, ["numpy"]):
    if sys.executable != "/usr/bin/python3" and interpreter.has("/usr/bin/python3", ["numpy"]):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", __file__, str(BUILD)])
    sys.exit(77)

import numpy
from peers import network_file, ours, reference, safetensors
from peers.elements import random_elements
from peers.failure import Failure
from peers.graph import Node
from peers.operators.network import ALLOWED

NETWORKS = {"resnet18": ("--image-size", 33), "mobilenet_v2": ("--image-size", 33),
            "mlp:9-4": (), "solar_cnn": ("--image-size", 16), "alexnet_mri": (), "alexnet_tesina": ()}
BATCH = 2


def norm(layer, tensors, x):
    """A batch norm, unfolded."""
    part = {role: tensors[reported["tensor"]].astype(numpy.float64)[:, None, None]
            for role, reported in layer["parameters"].items()}
    root = numpy.sqrt(part["running_var"] + layer["attributes"]["epsilon"])
    return (x - part["running_mean"]) / root * part["weight"] + part["bias"]


def compute(layer, tensors, inputs):
    """Computes one layer of the file, independently of the readers in scripts/peers."""
    if layer["kind"] == "batchnorm":
        return norm(layer, tensors, *inputs)
    if layer["kind"] == "dropout":
        return inputs[0]
    sizes = {name: value for name, value in layer["attributes"].items()
             if name in ("kernel", "stride", "padding", "groups")}
    held = {role: tensors[reported["tensor"]].astype(numpy.float64)
            for role, reported in layer["parameters"].items()}
    node = Node(layer["kind"], layer["name"], (), weights=held.get("weight"),
                bias=held.get("bias"), **sizes)
    return reference.COMPUTE[layer["kind"]](node, *inputs)


def outputs_of(network, tensors, images):
    """The outputs of the whole file, in double precision."""
    held = {"input": images.astype(numpy.float64)}
    for layer in network["layers"]:
        held[layer["name"]] = compute(layer, tensors, [held[name] for name in layer["inputs"]])
    return held[network["output"]]


class Case:
    """A network's file, its parameters, and our outputs."""

    def __init__(self, folder, name, options):
        path = pathlib.Path(folder) / name.replace(":", "_")
        graph, weights, outputs = (f"{path}.{end}" for end in ("json", "safetensors", "npy"))
        ours.run("network", ["--network", name, *options, "--batch", BATCH, "--graph", graph,
                             "--save", weights, "-o", outputs], "none")
        self.path = graph
        self.network = json.loads(pathlib.Path(graph).read_text(encoding="utf-8"))
        self.tensors = safetensors.read(weights)
        self.known = numpy.load(outputs)
        self.images = random_elements(35, 9, network_file.input_shape(self.network, BATCH))

    def disagrees(self, found):
        """Compares as the peers do. Written so that NaN counts as a difference."""
        found = found.reshape(self.known.shape).astype(numpy.float32)
        return not (numpy.abs(found - self.known) <= ALLOWED * numpy.abs(self.known).max()).all()

    def refused(self, network):
        """The reason why a changed file is refused, or None if it is read."""
        changed = pathlib.Path(self.path).with_suffix(".changed")
        changed.write_text(json.dumps(network), encoding="utf-8")
        try:
            network_file.read(changed)
        except Failure as failure:
            return str(failure)
        return None

    def noticed(self, network):
        """True if the file is refused or its outputs differ from ours."""
        if self.refused(network):
            return True
        graph = network_file.build(network, BATCH, self.tensors)
        return self.disagrees(reference.compute(graph, self.images))


class NetworkFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.argv[0] = str(BUILD / "bin" / "network_numpy")
        cls.folder = tempfile.TemporaryDirectory()
        cls.cases = {name: Case(cls.folder.name, name, options)
                     for name, options in NETWORKS.items()}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_network_is_here(self):
        listed = ours.subprocess.run([BUILD / "bin" / "network_serial", "--list-networks"],
                                     capture_output=True, text=True, check=True).stdout
        self.assertEqual({line.split()[0].partition(":")[0] for line in listed.splitlines()},
                         {name.partition(":")[0] for name in NETWORKS})

    def test_layers_of_the_file_compute_what_ours_do(self):
        for name, case in self.cases.items():
            with self.subTest(name):
                self.assertFalse(case.disagrees(
                    outputs_of(case.network, case.tensors, case.images)))

    def test_nodes_for_libraries_compute_what_ours_do(self):
        for name, case in self.cases.items():
            with self.subTest(name):
                network = network_file.read(case.path)
                graph = network_file.build(network, BATCH, case.tensors)
                self.assertFalse({node.kind for node in graph.nodes} & {"batchnorm", "dropout"})
                self.assertFalse(case.disagrees(reference.compute(graph, case.images)))

    def test_dropouts_are_a_trainings(self):
        case = self.cases["solar_cnn"]
        graph = network_file.build(case.network, BATCH, case.tensors, training=True)
        self.assertEqual([node.rate for node in graph.nodes if node.kind == "dropout"],
                         [0.25, 0.5])

    def test_every_wrong_attribute_is_noticed(self):
        """In the first layer of each kind, each attribute gets another number, or is removed."""
        for name, case in self.cases.items():
            kinds = {layer["kind"]: at for at, layer in
                     reversed(list(enumerate(case.network["layers"])))}
            for kind, at in kinds.items():
                for attribute, value in case.network["layers"][at]["attributes"].items():
                    changed = copy.deepcopy(case.network)
                    reported = changed["layers"][at]["attributes"]
                    reported[attribute] = value * 1000 if attribute == "epsilon" else value + 1
                    with self.subTest(f"{name}: {kind}: {attribute}"):
                        self.assertTrue(case.noticed(changed))
                        del reported[attribute]
                        self.assertIn(changed["layers"][at]["name"], case.refused(changed))

    def test_windows_that_make_the_same_shape_are_noticed(self):
        case = self.cases["alexnet_mri"]
        changed = copy.deepcopy(case.network)
        pool = next(layer for layer in changed["layers"] if layer["kind"] == "maxpool")
        pool["attributes"].update(kernel=3, padding=1)
        self.assertIsNone(case.refused(changed))
        self.assertTrue(case.noticed(changed))

    def test_another_input_of_the_same_shape_is_noticed(self):
        case = self.cases["resnet18"]
        changed = copy.deepcopy(case.network)
        add = next(layer for layer in changed["layers"] if layer["kind"] == "add")
        add["inputs"][1] = add["inputs"][0]
        self.assertIsNone(case.refused(changed))
        self.assertTrue(case.noticed(changed))

    def test_what_is_no_network_is_refused(self):
        case = self.cases["solar_cnn"]

        def kind(network):
            network["layers"][1]["kind"] = "gelu"

        def later(network):
            network["layers"][0]["inputs"] = [network["layers"][1]["name"]]

        def twice(network):
            network["layers"][1]["name"] = network["layers"][0]["name"]

        def two(network):
            network["layers"][1]["inputs"] *= 2

        def shape(network):
            network["layers"][0]["shape"][1] += 1

        def bare(network):
            network["layers"][0]["parameters"] = {}

        def weight(network):
            network["layers"][0]["parameters"]["weight"]["shape"][0] += 1

        def last(network):
            network["output"] = network["layers"][0]["name"]

        def version(network):
            network["version"] += 1

        def layers(network):
            del network["layers"]

        for spoil in (kind, later, twice, two, shape, bare, weight, last, version, layers):
            changed = copy.deepcopy(case.network)
            spoil(changed)
            with self.subTest(spoil.__name__):
                self.assertTrue(case.refused(changed))

    def test_parameters_of_another_network_are_refused(self):
        case = self.cases["solar_cnn"]
        with self.assertRaisesRegex(Failure, "conv1.weight"):
            network_file.build(case.network, BATCH, self.cases["resnet18"].tensors)
        spoiled = dict(case.tensors)
        spoiled["dense2.bias"] = spoiled["dense1.bias"]
        with self.assertRaisesRegex(Failure, "dense2.bias"):
            network_file.build(case.network, BATCH, spoiled)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
