"""Compares the rows of a part of the runs with those of the whole table, and puts new ones there."""

import csv
import io

from cases import COMMON


def get_share(items, share):
    """Return each Nth of the items from the Kth on, for a share K/N."""
    part, parts = (int(word) for word in share.split("/"))
    return items[part - 1 :: parts]


def compare(part_name, whole_name, share):
    """Print the values in which rows of a share differ from those of the whole table; return how many.

    The table of a share lacks the columns of options that none of its runs has.
    """
    with open(part_name, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(whole_name, encoding="utf-8", newline="") as file:
        expected = get_share(list(csv.DictReader(file)), share)
    faults = 0
    if len(rows) != len(expected):
        print(f"{part_name} has {len(rows)} rows; share {share} of {whole_name} has {len(expected)}")
        faults += 1
    for row, wanted in zip(rows, expected):
        for column, value in wanted.items():
            if row.get(column, "") != value:
                print(f"{row['sweep']}: {column} is {row.get(column, '')!r}, not {value!r}")
                faults += 1
    return faults


def read_options(text):
    """Return the options of a line by name, those that are common to all included.

    An option that a line gives again has all its values, as in the table.
    """
    options = {}
    for word in text.split():
        name, equals, value = word[2:].partition("=")
        value = value if equals else "true"
        options[name] = f"{options[name]},{value}" if name in options else value
    common = dict(word[2:].split("=") for word in COMMON.split())
    return {**common, **options}


def read_table(path):
    """Return the heads and the rows of a table."""
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        return table.fieldnames, list(table)


def merge(part_name, whole_name, figures, lines):
    """Put rows of some figures into the whole table, in the order of all lines.

    Rows of other figures stay as they are; those that no line asks for any more go.
    """
    part_heads, part = read_table(part_name)
    whole_heads, whole = read_table(whole_name)
    # The columns are the options in the order in which lines name them, and then the results
    options = list(dict.fromkeys(name for _, text in lines for name in read_options(text)))
    begin = part_heads.index("error")
    # What published times say of a class is in data/accuracy.json
    heads = ["sweep", *options, *(head for head in part_heads[begin:] if head != "time_error")]
    rows = {True: {}, False: {}}
    for is_new, table in ((True, part), (False, whole)):
        for row in table:
            rows[is_new].setdefault(row["sweep"], []).append(row)
    text = io.StringIO()
    writer = csv.DictWriter(text, heads, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    missing = set()
    for label, options_text in lines:
        figure = label.split("/")[0]
        found = rows[figure in figures].get(label)
        row = found.pop(0) if found else None
        wanted = read_options(options_text)
        given = {} if row is None else {name: row.get(name) or "" for name in options}
        if row is None or any(value != wanted.get(name, "") for name, value in given.items()):
            missing.add(figure)
            continue
        writer.writerow(row)
    if missing:
        raise ValueError(
            f"{whole_name} has no rows, or rows of other options, for the figures {', '.join(sorted(missing))}: "
            "simulate these, too"
        )
    with open(whole_name, "w", encoding="utf-8", newline="") as file:
        file.write(text.getvalue())
