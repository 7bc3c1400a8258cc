"""Encodings that fit a column, and protocols that fit what is asked of it."""

from __future__ import annotations

from workbench.core.schema import ColumnSpec, Kind
from workbench.core.worded import Worded
from workbench.ldp.encoding import Domain, EncodingKind
from workbench.ldp.protocol import Family, LocalProtocol


class ProtocolGroup(Worded):
    """The purpose of a protocol."""

    CATEGORICAL = "categorical", "For any values"
    ORDINAL = "ordinal", "For values in an order"
    MEANS = "means", "For a mean"


def group_of(protocol: LocalProtocol) -> ProtocolGroup:
    """Group of a protocol, by what it estimates and whether it uses distances."""
    if protocol.family is Family.MEAN:
        return ProtocolGroup.MEANS
    return ProtocolGroup.ORDINAL if protocol.ordinal else ProtocolGroup.CATEGORICAL


def ways(spec: ColumnSpec) -> list[EncodingKind]:
    """The encodings that go with a column, the usual one first."""
    if spec.kind.temporal:
        return [EncodingKind.BINS, EncodingKind.DATES, EncodingKind.CATEGORIES, EncodingKind.QUESTION]
    if spec.kind is Kind.INTEGER:
        return [
            EncodingKind.BINS,
            EncodingKind.WHOLE,
            EncodingKind.EDGES,
            EncodingKind.CATEGORIES,
            EncodingKind.QUESTION,
        ]
    if spec.kind.numeric:
        return [EncodingKind.BINS, EncodingKind.EDGES, EncodingKind.CATEGORIES, EncodingKind.QUESTION]
    return [EncodingKind.CATEGORIES, EncodingKind.QUESTION]


def why_not(protocol: LocalProtocol, domain: Domain | None, spec: ColumnSpec | None) -> str:
    """Why a protocol does not go with the question, "" if it does.

    Parameters
    ----------
    domain, spec
        The possible answers and the column that is asked about; None as long as they are not known.
    """
    if protocol.family is Family.MEAN:
        return "" if spec is None or spec.kind.numeric else "Only a column of numbers has a mean."
    if domain is None:
        return ""
    if protocol.ordinal and not domain.ordinal:
        return "Needs values in an order, such as numbers in bins."
    if protocol.maximum_domain == protocol.minimum_domain != domain.size:
        return f"Needs a question with exactly {protocol.minimum_domain} answers."
    if not protocol.minimum_domain <= domain.size <= protocol.maximum_domain:
        return f"Takes {protocol.minimum_domain:,} to {protocol.maximum_domain:,} possible answers."
    return ""
