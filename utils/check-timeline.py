#!/usr/bin/python3
"""Checks timelines of lightpath-train with readers of their own.

usage: utils/check-timeline.py BUILD-DIRECTORY
       utils/check-timeline.py FILE

JSON is read by Python's json, protocol buffers by Debian's python3-protobuf. In the timelines of
jobs on 64 ranks slices nest, each arrow has one beginning and one end on the tracks of the messages
of its ranks, and slices of computation and of waits add up to the report of the job. With a FILE,
prints what is on it.
"""

import collections
import decimal
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

# The fields of the messages of Perfetto: number, name and type of each; [] marks a repeated one
MESSAGES = {
    "Trace": "1 packet TracePacket[]",
    "TracePacket": "8 timestamp uint64, 10 sequence uint32, 11 event TrackEvent, 12 interned InternedData,"
    " 13 sequence_flags uint32, 60 track TrackDescriptor",
    "TrackDescriptor": "1 uuid uint64, 2 name string, 3 process ProcessDescriptor, 4 thread ThreadDescriptor,"
    " 5 parent_uuid uint64, 8 counter CounterDescriptor",
    "ProcessDescriptor": "1 pid int32, 6 process_name string",
    "ThreadDescriptor": "1 pid int32, 2 tid int64, 5 thread_name string",
    "CounterDescriptor": "3 unit int32",
    "TrackEvent": "3 category_iids uint64[], 4 annotations DebugAnnotation[], 9 type int32, 10 name_iid uint64,"
    " 11 track_uuid uint64, 30 counter_value int64, 47 flow_ids fixed64[], 48 terminating_flow_ids fixed64[]",
    "DebugAnnotation": "1 name_iid uint64, 3 uint_value uint64, 10 name string, 17 string_value_iid uint64",
    "InternedData": "1 event_categories Interned[], 2 event_names Interned[], 3 debug_annotation_names Interned[],"
    " 29 debug_annotation_string_values Interned[]",
    "Interned": "1 iid uint64, 2 name string",
}
TYPES = descriptor_pb2.FieldDescriptorProto
PHASES = {1: "B", 2: "E", 3: "i", 4: "C"}

# The parts of the report, and the waits that they consist of
PARTS = {
    "tensor": ["within a replica"],
    "data": ["over replicas", "over replicas with the same experts", "over copies of shared-out state"],
    "pipeline": ["between stages", "first and last stage"],
    "expert": ["between experts"],
    "context": ["between shares of the tokens"],
}
JOB = "lightpath-train --gpus=64 --iterations=2 --quiet --timelineSize=2GB"
JOBS = {
    "data parallelism on a ring": JOB + " --model=resnet50 --batch=1024 --fabric=sip-ring",
    "all parallelism, circuits by phase": JOB + " --model=bert-large:layers=4 --batch=256 --planner=fixed --tp=4 --pp=4"
    " --fabric=sip-ocs --trigger=phase --demandSource=phase --collectiveLatency=3us",
    "servers": JOB + " --model=bert-large:layers=4 --batch=256 --planner=fixed --tp=8 --pp=2 --server=dgx-h100"
    " --attach=rail --fabric=electrical",
}
DETAILS = " --timelineDetails=counters,messages,frames"

Event = collections.namedtuple("Event", "phase track time name category arguments flow")


class Fault(Exception):
    """A rule that a timeline breaks."""


def expect(holds, *sentence):
    """Raises a fault unless a rule holds."""
    if not holds:
        raise Fault(" ".join(str(word) for word in sentence))


def read_json(path):
    """Gets the events of a file of JSON, and the names of processes and tracks, times in ps."""
    with open(path, encoding="utf-8") as stream:
        entries = json.load(stream, parse_float=decimal.Decimal)["traceEvents"]
    processes, tracks, events = {}, {}, []
    for entry in entries:
        if entry["ph"] == "M":
            name = entry["args"]["name"]
            if entry["name"] == "process_name":
                processes[entry["pid"]] = name
            elif entry["name"] == "thread_name":
                tracks[entry["tid"]] = (entry["pid"], name)
            continue
        track = ("counter", entry["pid"], entry["name"]) if entry["ph"] == "C" else entry["tid"]
        if entry["ph"] == "C":
            tracks[track] = (entry["pid"], entry["name"])
            entry["args"] = entry["args"]["value"]
        time = entry["ts"] * 1000000
        expect(time == int(time), "a time has decimals below a tick:", entry["ts"])
        if entry["ph"] in "sf":
            # They belong to the event before, which is a slice without duration on their track
            last = events[-1]
            expect((last.phase, last.track, last.time) == ("X", track, int(time)), "arrow without event", entry)
            events[-1] = last._replace(phase={"s": ">", "f": "<"}[entry["ph"]], flow=int(entry["id"], 16))
            continue
        events.append(Event(entry["ph"], track, int(time), entry.get("name"), entry.get("cat"),
                            entry.get("args", {}), None))
    return processes, tracks, events


