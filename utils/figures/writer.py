"""Writes sections and tables of a page about rows of results."""

from ratios import get_ratios
from verdicts import describe_light


class Writer:
    """A page that grows by sections and tables."""

    def __init__(self, rows, head):
        self._rows = rows
        self._lines = [head]

    def _section(self, title, figure, paper, ours, reason, more=None):
        self._lines += [title, "-" * len(title), ""]
        for name in [figure] + ([more] if more else []):
            self._lines += [f".. image:: figures/{name}.png", f"   :alt: {title}", ""]
        for name, text in (("Paper", paper), ("Ours", ours), ("Why they differ", reason)):
            self._lines += [f"**{name}.** {text}", ""]

    def _table(self, title, head, rows, *options):
        if not rows:
            return
        heads = ",".join(f'"{cell}"' for cell in head)
        self._lines += [f".. csv-table:: {title}", "   :header-rows: 1", *options, "", "   " + heads]
        self._lines += ["   " + ",".join(f'"{cell}"' for cell in row) for row in rows] + [""]

    def _curve(self, series, option="bandwidth", value=None, **options):
        return dict(self._rows.curve(series, option, value, **options))

    def _ratios(self, series, other, shift=1.0):
        """Returns by model and rate the time of a series of rates over that of another one."""
        return get_ratios(self._rows, f"bandwidth/{series}", f"bandwidth/{other}", shift)

    def _light(self, *series, **options):
        """Returns whether the light of the runs of some series arrives."""
        return describe_light([row for name in series for row in self._rows.find(name, **options)])
