"""Options of a program in Python, and the tables that it prints, as those of the programs in C++."""

import math
import os
import re
import signal
import sys


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


class ProgramOptions:
    """The options of a program: values by name, which begin as the defaults."""

    def __init__(self, program, usage):
        self._program = program
        self._usage = usage
        self._subject = "Options"
        self._options = {}
        self._given = set()
        self.values = {}

    def begin_group(self, subject):
        """Begin the options of a subject."""
        self._subject = subject

    def add(self, name, text, default, take=lambda name, value: value):
        """Add an option with its help and default; take(name, text) returns a value, or raises ValueError."""
        shown = f"{default:g}" if isinstance(default, float) else str(default)
        self._options[name] = (self._subject, text, shown, take)
        self.values[name] = default

    def add_number(self, name, text, default, least, most):
        """Add an option for a whole number in a range."""
        self.add(name, text, default, lambda option, value: parse_number(option, value, least, most))

    def add_real(self, name, text, default):
        """Add an option for a number."""
        self.add(name, text, float(default), parse_real)

    def is_given(self, name):
        """Return whether an option was given."""
        return name in self._given

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
            if argument in ("-h", "--help", "--PrintHelp"):
                return False
            if not argument.startswith("--"):
                raise ValueError(f"'{argument}' is not an option: write --option=value, without spaces")
            name, equals, value = argument[2:].partition("=")
            if name not in self._options:
                nearest = min(self._options, key=lambda known: get_edit_distance(name, known))
                raise ValueError(
                    f"There is no option --{name}: the nearest is --{nearest}, and --help lists all of them"
                )
            if not equals:
                following = arguments[index + 1] if index + 1 < len(arguments) else ""
                example = "VALUE" if following == "" or following[0] == "-" else following
                raise ValueError(f"--{name} needs a value: write --{name}={example}")
            self._given.add(name)
            self.values[name] = self._options[name][3](name, value)
        return True

    def _get_help(self):
        """Return the help: the options by subject, with their defaults."""
        width = max(map(len, self._options)) + 3
        lines = [f"{self._program} [--OPTION=VALUE]...", "", self._usage]
        subject = None
        for name, (its_subject, text, default, _) in self._options.items():
            if its_subject != subject:
                subject = its_subject
                lines += ["", f"{subject}:"]
            lines.append(f"    --{name + ':':{width}}{text}" + (f" [{default}]" if default else ""))
        return "\n".join(lines) + "\n"


FORMATS = ("table", "rst", "csv")


def parse_format(_, text):
    """Return the name of a format of tables."""
    if text not in FORMATS:
        raise ValueError(f"There is no format '{text}': the known ones are {', '.join(FORMATS)}")
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
