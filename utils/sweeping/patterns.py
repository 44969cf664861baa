"""Lists and ranges of values in braces, as in a shell: {a,b}, {9..20+2}, {64..1024*2}, {1us..10ms*10}."""

import re
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext
from itertools import chain, product

MOST_DIGITS = 15
MOST_DEPTH = 20
MOST_RANGE = 100000
MOST_VALUES = 1000000

# Sums are exact with these digits, products are rounded to fewer
EXACT = Context(prec=100)
ROUNDED = Context(prec=12, rounding=ROUND_HALF_UP)

# The kinds of units that a range may mix, each with the powers of ten of its units in ascending order
KINDS = [
    {"fs": -15, "ps": -12, "ns": -9, "us": -6, "ms": -3, "s": 0},
    {"bps": 0, "kbps": 3, "Mbps": 6, "Gbps": 9, "Tbps": 12},
    {"b/s": 0, "kb/s": 3, "Mb/s": 6, "Gb/s": 9, "Tb/s": 12},
    {"B": 0, "kB": 3, "MB": 6, "GB": 9, "TB": 12},
]

NUMBER = r"([0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)([A-Za-z/%]*)"
RANGE = re.compile(rf"(-?){NUMBER}\.\.(-?){NUMBER}(?:([+*-]){NUMBER})?")


class Range:
    """A range of decimal numbers with units.

    A range begins with its first number and never passes its last. Without a step it goes in steps
    of 1. If its units differ, a value has the unit of the first number, or the next larger one from
    1000 on, or a smaller one below 1 on the way to a smaller unit.
    """

    def __init__(self, text):
        self.text = text
        match = RANGE.fullmatch(text)
        if not match:
            raise self._refusal(
                "is not a range: write it like {9..20}, {9..20+2}, {64..1024*2} or {1us..10ms*10}"
            )
        minus, first, unit, last_minus, last, last_unit, self.sign, step, step_unit = match.groups("")
        if any(sum(map(str.isdigit, number)) > MOST_DIGITS for number in (first, last, step)):
            raise self._refusal(f"has a number of more than {MOST_DIGITS} digits: write fewer")
        if self.sign == "*" and step_unit:
            raise self._refusal("has a factor with a unit: write the factor as a plain number, like *2")
        self._set_units(unit, last_unit, step_unit or unit)
        # Adding zero makes 0 of -0
        self.first = EXACT.add(Decimal(minus + first).scaleb(self._power(unit)), 0)
        self.last = EXACT.add(Decimal(last_minus + last).scaleb(self._power(last_unit)), 0)
        self.step = Decimal(step or 1)
        if self.sign != "*":
            self.step = self.step.scaleb(self._power(step_unit or unit))
            if self.sign == "-" or (not self.sign and self.last < self.first):
                self.step = -self.step
        self._check_ends()

    def _refusal(self, reason):
        return ValueError(f"'{{{self.text}}}' {reason}")

    def _set_units(self, first, last, step):
        """Find the units of the values: one for all of them, or a kind with several."""
        self.unit = first
        self.smallest = last
        self.kind = {}
        given = {first, last} | (set() if self.sign == "*" else {step})
        if len(given) > 1:
            kinds = [kind for kind in KINDS if given <= kind.keys()]
            if not kinds:
                raise self._refusal(
                    "has units that are not of one kind: give all of its numbers the same unit"
                )
            self.kind = kinds[0]

    def _power(self, unit):
        return self.kind.get(unit, 0)

    def _check_ends(self):
        if self.sign == "*" and min(self.first, self.last, self.step) <= 0:
            raise self._refusal("multiplies, for which its ends and its factor must be above 0")
        way = self.last - self.first
        step = self.step - 1 if self.sign == "*" else self.step
        if step == 0 or way * step < 0:
            raise self._refusal(
                f"never ends: its step does not lead from {self._write(self.first)}"
                f" to {self._write(self.last)}"
            )

    def _write(self, value):
        """Return a value as text, with a unit that suits it."""
        unit = self.unit
        units = list(self.kind)
        if units:
            at = units.index(unit)
            while at + 1 < len(units) and abs(value) >= Decimal(1000).scaleb(self.kind[units[at]]):
                at += 1
            while at > units.index(self.smallest) and 0 < abs(value) < Decimal(1).scaleb(
                self.kind[units[at]]
            ):
                at -= 1
            unit = units[at]
        digits = f"{value.scaleb(-self._power(unit)):f}"
        if "." in digits:
            digits = digits.rstrip("0").rstrip(".")
        return digits + unit

    def expand(self):
        """Return the values of the range as texts."""
        values = []
        value = self.first
        is_down = self.last < self.first
        while value >= self.last if is_down else value <= self.last:
            if len(values) == MOST_RANGE:
                raise self._refusal(f"has more than {MOST_RANGE} values")
            values.append(self._write(value))
            if self.sign == "*":
                value = ROUNDED.multiply(ROUNDED.plus(value), self.step)
            else:
                value = EXACT.add(value, self.step)
        return values


def is_range(text):
    """Whether an item of a list is meant as a range: two dots, and not the path of a file."""
    return ".." in text and (text[0] in "-0123456789" or "/" not in text)


class Pattern:
    """A text with groups in braces, read from its beginning to its end."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def _refusal(self, reason):
        return ValueError(f"'{self.text}' {reason}")

    def read(self, depth=0):
        """Return the texts up to the end of the pattern or, in a group, of an item."""
        texts = [""]
        while self.at < len(self.text) and not (depth > 0 and self.text[self.at] in ",}"):
            tails = [self.text[self.at]]
            if tails == ["}"]:
                raise self._refusal("closes a group that is not open: write lists like {a,b}")
            if tails == ["{"]:
                tails = self._read_group(depth + 1)
            if len(texts) * len(tails) > MOST_VALUES:
                raise self._refusal(f"stands for more than {MOST_VALUES} values")
            texts = [head + tail for head, tail in product(texts, tails)]
            self.at += 1
        return texts

    def _read_group(self, depth):
        """Return the texts of a group, and move from its opening to its closing brace."""
        if depth > MOST_DEPTH:
            raise self._refusal(f"nests more than {MOST_DEPTH} groups: nest fewer")
        opening = self.at
        lists = []
        while not lists or self.text[self.at] == ",":
            self.at += 1
            begin = self.at
            items = self.read(depth)
            if self.at == len(self.text):
                raise self._refusal("opens a group and does not close it: write lists like {a,b}")
            item = self.text[begin : self.at]
            lists.append(Range(item).expand() if "{" not in item and is_range(item) else items)
        if self.at == opening + 1:
            raise self._refusal(
                "has an empty list: write the values between the braces, like {a,b}"
            )
        return list(chain(*lists))


def expand(text):
    """Return the texts that a pattern stands for; of a text without braces, itself.

    What stands before and after a group goes with each of its items; of several groups all
    combinations are meant, those of the first changing slowest.
    """
    with localcontext(EXACT):
        return Pattern(text).read()
