"""Times of series over those of others, and their text."""

from cases import GPT2, TITLES
from rows import get_seconds, to_number


def get_title(model):
    """Returns the name of a model of the zoo, or of a file with one of the released simulator."""
    name = model.split("/")[-1].replace("-data-parallel.json", "")
    return {**TITLES, "transformer": "Transformer", "gpt2-355m": TITLES[GPT2]}.get(name, name)


def percent(ratio, form="+.1f"):
    """Returns how much more a ratio is than 1, as text."""
    return f"{100 * (ratio - 1):{form}} %"


def span(values, form="{:.2f}"):
    """Returns the range of numbers as text."""
    values = list(values)
    if not values:
        return "-"
    low, high = form.format(min(values)), form.format(max(values))
    return low if low == high else f"{low} to {high}"


def by_model(values, form="{:.2f}"):
    """Returns the ranges of values by model and rate as text."""
    models = dict.fromkeys(model for model, _ in values)
    return "; ".join(
        f"{get_title(model)} {span((v for (m, _), v in values.items() if m == model), form)}"
        for model in models
    )


def get_points(rows, series, option=None, **options):
    """Returns times by model and rate of a GPU (in its server, if it has one), or another option."""
    points = {}
    for row in rows.find(series, **options):
        seconds = get_seconds(row)
        if seconds is not None:
            key = row[option] if option else row["serverRate"] or row["bandwidth"]
            points[row["model"], to_number(key)] = seconds
    return points


def get_ratios(rows, series, other, shift=1.0, option=None):
    """Returns by model and rate the time of a series over that of another one, at a rate that is
    multiplied by shift."""
    ours = get_points(rows, series, option)
    theirs = get_points(rows, other, option)
    return {
        (model, rate): seconds / theirs[model, rate * shift]
        for (model, rate), seconds in ours.items()
        if (model, rate * shift) in theirs
    }


def get_at(ratios, rate):
    """Returns those of values by model and rate that are at a rate."""
    return {key: value for key, value in ratios.items() if key[1] == rate}
