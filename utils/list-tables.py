#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints the rows of all tables of the manual, sorted, whatever page they stand on.

usage: utils/list-tables.py [FOLDER]

FOLDER has the pages, by default doc/. A row is a row of a table, its cells separated by " | ", or a
line of a literal block of text, which may hold the output of a program. Spaces, numbers of citations
and the targets of links do not count. To see which rows changed since COMMIT:

    git archive COMMIT doc | tar -x -C /tmp
    diff <(utils/list-tables.py /tmp/doc) <(utils/list-tables.py)
"""

import re
import sys
from pathlib import Path

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles

TEXT = {"", "text", "none"}


class Ignored(Directive):
    """A directive of Sphinx that holds no table."""

    has_content = True
    optional_arguments = 100
    option_spec = None

    def run(self):
        """Leaves nothing."""
        return []


class Literal(Directive):
    """A block of code, which counts if its language is text, or a file that is shown as text."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {name: directives.unchanged for name in
                   ("caption", "language", "start-at", "end-at", "end-before", "prepend")}

    def run(self):
        """Makes a literal block of a text, and nothing of the code of a language."""
        argument = " ".join(self.arguments)
        content = "\n".join(self.content)
        if self.name == "literalinclude":
            page = Path(self.state.document.current_source)
            language = self.options.get("language", "code")
            content = (page.parent / argument).read_text("utf-8") if language in TEXT else ""
        elif argument not in TEXT:
            content = ""
        return [nodes.literal_block(content, content)] if content else []


def keep_text(_role, _raw, text, *_):
    """Makes a link to the text that it shows."""
    return [nodes.inline("", text)], []


def get_cell(cell):
    """The text of a cell in one line, without citations that its page leaves open."""
    text = " ".join(re.sub(r"\[[A-Za-z0-9]+\]_", "", cell.astext()).split())
    return re.sub(r" ([,.;)])", r"\1", text)


def get_rows(page):
    """The rows and lines of one page."""
    tree = publish_doctree(page.read_text("utf-8"), source_path=str(page),
                           settings_overrides={"report_level": 5, "halt_level": 5})
    left_out = (nodes.footnote_reference, nodes.citation_reference, nodes.system_message)
    for node in list(tree.findall(lambda node: isinstance(node, left_out))):
        node.parent.remove(node)
    for row in tree.findall(nodes.row):
        yield " | ".join(get_cell(cell) for cell in row)
    for block in tree.findall(nodes.literal_block):
        if set(block["classes"]) <= TEXT | {"code"}:
            yield from (" ".join(line.split()) for line in block.astext().splitlines())


def main():
    """Prints the rows of all pages."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "doc"
    if not folder.is_dir():
        sys.exit(f"list-tables.py: there is no folder '{folder}'")
    for name in ("toctree", "highlight", "only"):
        directives.register_directive(name, Ignored)
    for name in ("code-block", "sourcecode", "literalinclude"):
        directives.register_directive(name, Literal)
    for name in ("doc", "numref", "ref"):
        roles.register_canonical_role(name, keep_text)
    rows = {row for page in sorted(folder.glob("*.rst")) for row in get_rows(page)}
    print("\n".join(sorted(row for row in rows if row.strip())))


if __name__ == "__main__":
    main()
