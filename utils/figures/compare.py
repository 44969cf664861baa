"""Compares the rows of a part of the runs with those of the whole table."""

import csv


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
