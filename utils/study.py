"""What the studies beside this file share: runs of programs by the package in lightpath/, and how a study ends."""

import argparse
import concurrent.futures
import json
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import lightpath


class Parser(argparse.ArgumentParser):
    """Options of a study, whose errors are one sentence and exit code 1."""

    def error(self, message):
        raise ValueError(f"{message} (--help lists the options)")


def make_parser(text, tool="lightpath-train"):
    """Return the options that each study has, which runs a tool."""
    parser = Parser(description=text, allow_abbrev=False)
    parser.add_argument("--program", help=f"path of {tool}; default: the newest build")
    parser.set_defaults(tool=tool)
    parser.add_argument("--jobs", type=int, help="runs at a time; default: one a core")
    parser.add_argument("--json", help="file for the results as JSON; - for standard output")
    parser.add_argument("--check", action="store_true", help="fail if a limit of the manual is not kept")
    return parser


def check_options(options, formats):
    """Refuse bad values, before any run; find the program."""
    if options.jobs is None:
        options.jobs = len(os.sched_getaffinity(0))
    if not 1 <= options.jobs <= 1024:
        raise ValueError(f"--jobs={options.jobs} must be a number from 1 to 1024")
    if options.format not in formats:
        known = ", ".join(formats)
        raise ValueError(f"There is no format '{options.format}': the known ones are {known}")
    if options.json and options.json != "-":
        folder = os.path.dirname(options.json) or "."
        if os.path.isdir(options.json) or not os.access(folder, os.W_OK):
            raise ValueError(f"The file '{options.json}' cannot be written")
    options.program = options.program or lightpath.find_program(options.tool)
    if not options.program:
        raise ValueError(f"There is no {options.tool}: build it, or give --program=PATH")


def run(program, arguments, name=""):
    """Return the result of a program with arguments; if it refuses them, ValueError with the name of the run."""
    try:
        return lightpath.run(program, *arguments)
    except lightpath.Refused as error:
        raise ValueError(f"{name}: {error}" if name else str(error)) from error


def get_steady_seconds(run):
    """Return the time of an iteration as predictions have it: the mean without the first one, if there are more."""
    times = run["iterationSeconds"]
    return statistics.mean(times[1:] or times)


def train(program, arguments):
    """Run lightpath-train; return its JSON and None, or None and the sentence of its refusal."""
    try:
        return run(program, arguments), None
    except ValueError as error:
        return None, str(error)


def run_all(work, items, jobs, name, make_pool=concurrent.futures.ThreadPoolExecutor):
    """Return work(item) of each item, some at a time; show the progress on a terminal."""
    results = [None] * len(items)
    with make_pool(jobs) as pool:
        runs = {pool.submit(work, item): i for i, item in enumerate(items)}
        try:
            for ended, run in enumerate(concurrent.futures.as_completed(runs), 1):
                results[runs[run]] = run.result()
                if sys.stderr.isatty():
                    end = "\r\033[K" if ended == len(items) else ""
                    text = f"{ended} of {len(items)}: {name(items[runs[run]])}"
                    print(f"\r\033[K{text}{end}", end="", file=sys.stderr, flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return results


def write_json(results, name):
    """Write results as JSON to a file, - for standard output."""
    text = json.dumps(results, indent=2) + "\n"
    if name == "-":
        sys.stdout.write(text)
    else:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)


def report(options, results, print_table, check):
    """Print the rows of results as a table, write all as JSON, and check the rows, as options ask for."""
    if options.json != "-":
        print_table(results["rows"], options.format == "rst")
    if options.json:
        write_json(results, options.json)
    if options.check:
        check(results["rows"])


def format_feasibility(run):
    """Return whether the light of a run's fabric arrives with the components in use, or what fails first."""
    return "yes" if run["feasible"] else f"no: {run['light']['fault']}"


def print_table(heads, rows):
    """Print a table as the manual has it."""
    lines = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = "  ".join("=" * width for width in widths)
    printed = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    print("\n".join("   " + line for line in [rule, printed[0], rule, *printed[1:], rule]))


def take_share(text, items):
    """Return one of several shares of items, which a text like 2/5 names."""
    match = re.fullmatch("([0-9]+)/([0-9]+)", text)
    part, parts = map(int, match.groups()) if match else (0, 0)
    if not 1 <= part <= parts:
        raise ValueError(f"--share={text} is no share: write I/N with I from 1 to N, like 2/5")
    return items[part - 1 :: parts]


def run_table(text, items, measure, name, print_rows, check, get_items=None):
    """Measure items with lightpath-train, or what get_items() returns for a share of items; print, write and check the
    rows as the command line asks."""
    parser = make_parser(text)
    parser.set_defaults(format="rst")
    if get_items:
        parser.add_argument("--share", default="1/1", help="one of several shares of the table, like 2/5")
    options = parser.parse_args()
    check_options(options, ["rst"])
    if get_items:
        items = get_items(take_share(options.share, items))
    rows = run_all(lambda item: measure(options.program, item), items, options.jobs, name)
    if options.json != "-":
        print_rows(rows)
    if options.json:
        write_json(rows, options.json)
    if options.check:
        check(rows)


def get_median(values):
    """Return the median of numbers, None if there are none."""
    ordered = sorted(values)
    count = len(ordered)
    return (ordered[(count - 1) // 2] + ordered[count // 2]) / 2 if ordered else None


def end(main, name):
    """Run a study and end the process: 0, or 1 after a sentence."""
    try:
        main()
        sys.stdout.flush()
    except (ValueError, OSError, lightpath.Failed) as error:
        print(f"{name}: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
