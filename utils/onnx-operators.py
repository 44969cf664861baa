#!/usr/bin/python3
"""Writes the operators of an ONNX graph, with their costs, as a file that lightpath reads as a model.

Shapes follow from those of the inputs by the package python3-onnx, and costs from shapes by the formulas of
model/workload/operator-formulas.h. Weights may be in files that are not there: shapes alone matter. What cannot
be worked out is refused in one sentence, and then nothing is written.
"""

import argparse
import functools
import json
import math
import os
import resource
import sys
import warnings
from types import SimpleNamespace

try:
    import numpy
    import onnx
    from google.protobuf.message import DecodeError
    from onnx import TensorProto, helper, numpy_helper, shape_inference
    from onnx.defs import SchemaError
except ImportError as missing:
    sys.exit(f"onnx-operators.py: {missing}: install python3-onnx, and call /usr/bin/python3")

WORDS = {"half": 2, "single": 4, "fp32": 4}  # Bytes of an activation and of a parameter
SINGLE = 4  # Bytes of an index, and of a probability of a loss
MOST = 1 << 46  # Elements of a tensor
MEMORY = 8 << 30  # Bytes that the program may take
KNOWN = 1024  # Elements of a tensor whose values are known
NUMBERS = {TensorProto.INT32: numpy.int32, TensorProto.INT64: numpy.int64, TensorProto.BOOL: bool,
           TensorProto.FLOAT: numpy.float32, TensorProto.DOUBLE: float}
TOKENS = (TensorProto.INT32, TensorProto.INT64)
FLOATS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE)
# Operators of ONNX Runtime that are as those of ONNX
GUESTS = ("FastGelu", "Gelu", "SimplifiedLayerNormalization")


class Refusal(Exception):
    """A sentence that says what cannot be worked out."""


def quote(text):
    """Returns a text, which may be no text in a damaged file, in quotation marks and in one line."""
    return json.dumps(str(text))


class Tensor:
    """A tensor as it is while the graph runs, with its values if they are known and few."""

    def __init__(self, kind, shape, value=None):
        self.kind, self.shape, self.value = kind, tuple(shape), value
        self.is_float = kind in FLOATS or kind >= TensorProto.BFLOAT16
        self.constant, self.parameters = False, frozenset()  # Whether it is the same for all samples; what made of
        self.trained, self.producer = False, None  # Whether it has a gradient; step that makes it
        self.elements = math.prod(self.shape)
        if self.elements > MOST or min(self.shape, default=0) < 0:
            raise Refusal(f"a tensor has the size {self}, but may have 0 to 2^46 elements")

    def __str__(self):
        return " x ".join(map(str, self.shape)) or "1"

    @classmethod
    def read(cls, proto):
        """Returns a tensor of a file."""
        tensor = cls(proto.data_type, proto.dims)
        if tensor.elements <= KNOWN and tensor.kind in NUMBERS and proto.data_location != TensorProto.EXTERNAL:
            try:
                tensor.value = numpy_helper.to_array(proto)
            except ValueError:
                raise Refusal(f"tensor {quote(proto.name)} has not the elements of its shape {tensor}") from None
        return tensor


class Call:
    """A node with the tensors that it reads and writes."""

    def __init__(self, node, inputs, word):
        self.node, self.kind, self.inputs, self.outputs, self.word = node, node.op_type, inputs, [], word
        self.attributes = {}

    def require(self, condition, fault):
        """Refuses the node unless a condition holds."""
        if not condition:
            name = self.node.name or next(iter(self.node.output), "")
            raise Refusal(f"node {quote(name)} ({quote(self.kind)[1:-1]}): {fault}")

    def require_values(self, condition):
        """Refuses the node unless values that its shape depends on are known."""
        self.require(condition, "its shape depends on values of its inputs, which are not known, or in another file: "
                                "export the model with constants there in the file itself, or for fixed sizes")

    def list(self, attribute, index):
        """Returns numbers that are an attribute in old versions, and an input in new ones; none if left out."""
        if attribute in self.attributes or index >= len(self.inputs) or not self.inputs[index]:
            return list(self.attributes.get(attribute, []))
        self.require_values(self.inputs[index].value is not None)
        return [int(each) for each in self.inputs[index].value.ravel()]

    # Elements of the first input, of the result, of the activations and of the parameters that it reads
    x = property(lambda self: self.inputs[0].elements)
    y = property(lambda self: self.outputs[0].elements)
    read = property(lambda self: sum(t.elements for t in self.inputs if t and t.is_float and not t.constant))
    weights = property(lambda self: sum(t.elements for t in self.inputs if t and t.parameters))


