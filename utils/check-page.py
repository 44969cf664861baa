#!/usr/bin/env python3
"""Checks the pages that lightpath-train writes, as a browser shows them.

usage: utils/check-page.py [--keep=DIRECTORY] BUILD-DIRECTORY

Writes the page of a job of 64 ranks and that of a comparison. Each must be small enough and ask for
nothing. Chromium shows each in light and dark, 1280 and 400 pixels wide: a script in a copy of the page
measures the boxes of all texts, none of which may overlap another one, leave its frame or lack
contrast, and the page may not be wider than the window. Damaged copies of a page must be found. With
--keep, the pages and the screenshots stay in a directory.
"""

import argparse
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_BYTES = 1500000
WIDTHS = (1280, 400)
THEMES = ("light", "dark")

JOBS = {
    "run": ["--model=gpt2-xl", "--batch=64", "--planner=fixed", "--tp=4", "--pp=4", "--microbatch=1",
            "--fabric=sip-ocs"],
    "compare": ["--model=gpt2-xl:layers=8", "--batch=64", "--planner=fixed", "--tp=4", "--pp=2", "--microbatch=2",
                "--compare=sip-ring,leaf-spine-flows,electrical", "--iterations=2", "--cost"],
}

# What makes a browser ask for something else than the page; names within the page begin with #
REQUEST = re.compile(r"""https?:|//\w+\.\w|\bsrc\s*=|@import|url\((?!["']?#)|<link\b|\bimport\s*\(|\bfetch\s*\(|"""
                     r"XMLHttpRequest|WebSocket|EventSource|sendBeacon|<iframe|<object|<embed")

# Measures all texts and leaves its findings in the document
PROBE = r"""
<script>
"use strict";
addEventListener("load", () => setTimeout(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  setTimeout(measure, 300);
}, 300));
function measure() {
  const found = [], texts = [], root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push(`the page is ${root.scrollWidth} pixels wide in ${innerWidth}`);
  const luminance = colour => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    const [r, g, b] = parts.map(part => part / 255)
      .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backOf = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement;
    if (!node.data.trim() || element.closest("script, style, pre, noscript")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const inSvg = element.closest("svg");
    const boxes = inSvg ? [element.getBoundingClientRect()] : [...range.getClientRects()];
    const text = node.data.trim().slice(0, 40), style = getComputedStyle(element);
    const colours = [luminance(inSvg ? style.fill : style.color), luminance(backOf(element))].sort((a, b) => b - a);
    if (boxes.length > 0 && (colours[0] + 0.05) / (colours[1] + 0.05) < 4.5) found.push(`'${text}' lacks contrast`);
    for (const box of boxes) {
      if (box.width < 0.5 || box.height < 0.5) continue;
      texts.push({text, box, top: box.top + scrollY});
      for (let frame = element; frame; frame = frame.parentElement) {
        const its = frame.getBoundingClientRect(), shown = getComputedStyle(frame).overflow;
        const clips = frame.tagName === "svg" || /hidden|clip/.test(shown);
        const scrolls = /auto|scroll/.test(shown);
        const left = its.left - (scrolls ? frame.scrollLeft : 0), top = its.top - (scrolls ? frame.scrollTop : 0);
        const right = scrolls ? left + frame.scrollWidth : its.right;
        const bottom = scrolls ? top + frame.scrollHeight : its.bottom;
        const isCard = frame.matches("figure, .card, .tile, td, th, button, body");
        if ((clips || scrolls || isCard) && (box.left < left - 1 || box.right > right + 1 ||
            box.top < top - 1 || box.bottom > bottom + 1)) {
          found.push(`'${text}' leaves its ${frame.tagName.toLowerCase()}`);
          break;
        }
        // What a frame scrolls is outside of the frames around it until it is scrolled to
        if (scrolls && (frame.scrollWidth > frame.clientWidth || frame.scrollHeight > frame.clientHeight)) {
          texts[texts.length - 1].frame = frame;
          break;
        }
      }
    }
  }
  texts.sort((a, b) => a.box.top - b.box.top);
  texts.forEach((a, i) => {
    for (let j = i + 1; j < texts.length && texts[j].box.top < a.box.bottom - 1.5; ++j) {
      const b = texts[j];
      // Letters of neighbouring lines share a pixel
      if (a.frame === b.frame && a.box.left < b.box.right - 0.5 && b.box.left < a.box.right - 0.5) {
        found.push(`'${a.text}' overlaps '${b.text}'`);
      }
    }
  });
  const charts = document.querySelectorAll("figure svg").length;
  if (charts < 3) found.push(`there are ${charts} charts`);
  const result = document.createElement("pre");
  result.id = "findings";
  result.textContent = JSON.stringify({texts: texts.length, charts, found});
  document.body.append(result);
}
</script>
"""


def fail(sentence):
    """Ends the program with a sentence."""
    sys.exit(f"check-page.py: {sentence}")


