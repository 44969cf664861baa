"""Random numbers of ns-3: the generator MRG32k3a of L'Ecuyer, with streams and substreams.

A stream has 2^127 numbers and a substream 2^76, as in "An object-oriented random-number package with many long
streams and substreams" (L'Ecuyer, Simard, Chen and Kelton, Operations Research 50(6), 2002).
"""

MODULI = (4294967087, 4294944443)
STEPS = (((0, 1, 0), (0, 0, 1), (-810728, 1403580, 0)), ((0, 1, 0), (0, 0, 1), (-1370589, 0, 527612)))
NORM = 1 / (MODULI[0] + 1)

# The largest seed
MAX_SEED = MODULI[1] - 1

# For each half of the state: its steps of 2^k numbers, by k
_powers = ([STEPS[0]], [STEPS[1]])


def _advance(half, state, exponent):
    """Return three words of a state, a number of steps later: 2 to the exponent."""
    modulus, powers = MODULI[half], _powers[half]
    while len(powers) <= exponent:
        last = powers[-1]
        columns = list(zip(*last))
        powers.append([[sum(a * b for a, b in zip(row, column)) % modulus for column in columns] for row in last])
    return [sum(a * b for a, b in zip(row, state)) % modulus for row in powers[exponent]]


class RandomStream:
    """Draws the numbers that an RngStream of ns-3 draws."""

    def __init__(self, seed, stream, substream):
        """Begin a substream of a stream of a seed from 1 to MAX_SEED."""
        steps = (stream << 127) + (substream << 76)
        state = []
        for half in (0, 1):
            words = [seed] * 3
            for exponent in range(steps.bit_length()):
                if steps >> exponent & 1:
                    words = _advance(half, words, exponent)
            state += words
        self._state = tuple(state)

    def draw(self):
        """Return a number above 0 and below 1."""
        a, b, c, d, e, f = self._state
        one = (1403580 * b - 810728 * a) % 4294967087
        two = (527612 * f - 1370589 * d) % 4294944443
        self._state = (b, c, one, e, f, two)
        return (one - two if one > two else one - two + 4294967087) * NORM