# Shapes

# Operators whose result is as their first input; releases of the package do not know some of them
SAME = "Dropout GroupNormalization RMSNormalization SimplifiedLayerNormalization Gelu FastGelu Swish Mish Trilu".split()


def get_sum(c):
    """Returns the sizes of the letters of a sum over common indices, and the letters of the result."""
    factors, _, result = c.attributes["equation"].decode().replace(" ", "").partition("->")
    parts = [*factors.split(","), result]
    c.require(len(parts) == 3 and all(len(set(part)) == len(part) and (part + "a").isalpha() for part in parts),
              'an equation must have two factors and a result, each of other letters, as in "bij,bjk->bik"')
    pairs = {pair for part, tensor in zip(parts, c.inputs) for pair in zip(part, tensor.shape)}
    sizes = dict(pairs)
    c.require([len(part) for part in parts[:2]] == [len(tensor.shape) for tensor in c.inputs] and
              len(pairs) == len(sizes) and set(result) <= set(sizes), "its equation does not fit its inputs")
    return sizes, result


def infer(c, version):
    """Returns the results of a node, by the package if it knows the operator."""
    if c.kind in SAME:
        return [Tensor(c.inputs[0].kind, c.inputs[0].shape)]
    if c.kind == "Einsum":  # The package does not work out its sizes
        sizes, letters = get_sum(c)
        return [Tensor(c.inputs[0].kind, [sizes[letter] for letter in letters])]
    if c.kind == "Constant" and isinstance(c.attributes.get("value"), TensorProto):
        return [Tensor.read(c.attributes["value"])]
    node, inputs, version = onnx.NodeProto(), c.inputs, min(version, onnx.defs.onnx_opset_version())
    node.CopyFrom(c.node)
    if c.kind == "Split" and not c.list("split", 1):  # Older versions want parts of the same size
        size, count, version = c.inputs[0].shape[c.attributes.get("axis", 0)], len(node.output), max(13, version)
        parts = [-(-size // count)] * (count - 1)
        inputs = [inputs[0], Tensor(TensorProto.INT64, [count], numpy.array([*parts, size - sum(parts)]))]
    elif c.kind == "Pad" and c.list("axes", 3):  # Older versions want pads of all dimensions
        pads = numpy.zeros([2, len(inputs[0].shape)], numpy.int64)
        pads[:, c.list("axes", 3)] = numpy.reshape(c.list("pads", 1), [2, -1])
        inputs = [inputs[0], Tensor(TensorProto.INT64, [pads.size], pads.ravel())]
    schema = onnx.defs.get_schema(node.op_type, version, "")
    for name, attribute in schema.attributes.items():
        c.require(name in c.attributes or not attribute.required, f"it needs the attribute {name}")
    c.require(all(inputs[:schema.min_input]) and len(inputs) >= schema.min_input, f"it needs {schema.min_input} inputs")
    names = [f"i{i}" if each else "" for i, each in enumerate(inputs)]
    del node.input[:], node.output[:]
    node.input.extend(names)
    node.output.extend(f"o{i}" for i in range(min(len(c.node.output), schema.max_output)))
    known = [numpy_helper.from_array(t.value, name) for t, name in zip(inputs, names) if t and t.value is not None]
    infos = [helper.make_tensor_value_info(name, t.kind, t.shape) for t, name in zip(inputs, names)
             if t and t.value is None]
    graph = helper.make_graph([node], "node", infos, [onnx.ValueInfoProto(name=name) for name in node.output], known)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)])
    try:
        types = [each.type.tensor_type for each in shape_inference.infer_shapes(model, strict_mode=True).graph.output]
    except shape_inference.InferenceError as error:
        shapes, fault = " and ".join(str(each) for each in inputs if each), str(error).split("]")[-1].strip()
        c.require(False, f"inputs of the shapes {shapes} do not go together ({fault}): if a dimension is open, give "
                         "its size by --sequence or --size")
    shapes = [[size.dim_value if size.HasField("dim_value") else -1 for size in each.shape.dim] for each in types]
    c.require_values(types[0].HasField("shape") and min(shapes[0], default=0) >= 0)
    return [Tensor(each.elem_type, [max(0, size) for size in shape]) for each, shape in zip(types, shapes)]


