"""Notes on curves of published figures: what must be known of them when a picture is printed alone."""

from __future__ import annotations

from types import MappingProxyType

_CURATOR = "Global DP is the discrete noise of a curator who is trusted with all answers; "
CURVE_NOTES = MappingProxyType(
    {
        "Basic RAPPOR (ε = 1.02)": "Basic RAPPOR has ε = 1.02 at every point (f = ½), and is not to be compared with "
        "protocols that have another ε there.",
        "Distance-sensitive": "Distance-sensitive encoding spends at most ln θ(θ + 1) with a whole θ, which is less "
        "than ε unless ε is such a number.",
        "Histogram encoding": "Histogram encoding (THE, θ of least variance) sends only which noisy numbers are above "
        "its threshold, and spends less than ε.",
        "Distance-sensitive, corrected": "Distance-sensitive encoding, corrected, spends the whole of each ε, unless "
        "there are few values.",
        "Uniform guess": "The uniform guess, for which nobody is asked, takes all answers to be equally frequent.",
        "Global DP": f"{_CURATOR}it takes up to 2ε to hide what a person answered.",
    }
)
"""By the name of the curve."""
OF_ONE_COUNT = (("Global DP", f"{_CURATOR}as one count is asked for, ε is enough to hide what a person answered."),)
"""Another answer changes two bars of a histogram by 1 each, but a single count by no more than a missing one does."""
