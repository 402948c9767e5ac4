"""Requests that Schemathesis makes up from the API's own description.

Only the generation is taken from Schemathesis: its command sends one request after the other and
records each of them, which takes longer than the service needs to answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from importlib import import_module
from typing import Any

import httpx

_GENERATOR = "schemathesis"
"""The package of the extra `siege`, which is not installed otherwise."""
STREAM = "/live"
"""How the paths of streams end, which are left out: their responses do not end."""


@dataclass(frozen=True)
class MadeUp:
    """A request, and the check of its response."""

    case: Any
    request: httpx.Request

    def problem(self, response: httpx.Response) -> str:
        """Return how a response differs from its description, or ""."""
        checks = [import_module(f"{_GENERATOR}.specs.openapi.checks").response_schema_conformance]
        try:
            self.case.validate_response(response, checks=checks)
        except (Exception, BaseExceptionGroup) as error:  # several failures are a group
            return " ".join(str(error).split())[:400]
        return ""


class Operations:
    """The operations of an API, those that delete something last."""

    def __init__(self, address: str) -> None:
        """Read the description."""
        generator: Any = import_module(_GENERATOR)
        description = httpx.get(f"{address}/api/openapi.json", timeout=60).json()
        found = generator.openapi.from_dict(description).get_all_operations()
        every: list[Any] = [one.ok() for one in found]
        chosen = [one for one in every if not one.path.endswith(STREAM)]
        self.every = sorted(chosen, key=lambda one: str(one.method).lower() == "delete")
        self.address = address

    def requests(self, seed: int, each: int, game: str) -> Iterator[list[MadeUp]]:
        """Yield requests for each operation, valid and invalid; those about a game are about one.

        An operation without parameters has a few different requests only.
        """
        modes: Any = import_module(f"{_GENERATOR}.generation").GenerationMode
        for operation in self.every:
            known = {"game": game} if "{game}" in operation.path else None
            for mode in (modes.POSITIVE, modes.NEGATIVE):
                strategy = operation.as_strategy(mode, path_parameters=known)
                cases = _examples(strategy, seed, each)
                yield [made for case in cases if (made := self._made(case))]

    def _made(self, case: Any) -> MadeUp | None:
        """Return a request as it is sent, or None if no client can send it."""
        requests: Any = import_module("requests")
        names = ("method", "url", "headers", "files", "data", "params", "cookies", "json")
        wanted = case.as_transport_kwargs(base_url=self.address)
        try:
            ready = requests.Request(**{n: wanted[n] for n in names if n in wanted}).prepare()
            headers = [(_octets(n), _octets(v)) for n, v in ready.headers.items()]
            sent = httpx.Request(
                str(ready.method), str(ready.url), headers=headers, content=ready.body
            )
        except (httpx.InvalidURL, requests.RequestException, UnicodeError, ValueError, TypeError):
            return None
        return MadeUp(case, sent)


def _octets(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1")


def _examples(strategy: Any, seed: int, count: int) -> list[Any]:
    """Return different examples of a strategy, or none if it has none."""
    import hypothesis
    from hypothesis import HealthCheck, Phase

    found: list[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(case=strategy)
    def collect(case: Any) -> None:
        found.append(case)

    with suppress(hypothesis.errors.HypothesisException):  # such as: none is invalid
        collect()
    return found


def forgetful_client(**more: Any) -> httpx.AsyncClient:
    """Return a client that takes no cookies, so that every request is as it was made up."""
    limits = httpx.Limits(keepalive_expiry=2)  # well before the server closes a connection
    client = httpx.AsyncClient(timeout=60, limits=limits, **more)
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client