def check(c):
    """Checks and repairs what the package takes no account of."""
    if c.kind == "Reshape":
        c.require(c.x == c.y, f"its input has {c.x} elements, which do not fit its shape {c.outputs[0]}: the export is "
                  "for other sizes than those of the inputs; give --sequence or --size, or export it again")
    elif c.kind in ("Conv", "ConvTranspose"):
        groups, shape, channels = c.attributes.get("group", 1), c.inputs[1].shape, c.inputs[0].shape[1]
        c.require(shape[0] % groups == 0 and channels == (shape[1] * groups if c.kind == "Conv" else shape[0]),
                  f"weights of the shape {c.inputs[1]} in {groups} groups do not fit {channels} channels")
    elif c.kind.endswith("Pool") and c.attributes.get("ceil_mode"):
        # A window must not begin behind the image
        images, places = c.inputs[0].shape[2:], c.outputs[0].shape[2:]
        ones = [1] * len(images)
        moves = zip(places, images, c.attributes.get("strides", ones), c.attributes.get("pads", [0 for _ in ones]))
        sizes = [count - ((count - 1) * stride >= size + pad) for count, size, stride, pad in moves]
        c.outputs = [Tensor(each.kind, [*each.shape[:2], *sizes]) for each in c.outputs]


# Values of small tensors, on which shapes may depend

def cut(c, value, *_):
    """Returns the chosen ranges of a value."""
    begins, ends, ranges = c.list("starts", 1), c.list("ends", 2), [slice(None)] * value.ndim
    axes, steps = c.list("axes", 3) or range(len(begins)), c.list("steps", 4) or [1] * len(begins)
    for begin, end, axis, step in zip(begins, ends, axes, steps):
        ranges[axis] = slice(begin, end, step)
    return value[tuple(ranges)]


def split(c, value, *_):
    """Returns the parts of a value."""
    axis = c.attributes.get("axis", 0)
    return numpy.split(value, numpy.cumsum([each.shape[axis] for each in c.outputs])[:-1], axis)


ELEMENTS = dict(pair.split(":") for pair in (
    "Add:add Sub:subtract Mul:multiply Div:true_divide Mod:mod Pow:float_power Neg:negative Floor:floor Ceil:ceil "
    "Sqrt:sqrt Equal:equal Greater:greater Less:less GreaterOrEqual:greater_equal LessOrEqual:less_equal "
    "And:logical_and Or:logical_or Not:logical_not Where:where").split())
VALUES = {
    **{name: lambda c, *a, function=function: getattr(numpy, function)(*a) for name, function in ELEMENTS.items()},
    **{name: lambda c, a, *_: a for name in "Reshape Flatten Squeeze Unsqueeze Identity Cast CastLike".split()},
    "Max": lambda c, *a: functools.reduce(numpy.maximum, a), "Min": lambda c, *a: functools.reduce(numpy.minimum, a),
    "Transpose": lambda c, a: numpy.transpose(a, c.attributes.get("perm")), "Slice": cut, "Split": split,
    "Concat": lambda c, *a: numpy.concatenate(a, c.attributes.get("axis", 1)),
    "Gather": lambda c, a, indices: numpy.take(a, indices, c.attributes.get("axis", 0)),
    "Expand": lambda c, a, _: numpy.broadcast_to(a, c.outputs[0].shape), "Tile": lambda c, *a: numpy.tile(*a),
    "Range": lambda c, begin, _, step: begin + step * numpy.arange(c.y), "Size": lambda c, *_: c.x,
    "ReduceProd": lambda c, a, *_: a.prod() if c.y == 1 else None,
    "Shape": lambda c, *_: c.inputs[0].shape[c.attributes.get("start", 0):c.attributes.get("end")],
    "ConstantOfShape": lambda c, shape: numpy.full(shape, numpy_helper.to_array(c.attributes["value"]).ravel()[0]
                                                   if "value" in c.attributes else 0),
    "Constant": lambda c: c.outputs[0].value if "value" in c.attributes else next(iter(c.attributes.values()))}


