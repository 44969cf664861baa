"""The table of results, by figure and series."""

import csv

from cases import GPT2

# Iterations of GPT-2 355M in the released simulator; there is no measured convergence
GPT2_ITERATIONS = 2403000

UNITS = {
    "bps": 1.0,
    "kbps": 1e3,
    "Mbps": 1e6,
    "Gbps": 1e9,
    "Tbps": 1e12,
    "s": 1.0,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
}


def to_number(text):
    """Returns a number with or without a unit in bit/s or seconds."""
    for unit in sorted(UNITS, key=len, reverse=True):
        if text.endswith(unit):
            return float(text[: -len(unit)]) * UNITS[unit]
    return float(text)


class Rows:
    """The rows of the table of a sweep."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            self._rows = list(csv.DictReader(file))
        # What was planned only has no convergence of its own
        known = {
            (row["model"], row["batch"]): row["iterations_to_target"]
            for row in self._rows
            if row["iterations_to_target"]
        }
        for row in self._rows:
            row["iterations_to_target"] = known.get((row["model"], row["batch"]), "")

    def find(self, series, **options):
        """Returns the rows of a series whose options have these values."""
        return [
            row
            for row in self._rows
            if row["sweep"] == series
            and all(row.get(name) == str(value) for name, value in options.items())
        ]

    def find_figure(self, figure):
        """Returns the rows of all series of a figure."""
        return [row for row in self._rows if row["sweep"].startswith(f"{figure}/")]

    def seconds(self, series, **options):
        """Returns the iteration time of a row in seconds; None if there is none or it was refused."""
        rows = self.find(series, **options)
        return get_seconds(rows[0]) if rows else None

    def curve(self, series, option, value=None, **options):
        """Returns points: an option as a number, and the iteration time or what value() makes."""
        points = []
        for row in self.find(series, **options):
            y = (value or get_seconds)(row)
            if y is not None:
                points.append((to_number(row[option]), y))
        return sorted(points)


def get_seconds(row):
    """Returns the iteration time in seconds: simulated, or planned if nothing was simulated."""
    text = row["iteration_s"] or row["predicted_s"]
    return None if row["error"] or not text else float(text)


def get_minutes(row):
    """Returns the time to accuracy in minutes."""
    seconds = get_seconds(row)
    if seconds is None:
        return None
    if row["model"] == GPT2:
        return seconds * GPT2_ITERATIONS / 60
    iterations = row["iterations_to_target"]
    return seconds * float(iterations) / 60 if iterations else None
