"""Tests of the check of sentences in which a fabric wins that cannot be built."""

import importlib.util
import os
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPEC = importlib.util.spec_from_file_location("verdicts_check", os.path.join(ROOT, "utils/check-verdicts.py"))
MODULE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(MODULE)

PAGE = """Fabrics
=======

Near
----

   =======  ====  ========
   Fabric   Time  Feasible
   =======  ====  ========
   Prism    1.0   yes
   Switch   1.1   yes
   =======  ====  ========

Far
---

   ==============  ====  ============
   Fabric          Time  Feasible
   ==============  ====  ============
   Prism           0.5   no: light
   Comet, 2 Tb/s   0.4   no: margin
   Comet, 1 Tb/s   1.4   yes
   Switch          1.0   yes
   ==============  ====  ============

What decides
------------

{}
"""


class VerdictsTests(unittest.TestCase):
    """Sentences by hand."""

    def find(self, text, other=""):
        """Return the faults of a page with a text, beside another page."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (("fabrics", PAGE.format(text)), ("other", other)):
                with open(os.path.join(folder, f"{name}.rst"), "w", encoding="utf-8") as file:
                    file.write(content)
            return list(MODULE.check([folder]))

    def test_faults(self):
        """Each names a row that cannot be built, and lets it win."""
        for text in (
            "Prism is the cheapest.",
            "Far away, Prism is fastest of all.",
            "All is well. *Prism*\ntakes the least time.",
            "* The switch loses.\n* Comet, 2 Tb/s, beats it.",
            "Prism is ahead of the switch.",
            "Prism does the same at half the price.",
            "The quickest of all is Prism, by far.",
            "No other network is as quick as Prism.",
            "Prism undercuts the switch.",
            "Comet, 2 Tb/s, has the fewest parts and comes in first place.",
        ):
            faults = self.find(text)
            self.assertEqual(len(faults), 1, text)
            self.assertIn("fabrics.rst:", faults[0])
        self.assertEqual(len(self.find("", "Prism is the best (:doc:`fabrics`).\n")), 1)

    def test_sentences(self):
        """None lets a row win that cannot be built."""
        for text in (
            "The switch is the cheapest.",
            "Prism would be the cheapest, but cannot be built.",
            "Prism takes half of the time.",
            "Near to each other, Prism is fastest.",
            "Comet is best.",
            "Prismatic glass is the cheapest.",
        ):
            self.assertEqual(self.find(text), [], text)
        self.assertEqual(self.find("", "Prism is the best.\n"), [])

    def test_output(self):
        """Tables that a program has printed, below a heading of Markdown."""
        text = """# Output

```
fabric       iteration  dark  feasible  speed vs prism
prism         135.3 ms     0       yes          1.000x
comet         (1.0 ms)     0        NO               -

fabric       iteration            feasible  plan
lens          (1.0 ms)  no: wrong averages  dp 4
```

Prism is the fastest. {} is cheap.
"""
        for name, number in (("Comet, the best,", 1), ("Lens, the best,", 1), ("Prism, the best,", 0)):
            with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as file:
                file.write(text.format(name))
                file.flush()
                self.assertEqual(len(list(MODULE.check([file.name]))), number, name)

    def test_nothing(self):
        """A manual without such rows is one in which nothing was checked."""
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(list(MODULE.check([folder]))), 1)


if __name__ == "__main__":
    unittest.main()