def evaluate(c):
    """Gives the results of a node their values if all values that it reads are known."""
    values = [each.value for each in c.inputs if each]
    is_known = c.kind in ("Shape", "Size") or all(each is not None for each in values)
    if c.kind in VALUES and is_known and c.outputs[0].kind in NUMBERS and c.y <= KNOWN:
        with numpy.errstate(all="ignore"):
            results = VALUES[c.kind](c, *values)
            for output, value in zip(c.outputs, results if c.kind == "Split" else [results]):
                if value is not None:
                    output.value = numpy.asarray(value).astype(NUMBERS[output.kind]).reshape(output.shape)


# Costs of all samples

def cost(c, kind, inputs, outputs, flops, kept=0, weights=0, **others):
    """Returns the costs of an operator that reads, writes and keeps numbers of elements; others replace them."""
    read, written, saved = (c.word * each for each in (inputs, outputs, kept))
    return {"kind": kind, "flops": flops, "readBytes": read, "writtenBytes": written, "inputBytes": read,
            "outputBytes": written, "savedBytes": saved, "parameterBytes": c.word * weights, "backwardFlops": flops,
            "backwardReadBytes": written + saved, "backwardWrittenBytes": read, **others}


def each(c, flops, **others):
    """Returns the costs of an operator on each element."""
    return cost(c, "elementwise", c.y, c.y, flops * c.y, **others)


def product(c, kind, multiply_adds):
    """Returns the costs of a product with weights, or of two activations, each of which has a gradient."""
    weights, size, flops = next((t for t in c.inputs[:2] if t.constant), None), c.word * c.y, 2 * multiply_adds
    if not weights:
        return cost(c, "attention", c.read, c.y, flops, c.read, multiplyAdds=multiply_adds, backwardFlops=2 * flops,
                    backwardReadBytes=2 * size + c.word * c.read)
    return cost(c, kind, c.read, c.y, flops, c.read, c.weights + (0 if weights.parameters else weights.elements),
                multiplyAdds=multiply_adds, backwardReadBytes=size)


def pool(c):
    """Returns the costs of a pooling, which keeps the place of each maximum in a byte."""
    window = c.x // max(1, c.y) if c.kind.startswith("Global") else math.prod(c.attributes["kernel_shape"])
    mask = c.y if "Max" in c.kind else 0
    return cost(c, "pooling", c.x, c.y, window * c.y, writtenBytes=c.word * c.y + mask, savedBytes=mask,
                backwardFlops=c.x, backwardReadBytes=c.word * c.y + mask)


def norm(c, flops):
    """Returns the costs of a normalisation of rows, whose gradients take input and gradient twice."""
    return cost(c, "normalization", c.x, c.x, flops * c.x, c.x, c.weights, backwardFlops=2 * flops * c.x,
                backwardReadBytes=4 * c.word * c.x)


def multiply(c):
    """Returns the costs of a product of elements, which keeps its factors if several have gradients."""
    several = sum(not t.constant for t in c.inputs if t) > 1 or c.weights > 0
    return cost(c, "elementwise", c.read, c.y, c.y, several * c.read, c.weights, backwardFlops=(1 + several) * c.y)


