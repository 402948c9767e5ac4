"""The rule of the ledger that stands behind each refusal in 18Cuba."""

from __future__ import annotations

_CODES: dict[str, str] = {}
"""By rule, the codes of the refusals that cite it."""

CITES = {code: rule for rule, codes in _CODES.items() for code in codes.split()}
