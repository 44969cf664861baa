#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks that no sentence of the manual lets a fabric win that cannot be built.

usage: utils/check-verdicts.py [FOLDER | FILE]...

A folder has pages; without arguments doc/ and README.md are checked. A table with the column Feasible names its rows in
the first column, or in the second one if the first has numbers; tables that a program has printed count, too. A
sentence is at fault if it names a row whose Feasible says no, has a word like cheapest, fastest or least, and does not
say that the row cannot be built. It is about the tables of the page that it refers to, of the section that it names, of
its own section, or of its page. Prints one line for each fault; the exit code is 1 if there is one, and if no table has
such a row, as then nothing was checked.
"""

import re
import sys
from pathlib import Path

# Who wins
WINS = re.compile(
    r"\b(best|(cheap|fast|quick|low|short|small|brief|frugal|thrift)(er|i?est|ier)|least|fewest|bargain|winn(er|ing)"
    r"|wins?|won|beats?|beating|better|superior|optimal|unbeaten|unrivalled|tops?|leads|leader|first (place|choice)"
    r"|most (efficient|economical|affordable|frugal)|outperforms?|outpaces?|outruns?|surpass(es)?|undercuts?|excels"
    r"|ahead of|in front of|(costs|draws|takes|needs|uses) less"
    r"|less (time|power|energy|money|expensive|costly)|(half|third|quarter|fraction) (of )?(the|its|their) "
    r"(cost|price|power|energy)|saves?|no (other|others|one|fabric|network|row) is (as|so)|second to none"
    r"|as (fast|quick|cheap|good) as)\b",
    re.IGNORECASE,
)

# What a sentence says of a row that cannot be built
DISCLAIMS = re.compile(
    r"\b(cannot|can not|infeasible|not feasible|could not|impossible|wrong|missing|if it could|no light|would be)\b"
    r"|can be built (up|for)",
    re.IGNORECASE,
)

# The head of a table that lightpath-train prints, and what it says of a row that cannot be built
OUTPUT = re.compile(r" *fabric +.*\bfeasible\b")
FAULT = re.compile(r" (NO|no: \w+(?: \w+)*)(?:  |$)")

HEADING = re.compile(r"([=\-~^\"'])\1{2,}$")
RULE = re.compile(r" *=+( +=+)+ *$")
PAGE = re.compile(r":doc:`(?:[^`<]*<)?/?([\w-]+)>?`")


class Table:
    """The rows of a table that cannot be built, by name."""

    def __init__(self, section, heads, rows):
        self.section = section
        column = heads.index("feasible")
        self.failed = {}
        named = 1 if heads[0] in ("no.", "no") else 0
        for row in rows:
            if row[column].lower().startswith("no"):
                name = row[named]
                self.failed[name] = row[column]
                if named:
                    self.failed[f"way {row[0]}"] = row[column]
        passed = {row[named] for row in rows if row[column].startswith("yes")}
        # SiP-OCS stands for the row "SiP-OCS, 2 Tb/s a GPU" unless a row of the fabric can be built
        for name in list(self.failed):
            short = name.split(",")[0]
            if not any(other.startswith(short) for other in passed):
                self.failed[short] = self.failed[name]


class Page:
    """Sections, sentences and tables with the column Feasible of a page."""

    def __init__(self, path):
        self.name = path.name
        self.tables = []
        self.sentences = []
        self._section = ""
        self._lines = path.read_text(encoding="utf-8").splitlines()
        at = 0
        self._begin = 0
        paragraph = []
        while at < len(self._lines):
            line = self._lines[at]
            below = self._lines[at + 1] if at + 1 < len(self._lines) else ""
            if RULE.match(line):
                at = self._read_table(at)
                continue
            if OUTPUT.match(line):
                at = self._read_output(at)
                continue
            if line.startswith("#"):
                self._end(paragraph)
                self._section = line.strip("# ")
                at += 1
                continue
            if line.strip().startswith('"') and line.strip().endswith('"') and ".. csv" in self._directive(at):
                at = self._read_csv(at)
                continue
            if line and HEADING.fullmatch(below) and len(below) >= len(line):
                self._end(paragraph)
                self._section = line.strip()
                at += 2
                continue
            if line.strip():
                # An item of a list is a paragraph of its own
                if re.match(r" *(\*|-|#\.|\d+\.) ", line):
                    self._end(paragraph)
                if not paragraph:
                    self._begin = at + 1
                paragraph.append(line.strip())
            else:
                self._end(paragraph)
            at += 1
        self._end(paragraph)

    def _directive(self, at):
        """Return the directive that a line belongs to."""
        while at >= 0 and (not self._lines[at] or self._lines[at].startswith(" ")):
            at -= 1
        return self._lines[at] if at >= 0 else ""

    def _end(self, paragraph):
        """Take the sentences of a paragraph."""
        text = " ".join(paragraph)
        paragraph.clear()
        for sentence in re.split(r"(?<=[.;:!?])\**\s+(?=[*`A-Z])", text):
            self.sentences.append((self._begin, self._section, sentence))

    def _read_table(self, at):
        """Take a simple table that begins with a rule; return the line behind it."""
        rule = self._lines[at]
        starts = [match.start() for match in re.finditer(r"=+", rule)]
        ends = [*starts[1:], None]
        rules = [at]
        rows = []
        at += 1
        while at < len(self._lines) and len(rules) < 3 and self._lines[at].strip():
            if RULE.match(self._lines[at]):
                rules.append(at)
            else:
                rows.append([self._lines[at][start:end].strip() for start, end in zip(starts, ends)])
            at += 1
        self._add(rows)
        return at

    def _read_csv(self, at):
        """Take a table of quoted cells; return the line behind it."""
        rows = []
        while at < len(self._lines) and self._lines[at].strip().startswith('"'):
            rows.append(self._lines[at].strip()[1:-1].split('","'))
            at += 1
        self._add(rows)
        return at

    def _read_output(self, at):
        """Take a table that lightpath-train has printed; return the line behind it."""
        rows = [["fabric", "feasible"]]
        at += 1
        while at < len(self._lines) and self._lines[at].strip():
            fault = FAULT.search(self._lines[at])
            rows.append([self._lines[at].split()[0], fault[1] if fault else "yes"])
            at += 1
        self._add(rows)
        return at

    def _add(self, rows):
        heads = [head.lower() for head in rows[0]] if rows else []
        if "feasible" in heads:
            self.tables.append(Table(self._section, heads, rows[1:]))


def get_names(sentence, failed):
    """Yield the rows that cannot be built and that a sentence names."""
    for name in failed:
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence, re.IGNORECASE):
            yield name


def get_tables(page, pages, section, sentence):
    """Return the tables that a sentence is about."""
    referred = [table for name in PAGE.findall(sentence) if name in pages for table in pages[name].tables]
    if referred:
        return referred
    named = [table for table in page.tables if table.section and table.section.lower() in sentence.lower()]
    own = [table for table in page.tables if table.section == section]
    return named or own or page.tables


def check(paths):
    """Yield a sentence for each fault."""
    files = [file for path in map(Path, paths) for file in (sorted(path.glob("*.rst")) if path.is_dir() else [path])]
    pages = {file.stem: Page(file) for file in files}
    if not any(table.failed for page in pages.values() for table in page.tables):
        yield f"{' '.join(map(str, paths))}: no table has a row that is not feasible, so that no sentence was checked"
    for page in pages.values():
        for line, section, sentence in page.sentences:
            if not WINS.search(sentence) or DISCLAIMS.search(sentence):
                continue
            for table in get_tables(page, pages, section, sentence):
                for name in get_names(sentence, table.failed):
                    yield (
                        f"{page.name}:{line}: '{sentence[:160]}' lets '{name}' win, which is not feasible"
                        f" ({table.failed[name]}): say so in the sentence, or name another row"
                    )
                    break
                else:
                    continue
                break


def main():
    """Check, and print the faults."""
    root = Path(__file__).parent.parent
    faults = list(check(sys.argv[1:] or [root / "doc", root / "README.md"]))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