def gather(c):
    """Returns the costs of rows that are chosen from a table of parameters, or from activations."""
    indices, rows = c.inputs[1].elements, c.inputs[0].shape[c.attributes.get("axis", 0)]
    size, read = indices * (c.x // max(1, rows)), SINGLE * indices + c.word * indices * (c.x // max(1, rows))
    if not c.inputs[0].constant:
        return cost(c, "embedding", c.x, size, 0, readBytes=read, savedBytes=SINGLE * indices, backwardReadBytes=read)
    # Rows of the gradient are read, added to and written
    return cost(c, "embedding", size, size, 0, readBytes=read, inputBytes=SINGLE * indices, savedBytes=SINGLE * indices,
                backwardFlops=size, backwardReadBytes=read + c.word * size)


# For operators the inputs that may be parameters, and the costs, none if they name elements in another way
OPERATORS = {name: (function, trained) for names, trained, function in (
    ("MatMul", None, lambda c: product(c, "matmul", c.y * c.inputs[0].shape[-1])),
    ("Gemm", None, lambda c: product(c, "matmul", c.y * c.inputs[0].shape[0 if c.attributes.get("transA") else 1])),
    # Each combination of indices is a multiply-add; each element of the output (transposed: input) meets the kernel
    ("Einsum", None, lambda c: product(c, "matmul", math.prod(get_sum(c)[0].values()))),
    ("Conv", None, lambda c: product(c, "convolution", c.y * math.prod(c.inputs[1].shape[1:]))),
    ("ConvTranspose", None, lambda c: product(c, "convolution", c.x * math.prod(c.inputs[1].shape[1:]))),
    ("MaxPool AveragePool LpPool GlobalMaxPool GlobalAveragePool GlobalLpPool", None, pool),
    # The input is read once more for the statistics of a batch, which are no parameters
    ("BatchNormalization InstanceNormalization GroupNormalization", 3, lambda c: cost(
        c, "normalization", c.x, c.x, 10 * c.x, c.x, 2 * c.inputs[0].shape[1], readBytes=2 * c.word * c.x,
        backwardReadBytes=3 * c.word * c.x)),
    ("LayerNormalization", None, lambda c: norm(c, 8)),
    ("RMSNormalization SimplifiedLayerNormalization", None, lambda c: norm(c, 5)),
    # Squares, their sum, scale and offset, the power, the product
    ("LRN", None, lambda c: cost(c, "normalization", c.x, c.x, (c.attributes["size"] + 4) * c.x, 2 * c.x,
                                 backwardFlops=2 * (c.attributes["size"] + 4) * c.x)),
    ("Softmax LogSoftmax", None, lambda c: cost(c, "softmax", c.x, c.x, 5 * c.x, c.x)),
    ("SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss", None, lambda c: cost(
        c, "loss", c.x, c.x, 5 * c.x, outputBytes=SINGLE, writtenBytes=SINGLE * c.x, savedBytes=SINGLE * c.x,
        backwardFlops=c.x, backwardReadBytes=SINGLE * c.x)),
    ("ReduceSum ReduceMean CumSum", None, lambda c: cost(c, "elementwise", c.read, c.y, c.read)),
    ("ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare", None,
     lambda c: cost(c, "elementwise", c.read, c.y, c.read, c.read)),
    # A mask has a byte for each element
    ("Dropout", 1, lambda c: each(c, 1, savedBytes=c.y, **{key: (c.word + 1) * c.y
                                                           for key in ("writtenBytes", "backwardReadBytes")})),
    # The gradient of the first needs a bit of each element, that of the second the element
    ("Relu LeakyRelu Clip Abs Neg Floor Ceil Round Sign HardSigmoid ThresholdedRelu Shrink", 1,
     lambda c: each(c, 1, backwardReadBytes=2 * c.word * c.y)),
    ("Sigmoid Tanh Gelu FastGelu Erf Elu Selu Celu HardSwish Mish Swish Softplus Softsign Exp Log Sqrt Reciprocal Sin "
     "Cos", None, lambda c: each(c, 8, kept=c.y)),
    ("Pow", 1, lambda c: each(c, 8, kept=c.y)),
    # The gradient of a sum is that of its terms, and is summed for parameters
    ("Add Sub Sum Mean", None, lambda c: cost(
        c, "elementwise", c.read, c.y, max(1, len(c.inputs) - 1) * c.y, weights=c.weights, backwardWrittenBytes=0,
        **({} if c.weights else {"backwardFlops": 0, "backwardReadBytes": 0}))),
    ("Mul Div Max Min Mod PRelu", None, multiply),
    # A weighted sum of two neighbours in each dimension of an image
    ("Resize Upsample", 1, lambda c: cost(c, "elementwise", c.x, c.y, 4 * c.y)),
    ("Concat", None, lambda c: each(c, 0, backwardReadBytes=0, backwardWrittenBytes=0)),
    ("Gather", None, gather),
    ("Pad", 1, lambda c: cost(c, "elementwise", c.read, c.y, 0)),
    ("GatherElements ScatterND ScatterElements Where Trilu Tile DepthToSpace SpaceToDepth", None,
     lambda c: cost(c, "elementwise", c.read, c.y, 0)),
    ("Reshape Flatten Squeeze Unsqueeze Transpose Split Slice Expand Identity Cast CastLike Shape Size Constant Range "
     "ConstantOfShape ArgMax ArgMin Equal Greater Less GreaterOrEqual LessOrEqual And Or Xor Not IsNaN IsInf",
     None, None),
) for name in names.split()}


class Graph:
    """The forward pass of an ONNX graph."""

    def __init__(self, model, options):
        self.options, self.word = options, WORDS[options.precision]
        self.tensors, self.steps, self.names = {}, [], set()
        self.version = max((each.version for each in model.opset_import if each.domain in ("", "ai.onnx")), default=1)
        for proto in model.graph.initializer:
            tensor = self.tensors[proto.name] = Tensor.read(proto)
            tensor.constant = True
            # A tensor without dimensions is a setting, such as an exponent
            tensor.parameters = frozenset([proto.name] if tensor.is_float and tensor.shape else [])
        self.sizes = {name: tensor.elements for name, tensor in self.tensors.items()}
        self.samples, self.tokens, self.sample = options.samples or 1, 0, "sample"
        self.add_inputs([each for each in model.graph.input if each.name not in self.tensors])
        for node in model.graph.node:
            call = Call(node, [], self.word)
            try:
                self.run(call)
            except (ArithmeticError, AttributeError, LookupError, MemoryError, SchemaError, TypeError,
                    ValueError) as error:
                fault = " ".join(f"{type(error).__name__}: {error}".split())
                call.require(False, f"its inputs or attributes are faulty ({fault})")
        if not self.steps:
            raise Refusal("no node computes anything from an input")

    def add_inputs(self, inputs):
        """Takes the inputs as tensors; the first dimension of the first one is the batch."""
        given, symbols, batch = dict(self.options.size), set(), None
        for value in inputs:
            kind, shape = value.type.tensor_type, []
            if not kind.HasField("shape"):
                raise Refusal(f"input {quote(value.name)} has no shape: export the model with one")
            for place, dimension in enumerate(kind.shape.dim):
                size, symbol = max(0, dimension.dim_value), dimension.dim_param or f"{value.name}.{place}"
                if place == 0 and value is inputs[0]:
                    batch = None if size else symbol
                    self.samples = self.options.samples or size or 1
                elif place == 0 and batch and not dimension.dim_param:
                    symbol = batch
                if not size:
                    symbols |= {symbol} - {batch}
                    size = self.samples if symbol == batch else given.get(symbol, self.options.sequence)
                if not size:
                    raise Refusal(f"dimension {quote(symbol)} of an input is open: give its size, such as "
                                  f"--sequence=512 or --size={symbol}=512")
                shape.append(size)
            self.tensors[value.name] = Tensor(kind.elem_type, shape)
            if value is inputs[0]:
                self.tokens = shape[1] if len(shape) == 2 and kind.elem_type in TOKENS else 0
                self.sample = "sequence" if self.tokens else "image" if len(shape) == 4 else "sample"
        for name in sorted(set(given) - symbols):
            raise Refusal(f"no open dimension is called {quote(name)}; besides that of --samples there are: "
                          f"{', '.join(map(quote, sorted(symbols))) or 'none'}")

    def run(self, c):
        """Runs a node: works out the tensors that it writes, and adds a step if it costs something."""
        c.attributes = {each.name: helper.get_attribute_value(each) for each in c.node.attribute}
        for name in c.node.input:
            c.require(not name or name in self.tensors, f"it reads {quote(name)}, which no node before it writes: "
                      "sort the nodes topologically, and write all tensors that they need as dense ones")
            c.inputs.append(self.tensors[name] if name else None)
        while c.inputs and not c.inputs[-1]:
            c.inputs.pop()
        is_known = c.node.domain in ("", "ai.onnx") or c.node.domain == "com.microsoft" and c.kind in GUESTS
        c.require(c.kind in OPERATORS and is_known, "there is no cost of this operator" + (
            f" of domain {quote(c.node.domain)}" if c.node.domain else "") + ": export the model with the usual "
            "operators of ONNX, not fused, not quantised, and without control flow")
        function, trained = OPERATORS[c.kind]
        c.outputs = infer(c, self.version)
        check(c)
        evaluate(c)
        is_constant = all(not each or each.constant for each in c.inputs)
        sources = [each for each in c.inputs[:trained] if each]
        step = None
        if function and not is_constant and c.outputs[0].is_float:
            step = self.add_step(c, function(c), sources)
        for name, tensor in zip(c.node.output, c.outputs):
            # A shape is known, but not the same for all sizes of a batch
            tensor.constant = is_constant or c.kind in ("Shape", "Size")
            for source in sources:
                if is_constant:
                    tensor.parameters |= source.parameters
                elif tensor.is_float and source.is_float and not source.constant:
                    tensor.producer, tensor.trained = source.producer, source.trained
            if step:
                tensor.producer, tensor.trained = step.index, step.trained
            if name:
                self.tensors[name] = tensor

    def add_step(self, c, costs, inputs):
        """Adds the operator of a node, with the costs of all samples."""
        c.require(c.y > 0, "its result is empty: no dimension of an input may be 0")
        name, index = c.node.name, len(self.steps)
        is_usable = 0 < len(name) <= 200 and all(" " < letter <= "~" for letter in name)
        if not is_usable or name in self.names:
            name = f"{name if is_usable else c.kind}#{index}"
        self.names.add(name)
        step = SimpleNamespace(name=name, index=index, costs=costs, elements=c.y, sources={},
                               parameters=frozenset().union(*(each.parameters for each in inputs)),
                               is_product=costs["kind"] in ("matmul", "convolution"))
        step.trained = bool(step.parameters) or any(each.trained for each in inputs)
        if not step.trained:
            costs.update(savedBytes=0, backwardFlops=0, backwardReadBytes=0, backwardWrittenBytes=0)
        for key in set(costs) - {"kind", "parameterBytes"}:
            costs[key] = -(-costs[key] // self.samples)
        for each in inputs:
            if each.producer is not None:
                # A view of a part reads this part; 0 stands for the whole
                source = self.steps[each.producer]
                part = -(-self.word * each.elements // self.samples) if each.elements < source.elements else 0
                if source.index in step.sources:
                    before = step.sources[source.index]
                    part = 0 if 0 in (part, before) or part + before >= source.costs["outputBytes"] else part + before
                step.sources[source.index] = part
        self.steps.append(step)
        return step

    def share(self):
        """Takes what several operators keep for their gradients from all but the first."""
        kept = set()
        for step in self.steps:
            if (step.is_product or step.costs["kind"] == "normalization") and len(step.sources) == 1:
                (source, part), = step.sources.items()
                if source in kept:
                    step.costs["savedBytes"] = 0
                elif part == 0:
                    kept.add(source)
        for step in self.steps:
            costs = step.costs
            # A rectifier needs its output, unless an operator that reads it keeps it already
            if costs["kind"] == "elementwise" and costs["backwardReadBytes"] > costs["outputBytes"]:
                costs["savedBytes"] = costs["savedBytes"] or (0 if step.index in kept else costs["outputBytes"])

    def find_layers(self):
        """Returns the steps that layers begin with: a single tensor with a gradient leads to them, on to parameters."""
        last = {source: step.index for step in self.steps for source in step.sources}
        begins, candidate, live = {0}, 0, []
        for step in self.steps:
            live = [end for end in live if end >= step.index]
            candidate = step.index if len(live) == 1 else candidate
            if step.is_product and step.parameters:
                begins.add(candidate)
            if step.trained and step.index in last:
                live.append(last[step.index])
        return begins

    def write(self, name):
        """Returns the document."""
        self.share()
        begins, layer, owners, operators, edges = self.find_layers(), -1, {}, [], []
        for step in self.steps:
            layer += step.index in begins
            step.name = f"layer{layer}.{step.name}"
            operator = {"name": step.name, "layer": layer, **step.costs}
            operator["parameters"] = sum(self.sizes[each] for each in step.parameters)
            shared = [each for each in step.parameters if owners.setdefault(each, step) is not step]
            if shared:
                operator["tied"] = sorted({owners[each].name for each in shared})
                operator["tiedParameters"] = sum(self.sizes[each] for each in shared)
            operators.append(operator)
            edges += [[self.steps[source].name, step.name, *([part] if part else [])]
                      for source, part in step.sources.items()]
        return {"format": "lightpath-operator-graph", "version": 1, "name": name, "sample": self.sample,
                "tokens": self.tokens, "passes": "forward", "precision": self.options.precision,
                "gradients": self.options.gradients, "optimizer": self.options.optimizer, "operators": operators,
                "edges": edges}


def size(text):
    """Returns a name, which may be empty, and the size behind it in text like "name=size"."""
    name, _, number = text.rpartition("=")
    if not 0 < int(number) <= MOST:
        raise ValueError
    return name, int(number)


def number(text):
    """Returns a size without a name."""
    return size("=" + text)[1]


def main():
    """Reads the graph and writes its operators."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", metavar="MODEL.onnx", help="the graph")
    parser.add_argument("output", metavar="OPERATORS.json", help="the file of operators to write")
    parser.add_argument("--samples", type=number, help="samples of a batch, the first dimension of the first input, by "
                        "which costs are divided; by default its size, or 1 if it is open")
    parser.add_argument("--sequence", type=number, help="size of each other open dimension, such as tokens")
    parser.add_argument("--size", type=size, action="append", default=[], metavar="NAME=SIZE",
                        help="size of the open dimension of this name, INPUT.PLACE if it has none")
    parser.add_argument("--precision", choices=WORDS, default="half", help="numbers of activations and parameters")
    parser.add_argument("--gradients", choices=("half", "single"), default="half", help="their numbers, if wider")
    parser.add_argument("--optimizer", choices=("adam", "momentum", "sgd"), default="adam")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # Damage is refused in one sentence
    # Damaged sizes may ask the package for more; a graph has at most 2 GiB
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    part = options.output + ".part"
    try:
        try:
            model = onnx.load(options.graph, load_external_data=False)
        except DecodeError:
            model = onnx.ModelProto()
        if not model.graph.node:
            raise Refusal("it is no ONNX graph, or a damaged one: it has no nodes")
        document = Graph(model, options).write(os.path.basename(options.graph))
        with open(part, "w", encoding="utf-8") as file:
            json.dump(document, file)
            file.write("\n")
        os.replace(part, options.output)
    except Refusal as refusal:
        sys.exit(f"onnx-operators.py: {options.graph}: {refusal}")
    except OSError as error:
        sys.exit(f"onnx-operators.py: {error.filename or options.output}: {error.strerror}")
    finally:
        if os.path.exists(part):
            os.remove(part)


if __name__ == "__main__":
    # Damaged graphs crash releases of the package, so that another process must tell
    child = os.fork()
    if child == 0:
        main()
        sys.exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    sys.exit(code if code >= 0 else f"onnx-operators.py: {sys.argv[1]}: the package onnx crashes: the graph is damaged")
