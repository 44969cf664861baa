"""Tests of the exporter of ONNX graphs: operators have the costs of publications and of closed forms, and what
cannot be worked out is refused in one sentence."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    if "LIGHTPATH_BUILD" in os.environ:
        raise
    raise unittest.SkipTest(f"python3-onnx is missing ({error}): install it, and call /usr/bin/python3") from error

EXPORTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "utils", "onnx-operators.py")
PROGRAM = os.path.join(os.environ.get("LIGHTPATH_BUILD", "build"), "lightpath-model")
COSTS = ("flops", "readBytes", "writtenBytes", "parameterBytes", "savedBytes")


class Graph:
    """A graph that grows node by node."""

    def __init__(self, opset=13):
        self.nodes, self.constants, self.inputs, self.names, self.opset = [], [], [], 0, opset

    def name(self, prefix):
        """Returns a new name."""
        self.names += 1
        return f"{prefix}{self.names}"

    def input(self, shape, kind=TensorProto.FLOAT):
        """Adds an input and returns its name."""
        self.inputs.append(helper.make_tensor_value_info(self.name("input"), kind, shape))
        return self.inputs[-1].name

    def weights(self, *shape):
        """Adds an initial value whose elements are in a file that does not exist."""
        tensor = TensorProto(name=self.name("weights"), data_type=TensorProto.FLOAT, dims=shape,
                             data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="none.bin")
        self.constants.append(tensor)
        return tensor.name

    def constant(self, values, kind=numpy.int64):
        """Adds an initial value and returns its name."""
        self.constants.append(numpy_helper.from_array(numpy.array(values, kind), self.name("constant")))
        return self.constants[-1].name

    def add(self, kind, *inputs, outputs=1, **attributes):
        """Adds a node and returns the name of its output, or of its outputs."""
        names = [self.name("t") for _ in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=self.name(kind), **attributes))
        return names[0] if outputs == 1 else names

    def model(self):
        """Returns the model, whose output is that of the last node."""
        output = onnx.ValueInfoProto(name=self.nodes[-1].output[0] if self.nodes else "none")
        graph = helper.make_graph(self.nodes, "graph", self.inputs, [output], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)])


def make_resnet(batch):
    """Returns ResNet-50 with the stride in the second convolution of a block."""
    graph = Graph()

    def convolve(value, channels, width, kernel, stride):
        value = graph.add("Conv", value, graph.weights(width, channels, kernel, kernel), strides=[stride] * 2,
                          pads=[kernel // 2] * 4)
        return graph.add("BatchNormalization", value, *(graph.weights(width) for _ in range(4)))

    value = graph.add("Relu", convolve(graph.input([batch, 3, 224, 224]), 3, 64, 7, 2))
    value = graph.add("MaxPool", value, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            inner = graph.add("Relu", convolve(value, channels, width, 1, 1))
            inner = graph.add("Relu", convolve(inner, width, width, 3, stride))
            inner = convolve(inner, width, 4 * width, 1, 1)
            value = convolve(value, channels, 4 * width, 1, stride) if block == 0 else value
            channels = 4 * width
            value = graph.add("Relu", graph.add("Add", inner, value))
    value = graph.add("Flatten", graph.add("GlobalAveragePool", value))
    graph.add("Gemm", value, graph.weights(1000, 2048), graph.weights(1000), transB=1)
    return graph


def make_transformer(tokens, layers=2, width=768, heads=12, vocabulary=1000):
    """Returns a decoder in the manner of GPT-2, as exporters write it, with shapes that it computes."""
    graph = Graph()
    ids = graph.input(["batch", tokens], TensorProto.INT64)
    shape = graph.add("Shape", ids)
    sizes = [graph.add("Gather", shape, graph.constant(place)) for place in range(2)]
    positions = graph.add("Range", graph.constant(0), sizes[1], graph.constant(1))
    sizes = [graph.add("Unsqueeze", each, graph.constant([0])) for each in sizes]
    table = graph.weights(vocabulary, width)
    positions = graph.add("Gather", graph.weights(1024, width), positions)
    value = graph.add("Add", graph.add("Gather", table, ids), positions)
    head_shape = graph.add("Concat", *sizes, graph.constant([heads, width // heads]), axis=0)
    whole_shape = graph.add("Concat", *sizes, graph.constant([width]), axis=0)

    def norm(value):
        centred = graph.add("Sub", value, graph.add("ReduceMean", value, axes=[-1]))
        variance = graph.add("ReduceMean", graph.add("Pow", centred, graph.constant(2, numpy.float32)), axes=[-1])
        value = graph.add("Div", centred, graph.add("Sqrt", variance))
        return graph.add("Add", graph.add("Mul", value, graph.weights(width)), graph.weights(width))

    def product(value, rows, columns):
        return graph.add("Add", graph.add("MatMul", value, graph.weights(rows, columns)), graph.weights(columns))

    for _ in range(layers):
        parts = graph.add("Split", product(norm(value), width, 3 * width), outputs=3, axis=2)
        query, key, content = (graph.add("Transpose", graph.add("Reshape", part, head_shape), perm=order)
                               for part, order in zip(parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])))
        inner = graph.add("MatMul", graph.add("Softmax", graph.add("MatMul", query, key), axis=-1), content)
        inner = graph.add("Reshape", graph.add("Transpose", inner, perm=[0, 2, 1, 3]), whole_shape)
        value = graph.add("Add", value, product(inner, width, width))
        inner = graph.add("Tanh", product(norm(value), width, 4 * width))
        value = graph.add("Add", value, product(inner, 4 * width, width))
    graph.add("MatMul", norm(value), graph.add("Transpose", table, perm=[1, 0]))
    return graph


class OnnxTests(unittest.TestCase):
    """Graphs of the package, read by the exporter."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.input = folder.name, os.path.join(folder.name, "model.onnx")
        self.output = os.path.join(folder.name, "model.json")

    def run_exporter(self, *options):
        """Runs the exporter."""
        return subprocess.run([sys.executable, EXPORTER, self.input, self.output, *options], check=False,
                              capture_output=True, text=True)

    def export(self, graph, *options):
        """Returns the operators of the forward pass."""
        onnx.save(graph.model(), self.input)
        process = self.run_exporter(*options)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        with open(self.output, encoding="utf-8") as file:
            self.document = json.load(file)
        return self.document["operators"]

    def read(self, graph, *options):
        """Returns all operators as the program reads them, with their edges and the bytes of the optimiser."""
        self.export(graph, *options)
        return self.show(self.output)

    def show(self, model):
        """Returns a model as the program writes it."""
        if "LIGHTPATH_BUILD" not in os.environ and not os.path.exists(PROGRAM):
            self.skipTest(f"{PROGRAM} is missing: build it, or set LIGHTPATH_BUILD")
        process = subprocess.run([PROGRAM, f"--show={model}", "--json=-"], check=False, capture_output=True, text=True)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        return json.loads(process.stdout)

    def check_refused(self, part, *options):
        """Checks that the file is refused in one sentence with a part, and that nothing is written."""
        if os.path.exists(self.output):
            os.remove(self.output)
        process = self.run_exporter(*options)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count("\n"), 1)
        self.assertIn(part, process.stderr)
        self.assertEqual(os.listdir(self.folder), ["model.onnx"])

    def refuse(self, graph, part, *options):
        """Checks that a graph is refused."""
        onnx.save(graph.model(), self.input)
        self.check_refused(part, *options)

    def check_last(self, graph, *options, **wanted):
        """Checks members of the operator of the last node."""
        last = self.export(graph, *options)[-1]
        self.assertEqual({key: last.get(key) for key in wanted}, wanted)

    def check_totals(self, operators, parameters, multiply_adds):
        """Checks the parameters, of which shared ones count once, and the multiply-adds of a sample."""
        self.assertEqual(sum(each["parameters"] - each.get("tiedParameters", 0) for each in operators), parameters)
        self.assertEqual(sum(each.get("multiplyAdds", 0) for each in operators), multiply_adds)

    def test_resnet(self):
        """Torchvision's documentation has 25 557 032 parameters and 4.09 G multiply-adds."""
        operators = self.export(make_resnet("batch"))
        self.check_totals(operators, 25557032, 4089184256)
        # 16 blocks, the stem and the classifier
        self.assertEqual(operators[-1]["layer"], 17)
        self.assertEqual(self.export(make_resnet(4)), operators)
        self.assertEqual(self.export(make_resnet("batch"), "--samples=4"), operators)

    def test_zoo(self):
        """ResNet-50 has the costs of that of the zoo in all passes but for the loss."""
        mine = self.read(make_resnet("batch"), "--optimizer=momentum")["operators"]
        theirs = [each for each in self.show("resnet50")["operators"] if each["kind"] != "loss"]
        for key in COSTS:
            self.assertEqual(*(sum(each.get(key, 0) for each in part) for part in (mine, theirs)), key)

    def test_perceptron(self):
        """A perceptron of widths 784, 300, 100 and 10."""
        graph, widths = Graph(), (784, 300, 100, 10)
        value = graph.input(["n", widths[0]])
        for rows, columns in zip(widths, widths[1:]):
            value = graph.add("Relu", graph.add("Gemm", value, graph.weights(rows, columns), graph.weights(columns)))
        self.check_totals(self.export(graph), 266610, 784 * 300 + 300 * 100 + 100 * 10)

    def test_transformer(self):
        """A decoder has the parameters and products of its formula, whether its dimensions are open or not."""
        tokens, width = 128, 768
        operators = self.export(make_transformer(tokens))
        self.check_totals(operators, 2 * (12 * width + 13) * width + 2 * width + 2024 * width,
                          (2 * (12 * width + 2 * tokens) + 1000) * width * tokens)
        # Two layers of two parts each, the embedding and the head
        self.assertEqual(operators[-1]["layer"], 5)
        self.assertEqual(self.export(make_transformer("tokens"), f"--sequence={tokens}"), operators)
        self.assertEqual(self.export(make_transformer("tokens"), f"--size=tokens={tokens}"), operators)
        self.refuse(make_transformer("tokens"), 'dimension "tokens" of an input is open: give its size')

    def test_shared(self):
        """Weights that several operators share count once, and are updated from the sum of their gradients."""
        graph = Graph()
        shared = graph.weights(4, 4)
        value = graph.add("Gemm", graph.input(["n", 4]), shared, graph.weights(4))
        graph.add("Gemm", value, shared, graph.weights(4))
        self.check_totals(self.export(graph), 16 + 4 + 4, 2 * 16)
        document = self.read(graph)
        updates = {each["forward"]: each["parameters"] for each in document["operators"] if each["kind"] == "optimizer"}
        self.assertEqual(updates, {"layer0.Gemm5": 20, "layer1.Gemm8": 4})
        self.assertIn(["layer1.Gemm8.weight-gradient", "layer0.Gemm5.weight-gradient"], document["edges"])

    def test_kept(self):
        """Three products keep the input that they share once; each gradient of weights reads it."""
        graph = Graph()
        value = graph.add("Gemm", graph.input(["n", 4]), graph.weights(4, 8))
        products = [graph.add("MatMul", value, graph.weights(8, 2)) for _ in range(3)]
        graph.add("Sum", *products)
        self.assertEqual([each["savedBytes"] for each in self.export(graph)], [8, 16, 0, 0, 0])
        operators = {each["name"]: each for each in self.read(graph)["operators"]}
        for node in graph.nodes[1:4]:
            self.assertEqual(operators[f"layer1.{node.name}.weight-gradient"]["readBytes"], 2 * (8 + 2))

    def test_parts(self):
        """What reads a part of a result waits for it and reads that part; two parts may be the whole."""
        graph = Graph()
        value = graph.add("Gemm", graph.input(["n", 4]), graph.weights(4, 6))
        first, second = graph.add("Split", value, outputs=2, axis=1)
        graph.add("Mul", graph.add("Relu", first), graph.add("Sub", first, second))
        self.export(graph)
        gemm, relu, difference, product = (f"layer0.{graph.nodes[i].name}" for i in (0, 2, 3, 4))
        self.assertEqual(self.document["edges"], [[gemm, relu, 6], [gemm, difference], [relu, product],
                                                  [difference, product]])

    def test_mask(self):
        """What depends on no parameters has no gradient."""
        graph = Graph()
        value, mask = graph.input(["n", 4]), graph.input(["n", 4])
        mask = graph.add("MatMul", graph.add("Neg", mask), graph.add("ConstantOfShape", graph.constant([4, 4])))
        graph.add("Add", graph.add("MatMul", value, graph.weights(4, 4)), mask)
        for each in self.read(graph)["operators"]:
            if each.get("pass") == "backward" and each["forward"].startswith(("layer0.Neg", "layer0.MatMul7")):
                self.assertFalse({"flops", "multiplyAdds", "readBytes", "writtenBytes", "parameterBytes"} & set(each))

    def test_batch(self):
        """15 elements of a sample take 8 operations each, whatever the batch is."""
        for size, options, flops in (("n", (), 120), ("n", ("--samples=7",), 120), (None, ("--samples=3",), 120),
                                     (6, (), 120), (6, ("--samples=2",), 360), (6, ("--samples=12",), 60)):
            graph = Graph()
            graph.add("Tanh", graph.input([size, 3, 5]))
            self.check_last(graph, *options, flops=flops)

    def test_products(self):
        """Grouped and transposed convolutions, sums over indices, products of activations."""
        graph = Graph()
        graph.add("Conv", graph.input(["n", 4, 9, 9]), graph.weights(6, 2, 3, 3), group=2, strides=[2, 2], pads=[1] * 4)
        self.check_last(graph, kind="convolution", multiplyAdds=6 * 25 * 2 * 9, parameters=108, outputBytes=2 * 150)
        graph = Graph()
        graph.add("ConvTranspose", graph.input(["n", 4, 5, 5]), graph.weights(4, 2, 3, 3), strides=[2, 2])
        self.check_last(graph, multiplyAdds=4 * 25 * 2 * 9, outputBytes=2 * 2 * 11 * 11)
        graph = Graph()
        graph.add("Einsum", graph.input(["n", 3, 4]), graph.weights(4, 2, 5), equation="bld, dhk -> blhk")
        self.check_last(graph, kind="matmul", multiplyAdds=3 * 4 * 2 * 5, parameters=40, outputBytes=2 * 30)
        graph = Graph()
        graph.add("MatMul", graph.input(["n", 2, 3, 4]), graph.input(["n", 2, 4, 5]))
        self.check_last(graph, kind="attention", multiplyAdds=120, readBytes=2 * (24 + 40), outputBytes=2 * 30)

    def test_elements(self):
        """Costs of operators on the 24 numbers of a product, and on rows."""
        for kind, parameters, attributes, wanted in (
                ("Softmax", (), {}, {"flops": 120, "savedBytes": 48, "backwardReadBytes": 96}),
                ("Relu", (), {}, {"flops": 24, "backwardReadBytes": 96}),
                ("Tanh", (), {}, {"flops": 192, "savedBytes": 48, "backwardReadBytes": 96}),
                ("Dropout", (), {}, {"writtenBytes": 48 + 24, "savedBytes": 24}),
                ("LayerNormalization", ([4], [4]), {}, {"flops": 192, "parameters": 8, "backwardFlops": 384,
                                                        "backwardReadBytes": 192}),
                ("BatchNormalization", ([2],) * 4, {}, {"flops": 240, "parameters": 4, "readBytes": 96,
                                                        "backwardReadBytes": 144}),
                ("LRN", (), {"size": 3}, {"flops": 168, "backwardFlops": 336, "savedBytes": 96}),
                ("MaxPool", (), {"kernel_shape": [3, 2], "strides": [3, 2]}, {"flops": 6 * 4, "writtenBytes": 8 + 4}),
                ("GlobalAveragePool", (), {}, {"flops": 24, "outputBytes": 4}),
                ("Add", ([4],), {}, {"flops": 24, "parameters": 4, "parameterBytes": 8, "backwardFlops": 24}),
                ("Mul", ([4],), {}, {"flops": 24, "savedBytes": 48, "backwardFlops": 48}),
                ("ReduceMax", (), {"axes": [1]}, {"flops": 24, "savedBytes": 48, "outputBytes": 24})):
            graph = Graph(17)
            value = graph.add("MatMul", graph.input(["n", 2, 3, 4]), graph.weights(4, 4))
            graph.add(kind, value, *(graph.weights(*each) for each in parameters), **attributes)
            with self.subTest(kind):
                self.check_last(graph, **wanted)
        graph = Graph()
        value = graph.add("Gather", graph.weights(10, 6), graph.input(["n", 3], TensorProto.INT64))
        self.check_last(graph, kind="embedding", parameters=60, inputBytes=12, readBytes=12 + 36,
                        backwardReadBytes=12 + 72)
        value = graph.add("Flatten", value)
        graph.add("SoftmaxCrossEntropyLoss", value, graph.input(["n"], TensorProto.INT64))
        self.check_last(graph, kind="loss", flops=90, outputBytes=4, savedBytes=72, backwardReadBytes=72)

    def test_precision(self):
        """A number has 2 or 4 bytes; with its master copy a parameter has 12, 8 or 4 bytes more."""
        graph = Graph()
        graph.add("Gemm", graph.input(["n", 4]), graph.weights(4, 3))
        self.check_last(graph, readBytes=8, outputBytes=6, parameterBytes=24)
        self.check_last(graph, "--precision=single", readBytes=16, outputBytes=12, parameterBytes=48)
        for optimizer, size in (("adam", 12), ("momentum", 8), ("sgd", 4)):
            self.assertEqual(self.read(graph, f"--optimizer={optimizer}")["optimizerBytes"], size)

    def test_shapes(self):
        """Shapes that the package does not work out, in all releases, or not without values."""
        graph = Graph()
        # Windows begin at 0, 3 and 6; one at 9 would begin behind the 8 elements
        graph.add("MaxPool", graph.input([1, 1, 8]), kernel_shape=[1], strides=[3], ceil_mode=1)
        self.check_last(graph, outputBytes=2 * 3)
        graph = Graph(18)
        graph.add("Relu", graph.add("Split", graph.input([1, 7]), outputs=3, axis=1, num_outputs=3)[2])
        self.check_last(graph, outputBytes=2 * 1)
        graph = Graph(18)
        value = graph.add("Pad", graph.input([1, 8, 6]), graph.constant([1, 2]), "", graph.constant([2]))
        self.check_last(graph, outputBytes=2 * 8 * 9)
        graph.add("ReduceMax", value, graph.constant([1]))
        self.check_last(graph, outputBytes=2 * 9)

    def test_computed_shape(self):
        """A shape is computed from that of the input, in integers and in floating-point numbers."""
        graph = Graph()
        value = graph.input(["n", 6, 5, 8])
        shape = graph.add("Shape", value)
        rest = graph.add("ReduceProd", graph.add("Slice", shape, graph.constant([1]), graph.constant([4])), axes=[0])
        half = graph.add("Mul", graph.add("Cast", rest, to=1), graph.constant(0.5, numpy.float32))
        half = graph.add("Cast", half, to=7)
        batch = graph.add("Slice", shape, graph.constant([0]), graph.constant([1]))
        value = graph.add("Reshape", value, graph.add("Concat", batch, graph.constant([2]), half, axis=0))
        graph.add("MatMul", value, graph.weights(120, 3))
        self.check_last(graph, "--samples=5", multiplyAdds=240 * 3, outputBytes=2 * 2 * 3)

    def test_refusals(self):
        """What cannot be worked out is refused by the name of the node."""
        graph = Graph()
        graph.add("LSTM", graph.input([1, 2, 3]), graph.weights(1, 8, 3), graph.weights(1, 8, 2), hidden_size=2)
        self.refuse(graph, 'node "LSTM5" (LSTM): there is no cost of this operator: export the model with')
        graph = Graph()
        graph.add("Relu", "none")
        self.refuse(graph, 'it reads "none", which no node before it writes')
        graph = Graph()
        graph.add("MatMul", graph.input([1, 3]), graph.weights(4, 5))
        self.refuse(graph, "inputs of the shapes 1 x 3 and 4 x 5 do not go together")
        graph = Graph()
        graph.add("Conv", graph.input([1, 4, 9, 9]), graph.weights(6, 3, 3, 3))
        self.refuse(graph, "weights of the shape 6 x 3 x 3 x 3 in 1 groups do not fit 4 channels")
        graph = Graph()
        # Releases of the package crash, others say that the shapes do not fit
        graph.add("ConvTranspose", graph.input([1, 6, 4, 4]), graph.weights(6), auto_pad="SAME_UPPER")
        self.refuse(graph, "model.onnx: ")
        graph = Graph()
        graph.add("Reshape", graph.input([2, 6]), graph.constant([5, 4]))
        self.refuse(graph, "its input has 12 elements, which do not fit its shape 5 x 4")
        graph = Graph()
        graph.add("Reshape", graph.input([1, 4]), graph.input([2], TensorProto.INT64))
        self.refuse(graph, "its shape depends on values of its inputs, which are not known, or in another file")
        graph = Graph()
        graph.add("Relu", graph.input(["n", "wide"]))
        self.refuse(graph, '"wide" of an input is open: give its size, such as --sequence=512 or --size=wide=512')
        for name in ("high", "n"):
            self.refuse(graph, f'no open dimension is called "{name}"; besides that of --samples there are: "wide"',
                        "--sequence=2", f"--size={name}=3")
        graph = Graph()
        graph.add("Cast", graph.add("Conv", graph.input([1, 4, 9])), to=7)
        self.refuse(graph, "(Conv): it needs 2 inputs")

    def test_damage(self):
        """Damaged files are refused, and a file that is there already stays as it is."""
        onnx.save(make_transformer(8).model(), self.input)
        with open(self.input, "rb") as file:
            content = file.read()
        for damaged in (content[:-9], content[:len(content) // 2], content + b"\xff\xff", b"\x0c", b"no graph", b""):
            with open(self.input, "wb") as file:
                file.write(damaged)
            self.check_refused("it is no ONNX graph, or a damaged one")
        onnx.save(make_transformer(8).model(), self.input)
        process = subprocess.run([sys.executable, EXPORTER, self.input, "/dev/full/x"], check=False,
                                 capture_output=True, text=True)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr, "onnx-operators.py: /dev/full/x.part: Not a directory\n")
        os.remove(self.input)
        with open(self.output, "w", encoding="utf-8") as file:
            file.write("kept")
        process = self.run_exporter()
        self.assertEqual(process.stderr, f"onnx-operators.py: {self.input}: No such file or directory\n")
        with open(self.output, encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")

    def test_sentence(self):
        """A program that is given a graph names the command that converts it."""
        if "LIGHTPATH_BUILD" not in os.environ and not os.path.exists(PROGRAM):
            self.skipTest(f"{PROGRAM} is missing: build it, or set LIGHTPATH_BUILD")
        process = subprocess.run([PROGRAM, "--show=gpt2.onnx:sequence=8"], check=False, capture_output=True, text=True)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr, "lightpath-model: gpt2.onnx is an ONNX graph: convert it by "
                         "utils/onnx-operators.py gpt2.onnx gpt2.json, and give gpt2.json as the model\n")


if __name__ == "__main__":
    unittest.main()
