#!/usr/bin/env python3
"""Checks in a browser that no page of the manual is wider than a screen; tables and blocks of text scroll by themselves.

usage: utils/check-pages.py FOLDER [WIDTH...]

FOLDER has the pages as sphinx-build makes them. The widths are in pixels, by default 400 and 1280. It needs chromium.
"""

import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Loads one page after the other in a frame, and writes those that are wider than it
SCRIPT = """<pre id="found"></pre><script>
const pages = PAGES, found = document.getElementById("found");
function show(number) {
  if (number === pages.length) { found.textContent += "end"; return; }
  const frame = document.createElement("iframe");
  frame.style.width = "WIDTHpx";
  frame.src = pages[number];
  frame.onload = () => {
    const width = frame.contentDocument.documentElement.scrollWidth;
    if (width > WIDTH) found.textContent += pages[number].split("/").pop() + " is " + width + " pixels wide\\n";
    frame.remove();
    show(number + 1);
  };
  document.body.appendChild(frame);
}
show(0);
</script>"""


def find_wide(pages, width):
    """Return the lines on pages that are wider than a screen."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "frames.html")
        page.write_text(SCRIPT.replace("PAGES", json.dumps(pages)).replace("WIDTH", str(width)), "utf-8")
        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
        command += [f"--user-data-dir={folder}/profile", "--virtual-time-budget=300000", "--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    if not found or not found[1].endswith("end"):
        sys.exit("check-pages.py: the browser has not shown all pages")
    return html.unescape(found[1]).split("\n")[:-1]


def main():
    """Check all pages."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pages = [page.resolve().as_uri() for page in sorted(Path(sys.argv[1]).glob("*.html"))]
    if not pages:
        sys.exit(f"check-pages.py: {sys.argv[1]} has no pages")
    wide = [f"{line}, of {width}" for width in map(int, sys.argv[2:] or (400, 1280)) for line in find_wide(pages, width)]
    print("\n".join([*wide, f"{len(pages)} pages, {len(wide)} too wide"]))
    return len(wide) > 0


if __name__ == "__main__":
    sys.exit(main())