def browse(page, folder, width, theme, *options):
    """Shows a page in Chromium, and returns what it prints."""
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
               f"--user-data-dir={folder}/profile", f"--window-size={width},900", "--virtual-time-budget=20000",
               "--blink-settings=preferredColorScheme=" + ("0" if theme == "dark" else "1"), *options, page.as_uri()]
    process = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if process.returncode != 0:
        fail(f"chromium ends with {process.returncode}: {process.stderr.strip()[-300:]}")
    return process.stdout


def measure(text, folder, width, theme):
    """Returns the faults of a page, and the number of its texts."""
    copy = folder / "probed.html"
    # A window of Chromium is not as narrow as a telephone, but a frame in it is
    copy.write_text(text.replace("</body>", PROBE + "</body>"), "utf-8")
    outer = folder / "outer.html"
    outer.write_text(f'<!DOCTYPE html><meta name="color-scheme" content="light dark"><body style="margin:0">'
                     f'<iframe src="{copy.name}" style="border:0;width:{width}px;height:900px"></iframe>'
                     '<script>const wait = setInterval(() => { const found = '
                     'frames[0].document.getElementById("findings"); if (found) { clearInterval(wait); '
                     'document.body.append(document.importNode(found, true)); } }, 100);</script>', "utf-8")
    document = browse(outer, folder, width, theme, "--allow-file-access-from-files", "--dump-dom")
    found = re.search(r'<pre id="findings"[^>]*>(.+?)</pre>', document, re.DOTALL)
    if not found:
        fail(f"the script of the page has not ended in a window of {width} pixels")
    result = json.loads(html.unescape(found.group(1)))
    return result["found"], result["texts"]


def take_screenshot(page, folder, width, theme, target):
    """Takes a picture of a page, as long as it is."""
    outer = folder / "picture.html"
    outer.write_text('<!DOCTYPE html><meta name="color-scheme" content="light dark"><body style="margin:0">'
                     f'<iframe src="{page.as_uri()}" style="border:0;width:{width}px;height:6000px"></iframe>', "utf-8")
    browse(outer, folder, width, theme, "--allow-file-access-from-files", f"--screenshot={target}",
           f"--window-size={max(width, 500)},6000")


def check_page(name, page, folder, keep):
    """Ends the program if a page has a fault."""
    text = page.read_text("utf-8")
    size = len(text.encode("utf-8"))
    if size > MOST_BYTES:
        fail(f"{name}: {size} bytes are more than {MOST_BYTES}")
    request = REQUEST.search(text)
    if request:
        fail(f"{name}: the page asks for something: {text[request.start():request.start() + 60]!r}")
    for width in WIDTHS:
        for theme in THEMES:
            found, texts = measure(text, folder, width, theme)
            if found:
                fail(f"{name}, {theme}, {width} pixels: " + "; ".join(found[:8]) + f" ({len(found)} faults)")
            print(f"{name}, {theme}, {width} pixels: {texts} texts in {size} bytes, no fault")
            if keep:
                take_screenshot(page, folder, width, theme, keep / f"{name}-{theme}-{width}.png")


def check_faults(page, folder):
    """Ends the program if a fault of a damaged page is not found."""
    text = page.read_text("utf-8")
    faults = {
        "overlaps": ("bottom + 32", "bottom + 18"),
        "leaves its svg": ("const left = isWide ? labels + 10", "const left = isWide ? labels - 20"),
        "lacks contrast": ("--soft: #4a5868", "--soft: #a4b0bd"),
        "pixels wide": ("body { margin: 0;", "body { margin: 0; min-width: 1400px;"),
        "charts": ("showRun();\nshowResult();", "showRun();\nthrow 1;"),
    }
    for fault, (good, bad) in faults.items():
        if good not in text:
            fail(f"the page has no '{good}' to be damaged")
        found, _ = measure(text.replace(good, bad), folder, 1280, "light")
        if not any(fault in each for each in found):
            fail(f"a page with '{bad}' passes: {found[:3]}")
    for request in ('<script src="x.js"></script>', "<style>@import 'x.css'</style>", "<a href='https://x.org'>x</a>",
                    "background: url(x.png)"):
        if not REQUEST.search(text.replace("<main>", f"<main>{request}")):
            fail(f"a page with {request} passes")
    print(f"{len(faults) + 4} damaged pages are found")


def main():
    """Checks all pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--keep", type=pathlib.Path, help="directory for pages and screenshots")
    parser.add_argument("programs", type=pathlib.Path, help="directory of lightpath-train")
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for job, arguments in JOBS.items():
            page = (options.keep or folder).resolve() / f"{job}.html"
            subprocess.run([options.programs / "lightpath-train", "--gpus=64", "--quiet", f"--report={page}", *arguments],
                           check=True)
            if job == "run":
                check_faults(page, folder)
            check_page(job, page, folder, options.keep)


if __name__ == "__main__":
    main()
