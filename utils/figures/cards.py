"""Today's cluster by the network cards of its servers, beside SiP-OCS."""

import math

from cases import CARDS, share
from ratios import by_model, get_points, get_title
from verdicts import describe_light

# What the paper says of today's clusters: times as fast
CLUSTER = (1.3, 9.1)

# Series of clusters by the cards of a server, and those on SiP-OCS that they are compared with
CARD_SERIES = (
    ("cards/released", "hybrid/switches"),
    ("cards/published", "bandwidth/switches-published"),
    ("cards/search", "bandwidth/switches-search"),
)


def get_card_ratios(rows, series, optical):
    """Returns by the Gb/s of the cards of a server, then by model, what its time is over that on SiP-OCS."""
    theirs = get_points(rows, optical)
    ratios = {}
    for number, gigabits in CARDS:
        ours = get_points(rows, series, bandwidth=share(number, gigabits))
        found = {key: ours[key] / theirs[key] for key in ours if key in theirs}
        if found and number == 1:
            ratios[gigabits] = found
    return ratios


def find_card(ratios, model, target):
    """Returns the Gb/s of the card at which a model takes a number of times as long, between the two next ones."""
    points = [(card, found[key]) for card, found in sorted(ratios.items()) for key in found if key[0] == model]
    for (card, ratio), (other, less) in zip(points, points[1:]):
        if less <= target <= ratio:
            return card * (other / card) ** (math.log(ratio / target) / math.log(ratio / less))
    return None


def describe_ends(rows):
    """Returns the card that each model needs for each end of what the paper says of clusters."""
    texts = []
    for target in CLUSTER:
        cards = []
        for series, optical in CARD_SERIES[:2]:
            ratios = get_card_ratios(rows, series, optical)
            for model in dict.fromkeys(model for found in ratios.values() for model, _ in found):
                card = find_card(ratios, model, target)
                if card:
                    kind = "released times" if series.endswith("released") else "our times"
                    cards.append(f"{get_title(model)} with {card:.0f} Gb/s ({kind})")
        found = f"{target:g} comes from " + ", ".join(cards)
        texts.append(found if cards else f"no card here gives {target:g}")
    return "; ".join(texts)


def get_cards(rows):
    """Returns the rows of a table of clusters: what their time is over that on SiP-OCS."""
    cells = []
    for number, gigabits in CARDS:
        card = share(number, gigabits)
        row = [f"{number} x {gigabits} Gb/s", card.replace("Gbps", " Gb/s")]
        for series, optical in CARD_SERIES:
            ours = get_points(rows, series, bandwidth=card)
            theirs = get_points(rows, optical)
            values = {key: ours[key] / theirs[key] for key in ours if key in theirs}
            row.append(by_model(values) or "-")
        if any(cell != "-" for cell in row[2:]):
            optical = (series for _, series in CARD_SERIES[:2])
            runs = [run for series in optical for run in rows.find(series, bandwidth="2Tbps")]
            cells.append([*row, describe_light(runs)])
    return cells
