"""Reads a JSON list of objects, one at a time, and refuses each fault in one sentence that says where it is."""

import errno
import json
import math
import re

# Limits of a document: bytes, members of an object, objects and lists inside each other, bytes of a text
MAX_BYTES = 1 << 30
MAX_MEMBERS = 64
MAX_DEPTH = 8
MAX_TEXT = 256

CONTROL = re.compile(r"[\x00-\x1f\x7f]")
BLANK = re.compile(r"[ \t\n\r]*")


class Members(list):
    """The members of an object: pairs of a key and a value."""


def quote(text):
    """Return a text for a sentence: not too long, and without control characters."""
    data = text.encode("utf-8", "surrogateescape")
    if len(data) > MAX_TEXT:
        text = data[:MAX_TEXT].decode("utf-8", "ignore") + "..."
    return '"' + CONTROL.sub("?", text) + '"'


def escape(key):
    """Return a key as a part of a path, as a JSON pointer escapes it."""
    return key if re.fullmatch("[A-Za-z0-9]*", key) else quote(key.replace("~", "~0").replace("/", "~1"))[1:-1]


def describe(value):
    """Return what a value is, for sentences."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, Members):
        return "an object"
    return "a list" if isinstance(value, list) else json.dumps(value)


def is_text(value):
    """Return whether a text is one of characters, rather than of halves of them."""
    return value.isascii() or not re.search("[\ud800-\udfff]", value)


class JsonValue:
    """A value of a document and its path, for sentences."""

    def __init__(self, value, document, path):
        self._value = value
        self._document = document
        self._path = path

    def fail(self, sentence):
        """Refuse the value."""
        raise ValueError(f"{self._document}: {self._path}: {sentence}")

    def _fail_value(self, right):
        raise ValueError(f"{self._document}: {self._path} is {describe(self._value)}, but must be {right}")

    def get(self, name):
        """Return the member of a name."""
        if not isinstance(self._value, Members):
            self._fail_value("an object")
        for key, value in self._value:
            if key == name:
                return JsonValue(value, self._document, f"{self._path}/{escape(key)}")
        raise ValueError(f"{self._document}: {self._path} has no {quote(name)}")

    def get_text(self):
        """Return a text that is not empty."""
        text = self._value
        if not isinstance(text, str) or not 0 < len(text.encode()) <= MAX_TEXT or CONTROL.search(text):
            self._fail_value(f"a text of 1 to {MAX_TEXT} bytes without control characters")
        return text

    def get_number(self, most):
        """Return a number from 0 to the most."""
        number = self._value
        if isinstance(number, bool) or not isinstance(number, (int, float)) or not 0 <= number <= most:
            self._fail_value(f"a number from 0 to {most:g}")
        return float(number)

    def get_word(self, words):
        """Return which of the words the value is."""
        if self._value not in words:
            self._fail_value("one of " + ", ".join(words))
        return words.index(self._value)


class ListReader:
    """Reads the text of a list."""

    def __init__(self, text, name):
        self._text = text
        self._name = name
        self._decoder = json.JSONDecoder(
            object_pairs_hook=Members,
            parse_float=self._parse_number,
            parse_int=lambda digits: int(digits) if len(digits) < 19 else self._parse_number(digits),
            parse_constant=self._refuse_constant,
        )

    def read(self, example):
        """Yield the elements."""
        at = self._skip(0)
        if not self._text.startswith("[", at):
            self._skip_end(self._decode(at, "the document")[1])
            raise ValueError(f"{self._name}: a document must be a list, like {example}")
        at = self._skip(at + 1)
        index = 0
        if self._text.startswith("]", at):
            return self._skip_end(at + 1)
        while True:
            path = f"/{index}"
            value, at = self._decode(at, path)
            self._check(value, path, 1)
            yield JsonValue(value, self._name, path)
            index += 1
            at = self._skip(at)
            if self._text.startswith("]", at):
                return self._skip_end(at + 1)
            if not self._text.startswith(",", at):
                self._refuse(at, "expecting ',' or ']'")
            at = self._skip(at + 1)

    def _skip(self, at):
        """Return where what is not blank begins."""
        return BLANK.match(self._text, at).end()

    def _skip_end(self, at):
        """Refuse what stands behind the document."""
        at = self._skip(at)
        if at < len(self._text):
            self._refuse(at, "expecting the end of the document")

    def _decode(self, at, path):
        """Return the value at a place of the text, and its end."""
        try:
            return self._decoder.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            what = re.sub("( starting)? at$", "", error.msg).rstrip(": ")
            self._refuse(error.pos, what[0].lower() + what[1:])
        except RecursionError:
            self._refuse_depth(path)

    def _refuse(self, at, what):
        """Refuse a text that is not JSON."""
        line = self._text.count("\n", 0, at) + 1
        column = at - self._text.rfind("\n", 0, at)
        raise ValueError(f"{self._name}, line {line}, column {column}: this is not valid JSON: {what}")

    def _refuse_constant(self, word):
        raise ValueError(f"{self._name}: this is not valid JSON: {word} is no number")

    def _refuse_depth(self, path):
        raise ValueError(f"{self._name}: {path} must have at most {MAX_DEPTH} objects and lists around it")

    def _parse_number(self, digits):
        number = float(digits)
        if math.isinf(number):
            raise ValueError(f"{self._name}: this is not valid JSON: the number {quote(digits)} is too large")
        return number

    def _check(self, value, path, depth):
        """Refuse duplicate keys, large objects, values that are nested too deep, and damaged texts."""
        if isinstance(value, str) and not is_text(value):
            raise ValueError(f"{self._name}: {path}: this is not valid JSON: half a character in a text")
        if not isinstance(value, list):
            return
        if depth == MAX_DEPTH:
            self._refuse_depth(path)
        if not isinstance(value, Members):
            for index, each in enumerate(value):
                self._check(each, f"{path}/{index}", depth + 1)
            return
        keys = set()
        for key, each in value:
            self._check(key, path, depth + 1)
            if key in keys:
                raise ValueError(f"{self._name}: {path} has the key {quote(key)} twice: keys must differ")
            if len(keys) == MAX_MEMBERS:
                raise ValueError(f"{self._name}: {path} must have at most {MAX_MEMBERS} members")
            keys.add(key)
            if isinstance(each, (str, list)):
                self._check(each, f"{path}/{escape(key)}", depth + 1)


def open_document(name):
    """Open a file; ValueError if it is no file that can be read."""
    try:
        return open(name, "rb")
    except OSError as error:
        if error.errno == errno.EISDIR:
            raise ValueError(f"{name} is a directory: it must be a file") from error
        is_gone = error.errno in (errno.ENOENT, errno.ENOTDIR)
        raise ValueError(name + (" does not exist" if is_gone else " cannot be read")) from error


def read_list(file, name, beginning):
    """Yield the elements of a document, each a JsonValue. The name of the document, and the beginning of such a
    document, are for sentences; ValueError refuses what is not such a list."""
    try:
        data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{name} cannot be read") from error
    if len(data) > MAX_BYTES:
        raise ValueError(f"{name} must have at most {MAX_BYTES} bytes")
    example = beginning + ", ...]"
    if not data:
        raise ValueError(f"{name} is empty: it must be a document {example}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise ValueError(
            f"{name}, line {line}, column {column}: this is not valid JSON: a byte that is no UTF-8"
        ) from error
    yield from ListReader(text, name).read(example)
