"""Options of a program in Python, and the tables that it prints, as those of the programs in C++."""

import json
import math
import os
import re
import signal
import sys
import textwrap


def split_list(text):
    """Return the names of a list that commas separate."""
    names = text.split(",")
    return names[:-1] if names[-1] == "" else names


def parse_number(option, text, least, most):
    """Return a whole number in a range."""
    if not re.fullmatch(r"[ \t\n\v\f\r]*[+-]?[0-9]{1,4000}", text) or not -(1 << 63) <= int(text) < 1 << 63:
        raise ValueError(f"--{option}={text} must be a number, like 64")
    if not least <= int(text) <= most:
        raise ValueError(f"--{option}={int(text)} must be a number from {least} to {most}")
    return int(text)


def parse_real(option, text):
    """Return a number."""
    is_number = re.fullmatch(r"[ \t\n\v\f\r]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text)
    if not is_number or math.isinf(float(text)):
        raise ValueError(f"--{option}={text} must be a number, like 0.5")
    return float(text)


def parse_flag(option, text):
    """Return whether an option is on."""
    if text not in ("true", "1", "false", "0"):
        raise ValueError(f"--{option}={text} is unknown: the known ones are true, false, 1, 0")
    return text in ("true", "1")


def get_edit_distance(a, b):
    """Return the fewest letters to insert, delete or replace that make one word of another, large or small."""
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a.lower()):
        diagonal, row[0] = row[0], i + 1
        for j, other in enumerate(b.lower()):
            replaced = diagonal + (letter != other)
            diagonal = row[j + 1]
            row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
    return row[-1]


def list_known(name, known):
    """Return the end of a sentence that refuses a name: all known ones, and the nearest one if it is near."""
    nearest = min(known, key=lambda each: get_edit_distance(name, each))
    is_near = get_edit_distance(name, nearest) <= (len(nearest) + 2) // 3
    return f"the known ones are {', '.join(known)}" + (f"; the nearest is {nearest}" if is_near else "")


