"""Configuration of Sphinx."""

import re
from pathlib import Path

project = "lightpath"
author = "The lightpath authors"
copyright = "2026, The lightpath authors"
release = Path(__file__).with_name("..").joinpath("VERSION").read_text("utf-8").strip()

# Pages that others include
exclude_patterns = [
    "build",
    "accuracy-classes.rst",
    "calibration.rst",
    "oddl-plans.rst",
    "optinc-learning-table.rst",
    "optinc-noise.rst",
    "planner-comparison.rst",
    "planner-curve.rst",
    "predictions.rst",
]
numfig = True
extensions = ["sphinx.ext.mathjax"]
html_theme = "alabaster"
html_static_path = ["static"]
html_theme_options = {"page_width": "1140px"}
html_show_sourcelink = False


def offer_files(_app, _page, source):
    """Turns links to files of the repository, which GitHub follows, into downloads."""
    source[0] = re.sub(r"(`[^`<]+<[\w./-]+\.(?:cc|rst|txt)>`)_", r":download:\1", source[0])


def setup(app):
    """Connects to Sphinx."""
    app.connect("source-read", offer_files)