def make_trace():
    """Gets the class of Perfetto's Trace."""
    file = descriptor_pb2.FileDescriptorProto(name="timeline.proto", package="timeline", syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field in fields.split(","):
            number, label, kind = field.split()
            repeated = kind.endswith("[]")
            entry = message.field.add(name=label, number=int(number),
                                      label=TYPES.LABEL_REPEATED if repeated else TYPES.LABEL_OPTIONAL)
            kind = kind.removesuffix("[]")
            if kind in MESSAGES:
                entry.type, entry.type_name = TYPES.TYPE_MESSAGE, f".timeline.{kind}"
            else:
                entry.type = getattr(TYPES, "TYPE_" + kind.upper())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName("timeline.Trace"))


def read_trace(path):
    """Gets the events of a file of Perfetto, and the names of processes and tracks, times in ps."""
    trace = make_trace()()
    trace.ParseFromString(path.read_bytes())
    expect(not trace.UnknownFields() and trace.packet[0].sequence_flags == 1, "the first packet begins the names")
    names = collections.defaultdict(dict)
    processes, tracks, events = {}, {}, []
    for packet in trace.packet:
        expect(packet.sequence == 1 and not packet.UnknownFields(), "a packet has unknown fields:", packet)
        for field, entries in packet.interned.ListFields():
            for entry in entries:
                expect(entry.iid not in names[field.name], "a name is told twice:", entry.name)
                names[field.name][entry.iid] = entry.name
        if packet.HasField("track"):
            track = packet.track
            expect(track.uuid not in tracks and track.uuid not in processes, "a track has two descriptions")
            if track.HasField("process"):
                processes[track.uuid] = track.process.process_name
            else:
                expect(track.parent_uuid in processes, "a track without process:", track)
                tracks[track.uuid] = (track.parent_uuid, track.thread.thread_name or track.name)
            continue
        event = packet.event
        expect(event.track_uuid in tracks and not event.UnknownFields(), "an event without track:", packet)
        arguments = {}
        for each in event.annotations:
            key = each.name or names["debug_annotation_names"][each.name_iid]
            text = names["debug_annotation_string_values"].get(each.string_value_iid)
            arguments[key] = each.uint_value if each.HasField("uint_value") else text
        phase, flow = PHASES[event.type], None
        if event.flow_ids or event.terminating_flow_ids:
            phase = ">" if event.flow_ids else "<"
            (flow,) = [*event.flow_ids, *event.terminating_flow_ids]
        rest = arguments.pop("ps", 0) + arguments.pop("end_ps", 0)
        expect(rest < 1000, "a rest of a nanosecond is", rest)
        category = names["event_categories"][event.category_iids[0]] if event.category_iids else None
        if phase == "C":
            arguments = event.counter_value
        name = names["event_names"][event.name_iid] if event.name_iid else None
        events.append(Event(phase, event.track_uuid, packet.timestamp * 1000 + rest, name, category, arguments, flow))
    return processes, tracks, events


