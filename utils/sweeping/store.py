"""The folder that holds what the runs of a sweep came to, in one file a run."""

import fcntl
import functools
import json
import os
import socket

from sweeping.grid import get_hash
from sweeping.program import parse_json


def write_file(path, text):
    """Write a file as a whole or not at all."""
    temporary = f"{path}.{socket.gethostname()}.{os.getpid()}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise ValueError(f"The file '{path}' cannot be written: {error.strerror}") from error


@functools.lru_cache(maxsize=None)
def hash_file(path):
    """Return the hash of a file, None if there is no such file."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return get_hash(file.read())


class Store:
    """The folder of a sweep.

    A file is named by the key of its run and holds the version of the program, the options, a hash
    of each file that the options name, and the result or the refusal. A file that is damaged, of
    another version, of other options or of files that have changed counts as none. Files come into
    the folder whole, so that several processes may share it.
    """

    def __init__(self, out, version):
        self.folder = (out[:-4] if len(out) > 4 and out.endswith(".csv") else out) + ".runs"
        self._version = version

    def create(self):
        """Make the folder."""
        try:
            os.makedirs(self.folder, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"The folder '{self.folder}' for the runs cannot be written: {error.strerror}"
            ) from error

    def lock(self):
        """Keep other processes away from the folder, or refuse one where another is at work."""
        file = os.open(os.path.join(self.folder, "lock"), os.O_CREAT | os.O_RDWR)
        try:
            # Held until this process ends
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(file)
            raise ValueError(
                f"Another sweep is at work on the folder '{self.folder}': wait for it, or give"
                " another --out"
            ) from error
        except OSError:
            pass  # The file system has no locks

    def _describe(self, run):
        """Return what a result of a run depends on."""
        # A model that is not of the zoo is a file
        names = [run.get_value("profile")]
        if ".json" in run.get_value("model"):
            names.append(run.get_value("model"))
        return {
            "version": self._version,
            "options": run.get_canonical_words(),
            "files": {name: hash_file(name) for name in names if hash_file(name)},
        }

    def _get_path(self, run):
        return os.path.join(self.folder, run.get_key() + ".json")

    def find(self, run):
        """Return the result and the refusal of a run, None if it is not finished."""
        try:
            with open(self._get_path(run), encoding="utf-8") as file:
                found = parse_json(file.read())
        except (OSError, UnicodeDecodeError):
            return None
        if not isinstance(found, dict):
            return None
        result, refusal = found.get("result"), found.get("refusal")
        is_whole = isinstance(refusal, str) and (isinstance(result, dict) or refusal)
        own = self._describe(run)
        return (result, refusal) if is_whole and own.items() <= found.items() else None

    def write(self, run, outcome):
        """Keep what a finished run came to, with the digits that the program has printed."""
        head = json.dumps({**self._describe(run), "refusal": outcome.refusal}, indent=1)
        write_file(self._get_path(run), f'{head[:-2]},\n "result": {outcome.result or "null"}\n}}\n')
