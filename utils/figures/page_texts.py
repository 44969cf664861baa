"""What the page about the figures says whatever the numbers are."""

HEAD = """.. include:: replace.txt

Results of the three papers
===========================

.. figure:: figures/claims.svg
   :alt: Each claim of three papers with its verdict, what the paper says, and what the module finds

   All claims of this page. Grey: the light of a run does not arrive with the default components. The tables below have
   the numbers by model, what fails first, and what decides

``utils/figures.sh`` runs all simulations of this page, draws the figures and writes the page itself; only the
statements about the papers are written by hand. It resumes where it was stopped; ``utils/figures.sh --quick`` simulates
a part of it, most of it on 64 GPUs, and ``utils/figures.sh --only=strong,cards`` some figures anew. The table of all
runs, with the options of each, is :download:`results.csv <figures/results.csv>`; the figures are also there as SVG.
Tables of :doc:`optinc-fabric`, :doc:`optinc-learning` and :doc:`optinc`, each with the command that makes it, give the
rest.

The claims
----------

"""

SETTINGS = """What can be compared
--------------------

The settings for SiP-ML come from the first pages of the paper (Khani et al., SIGCOMM 2021) and from its released
simulator, Rostam. The values of its figures are not available, so that this page compares the claims of its text. All
simulations use two sets of settings:

published
   The rules of the released simulator: groups of 8 GPUs and as many replicas as that leaves; pieces of an
   operator read only the pieces that overlap theirs; a share of an operator takes the same share of its
   time. SiP-Ring ignores the continuity of wavelengths, decides every 100 us, is completely dark for 20 us, replaces
   all circuits of the last decision, and decides in no time. SiP-OCS has 20 switches that are set before the job.
ours, or all transfers
   All transfers that operators need for correct results (a product split by columns gathers its whole input), on
   an accelerator whose small operators are less efficient; lightpaths keep their wavelengths, only lanes that
   change go dark, and a decision takes 10 us. Circuits are decided on once unless stated otherwise.

Both use V100 GPUs, a frame for each message, no propagation delay beyond that of the fabrics, the whole fabric
rather than one group, and the placement of ranks on a ring that the module finds by itself (``--placement=automatic``).
Our gradients are those of half-precision training (2 bytes a parameter), less than the weights in the released
simulator, which are configuration data there (250 MB for ResNet-50, which has 102 MB in single precision). *Released
compute times* are its times of data parallelism on a GPU: 39.3 ms for 8 images, 11.3 ms for a sentence pair of the
Transformer, 228 ms for a sequence of GPT-2. It does not say what more samples on 8 GPUs take; here they take as
many times as long as there are more of them, unless stated otherwise. The best plan is the one that the search finds
with its default effort (``SearchPlanner::MaxEvaluations``); a longer search may find a better one, above all on a ring.

The publications of ODDL and OptINC are abstracts and short papers; their pages, :doc:`oddl` and :doc:`optinc-fabric`,
say what is known of their settings.
"""


def say(holds, text, otherwise=""):
    """Returns a sentence with a blank before it if it holds, else another one."""
    chosen = text if holds else otherwise
    return f" {chosen}" if chosen else ""
