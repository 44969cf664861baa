#!/usr/bin/env python3
"""Checks that files and functions of model/ stay small and that public headers are in use.

usage: utils/check-size.py [--count [DIRECTORY]]

Prints one line for each fault; the exit code is 1 if there is one. With --count, prints for each
folder how many files and lines there are, and how many of the lines are code and comment.
"""

import re
import subprocess
import sys
from pathlib import Path

FILE_LINES = 500
FUNCTION_LINES = 60

# Before the brace of a block that is no function
NO_FUNCTION = re.compile(r"\b(namespace|class|struct|enum|union)\b(?!.*\()|[={,]\s*$")

C_LIKE = {".cc", ".h"}
HASH_LIKE = {".py", ".sh", ".cmake", ".txt", ""}


def get_functions(lines):
    """Yield the first line of each function and the number of lines of its block."""
    for indent in ("", "    "):
        begin = None
        for number, line in enumerate(lines):
            if line == indent + "{":
                begin = number
            elif begin is not None and re.fullmatch(re.escape(indent) + r"}[;)]*", line):
                head = begin - 1
                while head > 0 and lines[head].startswith(" " * (len(indent) + 1)):
                    head -= 1
                if not NO_FUNCTION.search(lines[head]):
                    yield head + 1, number - begin + 1
                begin = None


def check_sizes():
    """Yield a sentence for each file and function of model/ that is too long."""
    for path in sorted(Path("model").rglob("*")):
        if path.suffix not in C_LIKE:
            continue
        lines = path.read_text("utf-8").splitlines()
        if len(lines) > FILE_LINES:
            yield f"{path}: {len(lines)} lines; a file has at most {FILE_LINES}"
        for line, length in get_functions(lines):
            # The list of attributes of a type is a table
            if length > FUNCTION_LINES and "::GetTypeId()" not in lines[line - 1]:
                yield (
                    f"{path}:{line}: a function of {length} lines; one has at most {FUNCTION_LINES}"
                )


def check_public_headers():
    """Yield a sentence for each public header that nobody outside the module needs."""
    text = Path("CMakeLists.txt").read_text("utf-8")
    public = " ".join(re.findall(r"set\(\w+_headers\n(.*?)\)", text, re.DOTALL)).split()
    users = [Path(header) for header in public]
    for pattern in ("examples/*.cc", "doc/*.rst", "README.md"):
        users += sorted(Path(".").glob(pattern))
    included = set()
    for user in users:
        for stem in re.findall(r'(?:#include "|ns3/)([\w-]+)\.h', user.read_text("utf-8")):
            if stem != user.stem:
                included.add(stem)
    for header in public:
        if Path(header).stem not in included:
            yield (
                f"{header}: no example, page of the manual or other public header includes this "
                "public header"
            )


def count(path):
    """Get the numbers of lines, of code and of comment of a file."""
    text = path.read_text("utf-8", errors="replace")
    lines = len(text.splitlines())
    if path.suffix in C_LIKE:
        # Strings hide what looks like a comment, and the other way round
        pattern = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/'
        keep = lambda match: match[0] if match[0][0] in "\"'" else re.sub(r"[^\n]", "", match[0])
        code = re.sub(pattern, keep, text, flags=re.DOTALL)
    else:
        if path.suffix == ".py":
            text = re.sub(r'^\s*""".*?"""', "", text, flags=re.DOTALL | re.MULTILINE)
        code = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    n_code = sum(1 for line in code.splitlines() if line.strip())
    blank = sum(1 for line in path.read_text("utf-8", errors="replace").splitlines() if not line.strip())
    return lines, n_code, lines - n_code - blank


def print_counts(root):
    """Print the numbers of files and lines by folder of the files that git knows."""
    names = subprocess.run(
        ["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    sums = {}
    for name in names:
        path = Path(root) / name
        is_script = path.suffix == "" and path.exists() and path.read_bytes()[:2] == b"#!"
        if path.suffix in C_LIKE | {".py", ".sh", ".cmake"} or path.name == "CMakeLists.txt" or is_script:
            figures = (1,) + count(path)
            parts = name.split("/")
            keys = {"all", parts[0] if len(parts) > 1 else "."}
            if parts[0] == "model":
                keys |= {"/".join(parts[:2]), "/".join(parts[:-1])}
            for key in keys:
                sums[key] = [a + b for a, b in zip(sums.get(key, (0, 0, 0, 0)), figures)]
    print(f"{'folder':24}{'files':>7}{'lines':>9}{'code':>9}{'comment':>9}")
    for key, figures in sorted(sums.items()):
        print(f"{key:24}{figures[0]:7}" + "".join(f"{figure:9}" for figure in figures[1:]))


def main():
    """Check, or count, as the arguments say."""
    if sys.argv[1:2] == ["--count"]:
        print_counts(sys.argv[2] if len(sys.argv) > 2 else ".")
        return 0
    faults = [*check_sizes(), *check_public_headers()]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
