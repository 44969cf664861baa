#!/usr/bin/python3
"""Checks how lightpath-model reads ONNX graphs that another program has written.

usage: utils/check-onnx.py BUILD-DIRECTORY
The package onnx writes the graphs: ResNet-50, a perceptron, a transformer and one for each of many
operators. Parameters and multiply-adds must be those of the publications, of formulas and of the same
models of the zoo; the sizes of results those of the shapes that the package infers by itself.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

# Bytes of a number in half precision
WORD = 2


def expect(name, found, wanted):
    """Ends the program unless what was found is what was wanted."""
    if found != wanted:
        sys.exit(f"check-onnx.py: {name}: {found}, but {wanted} was wanted")


class Graph:
    """A graph that grows node by node."""

    def __init__(self, opset=13):
        self.nodes, self.constants, self.inputs, self.names = [], [], [], 0
        self.opset = opset

    def name(self, prefix="t"):
        """Returns a new name."""
        self.names += 1
        return f"{prefix}{self.names}"

    def input(self, shape, kind=TensorProto.FLOAT, name=None):
        """Adds an input and returns its name."""
        name = name or self.name("input")
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def weights(self, *shape):
        """Adds an initial value without elements, which are in a file that does not exist."""
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
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=self.name(kind), **attributes))
        return names[0] if outputs == 1 else names

    def model(self, *outputs):
        """Returns the model."""
        infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
        graph = helper.make_graph(self.nodes, "graph", self.inputs, infos, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)])


class Reader:
    """Reads models by lightpath-model."""

    def __init__(self, programs, folder):
        self.program, self.path = programs / "lightpath-model", folder / "model.onnx"

    def run(self, options):
        """Runs the program."""
        return subprocess.run([self.program, f"--show={self.path}{options}", "--json=-"], check=False,
                              capture_output=True, text=True)

    def read(self, model, options=""):
        """Writes a model and returns its operators as the program reads them."""
        onnx.save(model, self.path)
        process = self.run(options)
        expect(f"exit code, which says {process.stderr.strip()}", process.returncode, 0)
        return json.loads(process.stdout)["operators"]

    def refuse(self, model, part, options=""):
        """Checks that a model is refused in one sentence that contains a part."""
        onnx.save(model, self.path)
        process = self.run(options)
        sentence = process.stderr.strip()
        expect("exit code of a refusal", process.returncode, 1)
        expect(f"lines of {sentence}", sentence.count("\n"), 0)
        expect(f"'{part}' in '{sentence}'", part in sentence, True)

    def zoo(self, name):
        """Returns the operators of a model of the zoo."""
        output = subprocess.run([self.program, f"--show={name}", "--json=-"], check=True, capture_output=True)
        return json.loads(output.stdout)["operators"]


def forward(operators, key):
    """Returns the sum of a key over the forward pass."""
    return sum(each.get(key, 0) for each in operators if each.get("pass", "forward") == "forward")


def totals(operators):
    """Returns the parameters and the multiply-adds of a sample."""
    return forward(operators, "parameters"), forward(operators, "multiplyAdds")


def make_resnet(batch="batch"):
    """Returns ResNet-50 with the stride in the second convolution of a block."""
    graph = Graph()

    def convolve(value, channels, width, kernel, stride):
        value = graph.add("Conv", value, graph.weights(width, channels, kernel, kernel), strides=[stride] * 2,
                          pads=[kernel // 2] * 4, kernel_shape=[kernel] * 2)
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
            if block == 0:
                value = convolve(value, channels, 4 * width, 1, stride)
            channels = 4 * width
            value = graph.add("Relu", graph.add("Add", inner, value))
    value = graph.add("Flatten", graph.add("GlobalAveragePool", value))
    value = graph.add("Gemm", value, graph.weights(1000, 2048), graph.weights(1000), transB=1)
    return graph.model(value)


def check_resnet(reader):
    """Compares ResNet-50 with its publication and with the model of the zoo."""
    operators = reader.read(make_resnet(), ":optimizer=momentum")
    # Torchvision's documentation: 25 557 032 parameters, 4.09 G multiply-adds
    expect("parameters and multiply-adds of ResNet-50", totals(operators), (25557032, 4089184256))
    zoo = reader.zoo("resnet50")
    expect("parameters and multiply-adds of the zoo", totals(operators), totals(zoo))
    mine, theirs = ([each for each in part if each["kind"] != "loss"] for part in (operators, zoo))
    for key in ("flops", "readBytes", "writtenBytes", "parameterBytes", "savedBytes"):
        found, wanted = (sum(each.get(key, 0) for each in part) for part in (mine, theirs))
        expect(f"{key} of ResNet-50", found, wanted)
    layers = 1 + max(each.get("layer", 0) for each in operators)
    expect("layers: 16 blocks, the stem and the classifier", layers, 18)
    expect("a batch of 4 in the file", reader.read(make_resnet(4), ":optimizer=momentum"), operators)
    expect("a batch of 4 as an option", reader.read(make_resnet(), ":samples=4,optimizer=momentum"), operators)
    print("ResNet-50:", totals(operators))


def check_perceptron(reader):
    """Compares a perceptron of widths 784, 300, 100, 10 with its formula."""
    graph = Graph()
    widths = (784, 300, 100, 10)
    value = graph.input(["n", widths[0]])
    for rows, columns in zip(widths, widths[1:]):
        value = graph.add("MatMul", value, graph.weights(rows, columns))
        value = graph.add("Relu", graph.add("Add", value, graph.weights(columns)))
    operators = reader.read(graph.model(value))
    expect("perceptron", totals(operators), (266610, 784 * 300 + 300 * 100 + 100 * 10))
    # An update for each tensor of parameters
    expect("updates", sum(each["kind"] == "optimizer" for each in operators), 6)


def norm(graph, value, width):
    """Adds a layer normalisation of simple operators and returns its result."""
    centred = graph.add("Sub", value, graph.add("ReduceMean", value, axes=[-1]))
    squares = graph.add("Pow", centred, graph.constant(2.0, numpy.float32))
    variance = graph.add("Add", graph.add("ReduceMean", squares, axes=[-1]), graph.constant(1e-5, numpy.float32))
    value = graph.add("Div", centred, graph.add("Sqrt", variance))
    return graph.add("Add", graph.add("Mul", value, graph.weights(width)), graph.weights(width))


def make_transformer(layers=2, width=768, heads=12, vocabulary=1000, tokens="tokens"):
    """Returns a decoder in the manner of GPT-2, as exporters write it, with shapes that it computes."""
    graph = Graph()
    ids = graph.input(["batch", tokens], TensorProto.INT64)
    shape = graph.add("Shape", ids)
    size = graph.add("Gather", shape, graph.constant(1))
    sizes = [graph.add("Unsqueeze", each, graph.constant([0])) for each in (graph.add(
        "Gather", shape, graph.constant(0)), size)]
    positions = graph.add("Range", graph.constant(0), size, graph.constant(1))
    table = graph.weights(vocabulary, width)
    value = graph.add("Gather", table, ids)
    value = graph.add("Add", value, graph.add("Gather", graph.weights(1024, width), positions))
    head_shape = graph.add("Concat", *sizes, graph.constant([heads, width // heads]), axis=0)
    whole_shape = graph.add("Concat", *sizes, graph.constant([width]), axis=0)

    def product(value, rows, columns):
        return graph.add("Add", graph.add("MatMul", value, graph.weights(rows, columns)), graph.weights(columns))

    for _ in range(layers):
        parts = graph.add("Split", product(norm(graph, value, width), width, 3 * width), outputs=3, axis=2)
        orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        query, key, content = (graph.add("Transpose", graph.add("Reshape", part, head_shape), perm=order)
                               for part, order in zip(parts, orders))
        scores = graph.add("Div", graph.add("MatMul", query, key), graph.constant(8.0, numpy.float32))
        inner = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), content)
        inner = graph.add("Reshape", graph.add("Transpose", inner, perm=[0, 2, 1, 3]), whole_shape)
        value = graph.add("Add", value, product(inner, width, width))
        inner = product(norm(graph, value, width), width, 4 * width)
        value = graph.add("Add", value, product(graph.add("Mul", inner, graph.add("Sigmoid", inner)), 4 * width, width))
    value = norm(graph, value, width)
    return graph.model(graph.add("MatMul", value, graph.add("Transpose", table, perm=[1, 0])))


def check_transformer(reader):
    """Compares a transformer with formulas, and its times with those of the zoo."""
    layers, width, vocabulary, tokens = 2, 768, 1000, 128
    wanted = (layers * (12 * width + 13) * width + 2 * width + (1024 + vocabulary) * width,
              layers * (12 * width * width + 2 * tokens * width) * tokens + vocabulary * width * tokens)
    operators = reader.read(make_transformer(), f":sequence={tokens}")
    expect("transformer, whose table is that of its head", totals(operators), wanted)
    expect("with a fixed sequence", reader.read(make_transformer(tokens=tokens)), operators)
    expect("with the dimension's own name", reader.read(make_transformer(), f":tokens={tokens}"), operators)
    print("transformer:", totals(operators))
    reader.refuse(make_transformer(), "give its size as an option")
    # Two layers of two parts each, the embedding and the head
    expect("layers", 1 + max(each.get("layer", 0) for each in operators), 2 * layers + 2)


def draw_image(draw):
    """Returns the node of a random convolution or pooling."""
    graph = Graph(draw.choice((7, 11, 13)))
    rank = draw.randint(1, 3)
    channels, groups = draw.choice((2, 4, 6)), draw.choice((1, 2))
    value = graph.input([draw.randint(1, 3), channels, *(draw.randint(12, 20) for _ in range(rank))])
    kernel = [draw.randint(1, 4) for _ in range(rank)]
    options = {"kernel_shape": kernel, "strides": [draw.randint(1, 3) for _ in range(rank)]}
    padding = draw.choice(("", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if padding == "pads":
        options["pads"] = [draw.randint(0, size // 2) for size in kernel * 2]
    elif padding:
        options["auto_pad"] = padding
    # The package takes no account of automatic padding of a transposed convolution
    kind = draw.choice(("Conv", "MaxPool", "AveragePool", *([] if "auto_pad" in options else ["ConvTranspose"])))
    if kind == "Conv":
        options.update(group=groups, dilations=[draw.randint(1, 2) if not padding.startswith("SAME") else 1
                                                for _ in range(rank)])
        weights = [graph.weights(groups * 3, channels // groups, *kernel)]
    elif kind == "ConvTranspose":
        options.update(group=groups)
        weights = [graph.weights(channels, 3, *kernel)]
    else:
        weights = []
    return graph, graph.add(kind, value, *weights, **options)


def draw_move(draw):
    """Returns a random operator that moves, joins or reduces elements."""
    graph = Graph(13)
    sizes = [draw.randint(1, 6) for _ in range(draw.randint(2, 4))]
    value, axis = graph.input(sizes), draw.randrange(-len(sizes), len(sizes))
    axes = sorted(draw.sample(range(len(sizes)), draw.randint(1, len(sizes))))
    order = draw.sample(range(len(sizes)), len(sizes))
    half = [size if draw.random() < 0.5 else 1 for size in sizes][draw.randrange(len(sizes)):]
    name = draw.choice(("transpose", "flatten", "concat", "slice", "gather", "unsqueeze", "reduce", "pad", "tile",
                        "expand", "reshape", "broadcast", "split", "where", "matmul", "sum"))
    if name == "transpose":
        return graph, graph.add("Transpose", value, perm=order)
    if name == "flatten":
        return graph, graph.add("Flatten", value, axis=draw.randint(0, len(sizes)))
    if name == "concat":
        return graph, graph.add("Concat", value, value, value, axis=axis)
    if name == "slice":
        begins, ends = ([draw.randint(-8, 8) for _ in axes] for _ in range(2))
        steps = [draw.choice((1, 2, -1, -2)) for _ in axes]
        return graph, graph.add("Slice", value, *(graph.constant(each) for each in (begins, ends, axes, steps)))
    if name == "gather":
        return graph, graph.add("Gather", value, graph.constant(numpy.zeros((2, 3))), axis=axis)
    if name == "unsqueeze":
        value = graph.add("Unsqueeze", value, graph.constant([0, 2]))
        return graph, graph.add("Squeeze", value, graph.constant([2])) if draw.random() < 0.5 else value
    if name in ("reduce", "sum"):
        keep = draw.choice((0, 1))
        if name == "sum":
            return graph, graph.add("ReduceSum", value, graph.constant(axes), keepdims=keep)
        return graph, graph.add("ReduceMax", value, axes=axes, keepdims=keep)
    if name == "pad":
        return graph, graph.add("Pad", value, graph.constant([draw.randint(0, 3) for _ in sizes * 2]))
    if name == "tile":
        return graph, graph.add("Tile", value, graph.constant([draw.randint(1, 3) for _ in sizes]))
    if name == "expand":
        return graph, graph.add("Expand", value, graph.constant([2, *([1] * len(sizes))]))
    if name == "reshape":
        return graph, graph.add("Reshape", value, graph.constant([0, -1]))
    if name == "split":
        return graph, graph.add("Split", graph.add("Concat", value, value, axis=axis), outputs=2, axis=axis)[1]
    if name == "where":
        choice = graph.add("Greater", value, graph.constant(0.5, numpy.float32))
        return graph, graph.add("Where", choice, value, graph.input(half))
    if name == "matmul":
        return graph, graph.add("MatMul", value, graph.input([*half[:-1][:0], sizes[-1], 5]))
    return graph, graph.add("Mul", value, graph.input(half))


def check_shapes(reader, count):
    """Compares sizes of results with those of the package's own shape inference."""
    draw = random.Random(1)
    kinds, checked = set(), 0
    while checked < count:
        graph, value = draw.choice((draw_image, draw_move, draw_move))(draw)
        last = graph.add("Relu", value)
        model = graph.model(last)
        try:
            inferred = shape_inference.infer_shapes(model, strict_mode=True)
        except shape_inference.InferenceError:
            continue
        infos = {info.name: info for info in (*inferred.graph.value_info, *inferred.graph.output)}
        shape = [each.dim_value for each in infos[value].type.tensor_type.shape.dim]
        elements = int(numpy.prod(shape))
        if elements == 0:
            reader.refuse(model, "its result is empty" if graph.nodes[0].op_type == "Slice" else "")
            continue
        samples = model.graph.input[0].type.tensor_type.shape.dim[0].dim_value
        found = [each for each in reader.read(model) if each["name"].endswith(graph.nodes[-1].name)]
        expect(f"bytes of {graph.nodes} with shape {shape}", found[0]["outputBytes"], -(-WORD * elements // samples))
        kinds.update(node.op_type for node in graph.nodes)
        checked += 1
    print(f"shapes of {checked} graphs of {', '.join(sorted(kinds))}")


def check_refusals(reader):
    """Checks the sentences about graphs that cannot be read."""
    graph = Graph()
    reader.refuse(graph.model(graph.add("LSTM", graph.input([1, 2, 3]))), "(LSTM): there is no cost")
    graph = Graph()
    reader.refuse(graph.model(graph.add("Relu", "none")), "which no node before")
    graph = Graph()
    reader.refuse(graph.model(graph.add("MatMul", graph.input([1, 3]), graph.weights(4, 5))), "cannot be multiplied")
    graph = Graph()
    value = graph.add("Reshape", graph.input([1, 4]), graph.input([2], TensorProto.INT64))
    reader.refuse(graph.model(value), "which are not known: export the model")
    graph = Graph()
    reader.refuse(graph.model(graph.add("Relu", graph.input(["n", "wide"]))), 'dimension "wide" of an input is open')
    reader.path.write_bytes(reader.path.read_bytes()[:-9])
    expect("exit code with half a file", reader.run("").returncode, 1)


def main():
    """Checks all graphs."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        check_resnet(reader)
        check_perceptron(reader)
        check_transformer(reader)
        check_shapes(reader, 150)
        check_refusals(reader)


if __name__ == "__main__":
    main()