class Timeline:
    """What a timeline shows, after a check of its form."""

    def __init__(self, path):
        read = read_json if path.suffix == ".json" else read_trace
        self.processes, self.tracks, self.events = read(path)
        self.sums = collections.Counter()
        self.senders = collections.defaultdict(list)
        self.lasts = {}
        self.slices = 0
        self.arrows = 0
        self.begun = {}
        self.open = collections.defaultdict(list)
        for process, name in self.tracks.values():
            expect(process in self.processes and name, "a track without process or name:", name)
        expect(len(set(self.tracks.values())) == len(self.tracks), "two tracks of a process have the same name")
        for event in self.events:
            self.add(event)
        for track, slices in self.open.items():
            expect(not slices, "a slice of", self.tracks[track][1], "does not end")

    def add(self, event):
        """Checks an event against those before it on its track."""
        name = self.tracks[event.track][1]
        last = self.lasts.get(event.track, 0)
        # Programs sort what has no duration
        if event.phase in "BEC":
            expect(event.time >= last, event.name, "on", name, "goes back from", last, "to", event.time)
            self.lasts[event.track] = event.time
        if event.phase == "B":
            self.open[event.track].append(event)
        elif event.phase == "E":
            expect(self.open[event.track], "an end on", name, "without beginning, at", event.time)
            begin = self.open[event.track].pop()
            self.slices += 1
            key = (name, begin.arguments.get("iteration"), begin.category, begin.name)
            self.sums[key] += event.time - begin.time
            if begin.category in ("collective", "send"):
                self.senders[name.split(":")[0]].append((begin.time, event.time))
        elif event.phase == "C":
            expect(isinstance(event.arguments, int) and event.arguments >= 0, "a counter has", event.arguments)
        elif event.phase in "<>":
            self.add_arrow(event, name)

    def add_arrow(self, event, name):
        """Checks one end of an arrow."""
        rank = int(re.fullmatch(r"rank (\d+): messages", name).group(1))
        if event.phase == ">":
            expect(event.flow not in self.begun, "an arrow begins twice:", event)
            self.begun[event.flow] = (rank, event)
            return
        expect(event.flow in self.begun, "an arrow without beginning:", event)
        source, begin = self.begun.pop(event.flow)
        expect(begin.time <= event.time and event.arguments["source"] == source
               and begin.arguments["destination"] == rank, "an arrow joins other ranks:", begin, event)
        self.arrows += 1

    def check_sent(self):
        """Each message is sent in a communication task of its rank."""
        for event in self.events:
            if event.phase == ">":
                rank = self.tracks[event.track][1].split(":")[0]
                expect(any(begin <= event.time <= end for begin, end in self.senders[rank]),
                       "a message outside of all tasks of", rank, event)

    def get_mean(self, ranks, iteration, category, names=None):
        """Gets the mean over ranks of the slices of a category in an iteration, in s."""
        total = sum(value for (_, when, kind, name), value in self.sums.items()
                    if when == iteration and kind == category and (names is None or name in names))
        return total / ranks * 1e-12


def check_report(timeline, report):
    """Compares the second iteration on a timeline with a report."""
    ranks = sum(bool(re.fullmatch(r"rank \d+", name)) for _, name in timeline.tracks.values())
    expect(ranks == 64, ranks, "ranks")
    found = {"computeSeconds": timeline.get_mean(ranks, 1, "compute")}
    wanted = {"computeSeconds": report["computeSeconds"]}
    for part, groups in PARTS.items():
        names = {f"wait: communication {group}" for group in groups}
        found[part] = timeline.get_mean(ranks, 1, "wait", names)
        wanted[part] = report["exposedSeconds"][part]
    found["circuits"] = timeline.get_mean(ranks, 1, "wait", {"wait: circuits"})
    wanted["circuits"] = report["exposedSeconds"]["circuits"]
    for part, value in found.items():
        expect(abs(value - wanted[part]) < 1e-9, part, "is", value, "on the timeline, but", wanted[part])
    iterations = [value for (name, _, _, _), value in sorted(timeline.sums.items(), key=str) if name == "iterations"]
    for value, seconds in zip(iterations, report["iterationSeconds"], strict=True):
        expect(abs(value * 1e-12 - seconds) < 1e-9, "an iteration takes", value * 1e-12, "s, but", seconds)


def check_job(programs, name, command, folder):
    """Runs a job twice and checks its timelines, one of each format."""
    timelines = []
    for ending in (".json", ".pftrace"):
        path = folder / ("run" + ending)
        program, *options = (command + DETAILS).split()
        subprocess.run([programs / program, *options, f"--timeline={path}", f"--json={folder / 'report.json'}"],
                       check=True, cwd=folder)
        report = json.loads((folder / "report.json").read_text("utf-8"))["runs"][0]
        timeline = Timeline(path)
        expect(not timeline.begun, len(timeline.begun), "arrows do not end")
        check_report(timeline, report)
        timeline.check_sent()
        timelines.append(timeline)
    expect(timelines[0].sums == timelines[1].sums and timelines[0].arrows == timelines[1].arrows > 0,
           "the formats differ")
    print(f"{name}: {timelines[0].slices} slices, {timelines[0].arrows} arrows", flush=True)


def main():
    """Checks all jobs, or one file."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1]).resolve()
    name = path.name
    try:
        if path.is_file():
            timeline = Timeline(path)
            print(f"{timeline.slices} slices on {len(timeline.tracks)} tracks, {timeline.arrows} arrows,"
                  f" {len(timeline.begun)} arrows without end")
            return
        with tempfile.TemporaryDirectory() as folder:
            for name, command in JOBS.items():
                check_job(path, name, command, pathlib.Path(folder))
    except Fault as fault:
        sys.exit(f"check-timeline.py: {name}: {fault}")


if __name__ == "__main__":
    main()
