"""The published schema of Chakra execution traces (et_def.proto, version 2) as a descriptor of
python3-protobuf, and a writer of traces: independent of the module's own reader and writer.

usage: test/chakra_schema.py NODES FILE  writes a trace of that many nodes, to measure readers
"""

import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal.encoder import _VarintBytes

TYPE = descriptor_pb2.FieldDescriptorProto

# Number, name and type of the values of an attribute; each has a list beside it
VALUES = (
    (3, "double", TYPE.TYPE_DOUBLE),
    (5, "float", TYPE.TYPE_FLOAT),
    (7, "int32", TYPE.TYPE_INT32),
    (9, "int64", TYPE.TYPE_INT64),
    (11, "uint32", TYPE.TYPE_UINT32),
    (13, "uint64", TYPE.TYPE_UINT64),
    (15, "sint32", TYPE.TYPE_SINT32),
    (17, "sint64", TYPE.TYPE_SINT64),
    (19, "fixed32", TYPE.TYPE_FIXED32),
    (21, "fixed64", TYPE.TYPE_FIXED64),
    (23, "sfixed32", TYPE.TYPE_SFIXED32),
    (25, "sfixed64", TYPE.TYPE_SFIXED64),
    (27, "bool", TYPE.TYPE_BOOL),
    (29, "string", TYPE.TYPE_STRING),
    (31, "bytes", TYPE.TYPE_BYTES),
)

INTEGERS = tuple(name for number, name, _ in VALUES if 7 <= number <= 25)

METADATA, MEM_LOAD, MEM_STORE, COMP, SEND, RECV, COLL = range(1, 8)
ALL_REDUCE, REDUCE, ALL_GATHER, GATHER, SCATTER, BROADCAST, ALL_TO_ALL, REDUCE_SCATTER, _, BARRIER = range(10)


def make_classes(packed):
    """Return the classes of GlobalMetadata and Node, with repeated numbers packed or not."""
    package = f"ChakraProtoMsg{int(packed)}"
    file = descriptor_pb2.FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")

    def add_message(name, fields):
        message = file.message_type.add(name=name)
        for number, field_name, kind, repeated in fields:
            field = message.field.add(name=field_name, number=number)
            field.label = TYPE.LABEL_REPEATED if repeated else TYPE.LABEL_OPTIONAL
            if isinstance(kind, str):
                field.type, field.type_name = TYPE.TYPE_MESSAGE, f".{package}.{kind}"
            else:
                field.type = kind
                if repeated and kind not in (TYPE.TYPE_STRING, TYPE.TYPE_BYTES):
                    field.options.packed = packed
        return message

    text, uint64 = TYPE.TYPE_STRING, TYPE.TYPE_UINT64
    fields = [(1, "name", text, False), (2, "doc_string", text, False)]
    for number, name, kind in VALUES:
        add_message(f"{name}_List", [(1, "values", kind, True)])
        fields += [(number, f"{name}_val", kind, False), (number + 1, f"{name}_list", f"{name}_List", False)]
    attribute = add_message("AttributeProto", fields)
    attribute.oneof_decl.add(name="value")
    for field in attribute.field[2:]:
        field.oneof_index = 0
    add_message("IOInfo", [(1, "values", text, False), (2, "shapes", text, False), (3, "types", text, False)])
    add_message("GlobalMetadata", [(1, "version", text, False), (2, "attr", "AttributeProto", True)])
    add_message(
        "Node",
        [
            (1, "id", uint64, False),
            (2, "name", text, False),
            (3, "type", TYPE.TYPE_INT32, False),
            (4, "ctrl_deps", uint64, True),
            (5, "data_deps", uint64, True),
            (6, "start_time_micros", uint64, False),
            (7, "duration_micros", uint64, False),
            (8, "inputs", "IOInfo", False),
            (9, "outputs", "IOInfo", False),
            (10, "attr", "AttributeProto", True),
            # In no published schema: readers have to skip it
            (1000, "unknown", text, False),
        ],
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return [
        message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName(f"{package}.{name}"))
        for name in ("GlobalMetadata", "Node")
    ]


class Trace:
    """The trace of one rank."""

    def __init__(self, packed=True, integer="int64"):
        self.metadata, self.node = make_classes(packed)
        self.integer = integer
        self.records = [self.metadata(version="0.0.4")]

    def add(self, kind, after=(), control=(), duration=0, inputs="", identity=None, **attributes):
        """Add a node, and return its number."""
        node = self.node(type=kind, data_deps=after, ctrl_deps=control, duration_micros=duration)
        node.id = len(self.records) - 1 if identity is None else identity
        node.name = f"node {node.id}"
        node.unknown = "skip me"
        if inputs:
            node.inputs.values = inputs
        for name, value in attributes.items():
            attribute = node.attr.add(name=name)
            if isinstance(value, bool):
                attribute.bool_val = value
            elif isinstance(value, int):
                setattr(attribute, f"{self.integer}_val", value)
            elif isinstance(value, float):
                attribute.double_val = value
            elif isinstance(value, str):
                attribute.string_val = value
            else:
                attribute.bool_list.values.extend(value)
        self.records.append(node)
        return node.id

    def write(self, path):
        """Write the records, each behind its length."""
        with open(path, "wb") as file:
            for record in self.records:
                message = record.SerializeToString()
                file.write(_VarintBytes(len(message)) + message)


def read(path):
    """Return the metadata and the nodes of a trace."""
    metadata, node = make_classes(True)
    with open(path, "rb") as file:
        data = file.read()
    records = []
    offset = 0
    while offset < len(data):
        size = shift = 0
        while True:
            byte = data[offset]
            offset += 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        records.append((node if records else metadata).FromString(data[offset : offset + size]))
        offset += size
    return records[0], records[1:]


def main(nodes, path):
    """Write a trace of many nodes: computation, with a message to nobody in no case."""
    _, node = make_classes(True)
    metadata = make_classes(True)[0](version="0.0.4").SerializeToString()
    with open(path, "wb") as file:
        file.write(_VarintBytes(len(metadata)) + metadata)
        for number in range(nodes):
            record = node(id=number, name=f"aten::mm_{number}", type=COMP, duration_micros=1 + number % 50)
            record.data_deps.extend(x for x in (number - 1, number - 7) if x >= 0)
            record.attr.add(name="is_cpu_op").bool_val = False
            record.attr.add(name="num_ops").int64_val = 1000000 + number
            record.attr.add(name="tensor_size").uint64_val = 4096
            message = record.SerializeToString()
            file.write(_VarintBytes(len(message)) + message)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
