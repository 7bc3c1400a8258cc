"""What a claim says of looks at the data: at anything of it that is not differentially private.

A draw that shows nothing but its release leaves whoever sees it free to choose what to ask next; the price of each is
added up. Once anything else was seen, every later choice may follow from it: of the settings, of a draw, or whether to
publish one. Only a draw whose publication was settled before keeps its claim.
"""

LOOKED_AT = "Unprotected figures of this data were looked at before the publication of this draw was settled."
LOOKED_AT_REMEDY = (
    "A draw keeps its claim if it is exported, or its publication is settled, before anybody takes the analyst's "
    "figures, searches for levels or simulates on this data; draws that were settled so keep theirs."
)
LOOKED_AFTER = (
    "Once the publication of this draw had been settled, unprotected figures of this data were looked at. The "
    "guarantee is that of a draw that is published whatever they say."
)
LOOKED_AFTER_REMEDY = "Publish this draw, and no other one instead of it."
