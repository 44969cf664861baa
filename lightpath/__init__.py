# SPDX-License-Identifier: GPL-2.0-only
"""Runs the programs of lightpath, which simulate training on optical networks, and returns their results.

    import lightpath
    result = lightpath.train(model="bert-large", gpus=16, batch=256, fabric="sip-ring", bandwidth="1Tbps")
    print(result["runs"][0]["iterationSeconds"][-1])

Each function takes the options of a program by name, and returns what the program writes as JSON. It needs the built
programs, and nothing but Python 3.8.
"""

import concurrent.futures
import glob
import json
import os
import shutil
import subprocess

MODULE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Refused(ValueError):
    """A program has refused its options, or what they ask for; the text is the program's sentence."""


class Failed(RuntimeError):
    """A program could not be run, or has ended without a result and without refusing its options."""


def find_program(name="lightpath-train"):
    """Return the path of a program, None if there is none: from the folder that the variable LIGHTPATH_PROGRAMS names,
    and from no other place if there is one; as it was built last, in build/ beside this package or in the build of the
    ns-3 tree around it; or from PATH."""
    folder = os.environ.get("LIGHTPATH_PROGRAMS")
    if folder:
        return shutil.which(name, path=folder)
    for pattern in (f"build/{name}", f"../../build/contrib/*/*/ns3*-{name}*"):
        found = glob.glob(os.path.join(glob.escape(MODULE), pattern))
        if found:
            return os.path.normpath(max(found, key=os.path.getmtime))
    return shutil.which(name)


def get_words(options):
    """Return options of a program as the words of a command line: a list is written with commas, True and False in
    small letters, and None leaves the option out."""
    words = []
    for name, value in options.items():
        if value is None:
            continue
        values = value if isinstance(value, (list, tuple)) else [value]
        texts = [str(each).lower() if isinstance(each, bool) else str(each) for each in values]
        words.append(f"--{name}={','.join(texts)}")
    return words


def run(program, *words, stdin="", **options):
    """Run a program, by its name or path, and return its result.

    Words are options as on a command line, in front of the options by name: some may be given again, and names of
    attributes are no names of Python. stdin is the text of the standard input. Refused has the sentence of a
    program that refuses the options, Failed says how else a program ended.
    """
    name = os.path.basename(program)
    path = program if os.path.dirname(program) else find_program(program)
    if not path:
        raise Failed(f"There is no {name}: build it, or set LIGHTPATH_PROGRAMS to the folder that has it")
    command = [path, *words, *get_words(options), "--json=-"]
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Failed(f"'{path}' cannot be run: {error.strerror}") from error
    said = done.stderr.strip()
    if done.returncode == 1 and said:
        raise Refused(said.split(": ", 1)[-1] if said.startswith("lightpath-") else said)
    if done.returncode != 0:
        raise Failed(f"'{' '.join(command)}' ended with exit code {done.returncode}: {said}")
    return json.loads(done.stdout)


def _name(program):
    """Return a function that runs a program."""

    def function(*words, **options):
        return run(program, *words, **options)

    function.__name__ = function.__qualname__ = program[len("lightpath-") :].replace("-", "_")
    function.__doc__ = f"Run {program} with options by name, as run() does, and return its result."
    return function


allocate = _name("lightpath-allocate")
availability = _name("lightpath-availability")
budget = _name("lightpath-budget")
cluster = _name("lightpath-cluster")
collective = _name("lightpath-collective")
design = _name("lightpath-design")
infer = _name("lightpath-infer")
model = _name("lightpath-model")
oddl = _name("lightpath-oddl")
requests = _name("lightpath-requests")
seeds = _name("lightpath-seeds")
serving = _name("lightpath-serving")
optinc_noise = _name("lightpath-optinc-noise")
train = _name("lightpath-train")


def run_all(function, cases, jobs=None, ended=lambda number, case: None):
    """Return function(**case) for each of some cases, or its exception Refused, in their order.

    A case that is no dictionary is passed on as it is. As many run at a time as jobs, by default one a core; ended is
    called with the number of cases that have ended and the last of these.
    """
    cases = list(cases)
    results = [None] * len(cases)

    def call(case):
        try:
            return function(**case) if isinstance(case, dict) else function(case)
        except Refused as error:
            return error

    with concurrent.futures.ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
        runs = {pool.submit(call, case): place for place, case in enumerate(cases)}
        try:
            for number, done in enumerate(concurrent.futures.as_completed(runs), 1):
                results[runs[done]] = done.result()
                ended(number, cases[runs[done]])
        except BaseException:
            for each in runs:
                each.cancel()
            raise
    return results


def get_quantile(values, share):
    """Return the least of some numbers that at least a share of them does not exceed, such as 0.99."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]
