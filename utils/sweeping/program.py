"""The program lightpath-train, which does the runs of a sweep, in several processes at a time."""

import ctypes
import difflib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import lightpath

# Options of the program that do not belong into a sweep, and why
RESERVED = {
    "json": "a sweep reads the JSON of each run itself: give --out for the results",
    "quiet": "the runs of a sweep are quiet",
    "compare": "a row is for one fabric: give --fabric a list, like --fabric={sip-ring,sip-ocs}",
}

# What lightpath-train says of the machine, which is no refusal of its options
FAULTS_OF_MACHINE = {"std::bad_alloc", "The standard output cannot be written"}

ENDINGS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}

# Seconds that processes have to end before they are killed
PATIENCE = 2

# Seconds between two looks at the processes
PAUSE = 0.01

PR_SET_PDEATHSIG = 1


class Interrupted(Exception):
    """A signal has ended the sweep."""

    def __init__(self, number):
        super().__init__(f"ended by signal {number}")
        self.number = number


class Number(float):
    """A number that keeps the digits with which it was written."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __str__(self):
        return self.text


def parse_json(text):
    """Return what JSON says, None if the text is damaged."""
    try:
        return json.loads(text, parse_float=Number)
    except ValueError:
        return None


class Outcome:
    """What a run came to: a result or a refusal if it is finished, else a failure."""

    def __init__(self, result="", refusal="", failure=""):
        self.result = result  # JSON, as the program printed it
        self.refusal = refusal
        self.failure = failure


def get_first_line(text):
    """Return the first line that is not empty."""
    return text.lstrip("\n").split("\n", 1)[0]


def describe(status, said):
    """Return how a process ended, for a sentence."""
    if status >= 0:
        end = f"ended with exit code {status}"
    else:
        end = f"was ended by signal {-status} ({signal.strsignal(-status)})"
    return f"{end}: {said}" if said else end


def judge(status, output, errors, timed_out):
    """Return what a run came to, by its exit code and what it printed."""
    sentence = re.search(r"^lightpath-train: (.+)", errors, re.MULTILINE)
    said = sentence.group(1) if sentence else get_first_line(errors)
    if timed_out:
        return Outcome(failure="took longer than --timeout allows")
    if status == 1 and said and said not in FAULTS_OF_MACHINE:
        return Outcome(refusal=said)
    if status != 0:
        return Outcome(failure=describe(status, said))
    result = parse_json(output)
    if not isinstance(result, dict) or "plan" not in result:
        return Outcome(failure="printed no JSON of a plan")
    return Outcome(result=output.strip())


class Program:
    """The program, with its version and its options as it names them itself."""

    def __init__(self, path):
        self.path = path or lightpath.find_program()
        if not self.path:
            raise ValueError("There is no lightpath-train: build it, or give --program=PATH")
        text = self._ask("--PrintHelp")
        version = re.search(r"^Version (.+)", text, re.MULTILINE)
        lines = text.split("\nGeneral Arguments:")[0] + "\n" + self._ask("--PrintGlobals")
        self._options = set(re.findall(r"^ {1,4}--([^:=\s]+)", lines, re.MULTILINE))
        if not version or "json" not in self._options:
            raise ValueError(
                f"'{self.path}' is not a lightpath-train: its --PrintHelp names no version or no"
                " --json"
            )
        self.version = version.group(1)

    def _ask(self, option):
        """Return what the program prints with an option."""
        try:
            done = subprocess.run(
                [self.path, option], capture_output=True, text=True, check=False, errors="replace"
            )
            status, said = done.returncode, get_first_line(done.stderr)
        except OSError as error:
            status, said = 127, error.strerror
        if status != 0:
            raise ValueError(
                f"'{self.path}' {describe(status, said)}, but should print its options: give"
                " --program=PATH of lightpath-train"
            )
        return done.stdout + done.stderr

    def check_option(self, name, own):
        """Refuse an option that neither the program nor the sweep itself has, or that a sweep reserves.

        Defaults of attributes, ns3::Type::Attribute, are left to the program.
        """
        if name in RESERVED:
            raise ValueError(f"--{name} does not belong into a sweep: {RESERVED[name]}")
        if name not in self._options and "::" not in name:
            near = difflib.get_close_matches(name, [*sorted(self._options), *own], 1)
            lists = "lightpath-train --help lists those of the runs, sweep --help those of a sweep"
            raise ValueError(
                f"There is no option --{name}: {f'did you mean --{near[0]}?' if near else lists}"
            )

    def run_all(self, runs, jobs, timeout, ended):
        """Run the program with the words of each of some runs, as many at a time as jobs.

        The function ended is called with the number of each run that has ended and its Outcome.
        Raises Interrupted when a signal ends the sweep, after all processes have ended.
        """
        came = []
        handlers = {
            number: signal.signal(number, lambda each, _: came.append(each))
            for number in ENDINGS
            if signal.getsignal(number) != signal.SIG_IGN
        }
        waiting = list(enumerate(runs))[::-1]
        children = []
        try:
            while waiting or children:
                while waiting and len(children) < jobs:
                    number, words = waiting.pop()
                    children.append(Child(self.path, words, number, timeout))
                time.sleep(PAUSE)
                if came:
                    raise Interrupted(came[0])
                for child in [each for each in children if each.has_ended()]:
                    children.remove(child)
                    ended(child.number, child.get_outcome())
        finally:
            for child in children:
                child.signal(signal.SIGTERM)
            deadline = time.monotonic() + PATIENCE
            while not all([child.has_ended() for child in children]) and time.monotonic() < deadline:
                time.sleep(PAUSE)
            for child in children:
                child.signal(signal.SIGKILL)
            for number, handler in handlers.items():
                signal.signal(number, handler)


class Child:
    """A process that does a run."""

    def __init__(self, path, words, number, timeout):
        self.number = number
        self._deadline = time.monotonic() + timeout if timeout else None
        self._timed_out = False
        self._output = tempfile.TemporaryFile()
        self._errors = tempfile.TemporaryFile()
        parent = os.getpid()
        libc = ctypes.CDLL(None) if sys.platform == "linux" else None

        def prepare():
            # A group of its own: what a terminal sends is for the sweep, which ends all of the group
            os.setpgid(0, 0)
            if libc:
                libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != parent:
                os._exit(2)

        self._process = subprocess.Popen(
            [path, *words, "--quiet", "--json=-"],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._errors,
            preexec_fn=prepare,
        )

    def has_ended(self):
        """Whether the process has ended; kills one that is late."""
        if self._deadline and time.monotonic() > self._deadline and self._process.poll() is None:
            self._timed_out = True
            self.signal(signal.SIGKILL)
        return self._process.poll() is not None

    def signal(self, number):
        """Send a signal to the process and all that it has started."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, number)

    def get_outcome(self):
        """Return what the run came to."""
        texts = []
        for file in (self._output, self._errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
            file.close()
        return judge(self._process.returncode, *texts, self._timed_out)