class ProgramOptions:
    """The options of a program: values by name, which begin as the defaults."""

    def __init__(self, program, usage):
        self._program = program
        self._usage = usage
        self._subject = "Options"
        self._options = {}
        self._given = set()
        self._wanted = ""
        self.values = {}

    def begin_group(self, subject):
        """Begin the options of a subject."""
        self._subject = subject

    def add(self, name, text, default, take=lambda name, value: value):
        """Add an option with its help and default; take(name, text) returns a value, or raises ValueError."""
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        shown = shown.lower() if isinstance(default, bool) else shown
        self._options[name] = (self._subject, text, shown, take)
        self.values[name] = default

    def add_number(self, name, text, default, least, most):
        """Add an option for a whole number in a range."""
        self.add(name, text, default, lambda option, value: parse_number(option, value, least, most))

    def add_real(self, name, text, default):
        """Add an option for a number."""
        self.add(name, text, float(default), parse_real)

    def add_flag(self, name, text):
        """Add an option that is on or off, and off unless it is given."""
        self.add(name, text, False, parse_flag)

    def is_given(self, name):
        """Return whether an option was given."""
        return name in self._given

    def add_output(self):
        """Add the options of the output: --json and --quiet."""
        self.add("json", "File for the results as JSON; - for standard output", "")
        self.add_flag("quiet", "Print nothing but errors")

    def finish(self, result, table):
        """Write a result as JSON where --json asks for it, and return what to print: the table, unless JSON or nothing
        is asked for."""
        name = self.values["json"]
        text = json.dumps(result, indent=2) + "\n"
        if name == "-":
            return text
        if name:
            try:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                raise ValueError(f"The file '{name}' cannot be written") from error
        return "" if self.values["quiet"] else table

    def run(self, arguments, work):
        """Take the arguments and do the work, which returns what to print; return the exit status. ValueError and a
        standard output that cannot be written end in one sentence on standard error."""
        # As a program in C++ ends when nobody reads what it prints, or when it is interrupted
        for name in ("SIGPIPE", "SIGINT"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        try:
            self._write(work() if self._parse(arguments) else self._get_help())
        except ValueError as error:
            if sys.stderr is not None:
                sys.stderr.buffer.write(os.fsencode(f"{self._program}: {error}\n"))
                sys.stderr.buffer.flush()
            return 1
        return 0

    @staticmethod
    def _write(text):
        """Print a text."""
        try:
            if sys.stdout is None:
                raise OSError
            sys.stdout.buffer.write(os.fsencode(text))
            sys.stdout.buffer.flush()
        except OSError as error:
            # Python would try again at the end
            sys.stdout = None
            raise ValueError("The standard output cannot be written") from error

    def _parse(self, arguments):
        """Take the arguments; return False if they ask for help."""
        for index, argument in enumerate(arguments):
            if argument in ("-h", "--help", "--PrintHelp") or argument.startswith("--help="):
                self._wanted = argument.partition("=")[2]
                return False
            if not argument.startswith("--"):
                raise ValueError(f"'{argument}' is not an option: write --option=value, without spaces")
            name, equals, value = argument[2:].partition("=")
            if name not in self._options:
                nearest = min(self._options, key=lambda known: get_edit_distance(name, known))
                raise ValueError(
                    f"There is no option --{name}: the nearest is --{nearest}, and --help lists all of them"
                )
            take = self._options[name][3]
            if not equals and take is not parse_flag:
                following = arguments[index + 1] if index + 1 < len(arguments) else ""
                example = "VALUE" if following == "" or following[0] == "-" else following
                raise ValueError(f"--{name} needs a value: write --{name}={example}")
            self._given.add(name)
            self.values[name] = take(name, value if equals else "true")
        return True

    def _get_help(self):
        """Return the help: the options by subject, with their defaults, in 80 columns."""
        width = max(map(len, self._options)) + 3
        subjects = list(dict.fromkeys(option[0] for option in self._options.values()))
        wanted = [subject for subject in subjects if self._wanted.lower() in subject.lower()]
        if not wanted:
            raise ValueError(
                f"There are no options of '{self._wanted}': the subjects are"
                f" {', '.join(subjects[:-1])} and {subjects[-1]}"
            )
        lines = [] if self._wanted else [f"{self._program} [--OPTION=VALUE]...", "", *textwrap.wrap(self._usage, 80, break_on_hyphens=False)]
        for subject in wanted:
            lines += ["", f"{subject}:"] if lines else [f"{subject}:"]
            for name, (its_subject, text, default, _) in self._options.items():
                if its_subject == subject:
                    begin = f"    --{name + ':':{width}}"
                    lines += textwrap.wrap(
                        text + (f" [{default}]" if default else ""),
                        80,
                        initial_indent=begin,
                        subsequent_indent=" " * len(begin),
                        break_long_words=False,
                        break_on_hyphens=False,
                    )
        return "\n".join(lines) + "\n"


FORMATS = ("table", "rst", "csv")


def parse_format(_, text):
    """Return the name of a format of tables."""
    if text not in FORMATS:
        raise ValueError(f"There is no format '{text}': {list_known(text, FORMATS)}")
    return text


def format_table(lines, form):
    """Return lines of texts, the first of which has the heads of the columns, as a table: for people, for the
    documentation (rst) or for other programs (csv)."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    if form == "csv":
        return "".join(",".join(f'"{text}"' if "," in text else text for text in line) + "\n" for line in lines)
    rows = []
    for line in lines:
        others = zip(line[1:], widths[1:])
        rows.append("  ".join([line[0].ljust(widths[0])] + [text.rjust(width) for text, width in others]))
    if form == "rst":
        rule = "  ".join("=" * width for width in widths)
        rows = [rule, rows[0], rule, *rows[1:], rule]
    return "".join(row + "\n" for row in rows)
