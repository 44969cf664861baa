"""The runs that a line of options stands for, and files with several such lines."""

import hashlib
import re
import shlex
from itertools import chain, product

from sweeping.patterns import expand

MOST_RUNS = 1000000

OPTION = re.compile(r"--([^=\s]+)(?:=(.*))?")
BLANK = re.compile(r"\{[^{}]*\s")

# A line up to its comment: a # that begins a word outside quotes
CODE = re.compile(r"""(?:[^\s'"\\#]|\s|\\.|(?<=\S)\#|'[^']*'|"(?:\\.|[^"\\])*")*""", re.VERBOSE)


class Run:
    """One run of a sweep: options as pairs of a name and a value, None if it has no value."""

    def __init__(self, options):
        self.options = options

    def get_words(self):
        """Return the options as words, in the order of the command line."""
        return [f"--{name}" + ("" if value is None else f"={value}") for name, value in self.options]

    def get_canonical_words(self):
        """Return the options as words in the order of their names: runs with the same are the same."""
        return Run(sorted(self.options, key=lambda option: option[0])).get_words()

    def get_key(self):
        """Return a hash of the canonical words as 16 hexadecimal digits."""
        return get_hash("".join(word + "\n" for word in self.get_canonical_words()).encode())

    def get_value(self, name):
        """Return the value of an option, true if it has none; of several, all with commas between."""
        values = [value for other, value in self.options if other == name]
        return ",".join("true" if value is None else value for value in values)


def get_hash(data):
    """Return a hash of bytes as 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def read_axes(words):
    """Return a list of options, each a name and its values.

    An option that is given several times has the values of all, except --attribute, which the
    program takes several times.
    """
    axes = []
    for word in words:
        match = OPTION.fullmatch(word)
        if not match or BLANK.search(match[2] or ""):
            raise ValueError(f"'{word}' is not an option: write --option=value, without spaces in lists")
        name, pattern = match.groups()
        values = [None] if pattern is None else expand(pattern)
        known = [axis for axis in axes if axis[0] == name and name != "attribute"]
        if known:
            known[0][1].extend(values)
        else:
            axes.append((name, values))
    return axes


class Grid:
    """All combinations of the values of some options, those of the first changing slowest.

    Common options come first; those that the line itself gives take the place of the common ones.
    """

    def __init__(self, words, common=(), label=""):
        self.label = label
        own = read_axes(words)
        given = {name for name, _ in own}
        self.axes = []
        for axis in read_axes(common):
            self.axes += [each for each in own if each[0] == axis[0]] if axis[0] in given else [axis]
            own = [each for each in own if each[0] != axis[0]]
        self.axes += own
        runs = 1
        for _, values in self.axes:
            runs *= len(values)
        if runs > MOST_RUNS:
            raise ValueError(
                f"A sweep has more than {MOST_RUNS} runs: give shorter lists or ranges"
            )

    def get_names(self):
        """Return the names of the options, each once, in the order of the line."""
        return list(dict.fromkeys(name for name, _ in self.axes))

    def get_runs(self):
        """Yield the runs in order."""
        return map(Run, product(*([(name, value) for value in values] for name, values in self.axes)))


def split_words(line):
    """Return the words of a line as a shell reads them, without its comment."""
    code = CODE.match(line).group()
    try:
        return shlex.split(code if line[len(code) :].startswith("#") else line)
    except ValueError as error:
        raise ValueError(f"'{line}' has a quote that is not closed") from error


def read_grids(path, common):
    """Return the sweeps of a file: a line of options each, after a label with a colon or without.

    A backslash at the end of a line continues it.
    """
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise ValueError(f"The file '{path}' cannot be read: {error.strerror}") from error
    grids = []
    text = ""
    for number, line in enumerate(lines, 1):
        continues = line.endswith("\\")
        text += line[:-1] if continues else line
        if continues and number < len(lines):
            continue
        try:
            words = split_words(text)
            first = words[0] if words else ""
            has_label = len(first) > 1 and first.endswith(":") and not first.startswith("--")
            if words:
                grids.append(Grid(words[has_label:], common, first[:-1] if has_label else ""))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
        text = ""
    if not grids:
        raise ValueError(f"The file '{path}' has no sweep: write the options of one on a line")
    return grids
