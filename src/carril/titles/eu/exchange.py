"""The final exchange round: every minor merges or closes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carril.engine.actions import Action, CloseMinor, ExchangeMinor, Pass
from carril.engine.events import Passed
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import next_player
from carril.engine.state import POOL, State
from carril.engine.step import Step, refuse
from carril.titles.eu.common import conventions, discards_due, minors_of, set_extra
from carril.titles.eu.merging import NO_SHARE, close_minor, connected, exchange, share_source


def partners(state: State, minor: str) -> Iterator[str]:
    """Yield the started corporations that a minor is connected to, floated or not."""
    for company in state.companies.values():
        if company.kind == "major" and company.started and connected(state, minor, company.symbol):
            yield company.symbol


class FinalExchange(Step, tag="final-exchange", frozen=True):
    """Players in turn merge or close one minor, until none is left (EU-4.2.2)."""

    player: str
    acted: bool = False

    allows = (ExchangeMinor, CloseMinor, Pass)

    def actor(self, state: State) -> str:
        """Return the player whose turn it is."""
        return self.player

    def settle(self, move: Move) -> bool:
        """Go on to the next player with a minor, take an only option, or end the round."""
        state = move.state
        if not any(c.kind == "minor" and not c.closed for c in state.companies.values()):
            self._finish(move)
        elif self.acted or not any(True for _ in minors_of(state, self.player)):
            if not self.acted:
                move.tell(Passed(self.player, "exchange", forced=True))
            move.swap(FinalExchange(next_player(state, self.player)))
        else:
            return self.take_only_option(move)
        return True

    def _finish(self, move: Move) -> None:
        """Ask for excess trains, then end the round; on 18xx.games the other way round (G-5)."""
        within = conventions(move.state).exchange_discards_at_end
        due = discards_due(move.state, fixed=not within)
        if due and within:
            move.push(*due)  # this step is due again when all have discarded (EU-4.2.2-n)
            return
        set_extra(move, exchange="done")
        move.pop()
        move.state.title.next_round(move)
        move.push(*due)

    def options(self, state: State) -> Iterable[Action]:
        """Yield each minor with each corporation it can join; unconnected ones can be closed."""
        by = self.player
        for minor in minors_of(state, by):
            if conventions(state).merger_checked:
                found = list(partners(state, minor.symbol))
            else:
                found = [c.symbol for c in state.companies.values() if c.started]
            for company in found:
                source = share_source(state, company)
                yield ExchangeMinor(minor.symbol, company, source, by=by)
            if self._close_refusal(state, minor.symbol) is None:
                yield CloseMinor(minor.symbol, by=by)
        if self._pass_refusal(state) is None:
            yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the minor, the corporation, the connection and where the share comes from."""
        if isinstance(action, Pass):
            return self._pass_refusal(state)
        assert isinstance(action, ExchangeMinor | CloseMinor)
        if action.minor not in (minor.symbol for minor in minors_of(state, self.player)):
            return refuse(state, "not-your-minor", minor=action.minor)
        if isinstance(action, CloseMinor):
            return self._close_refusal(state, action.minor)
        company = state.companies.get(action.company)
        if company is None or company.kind != "major" or not company.started:
            return refuse(state, "no-such-stock", company=action.company)
        if conventions(state).merger_checked and not connected(state, action.minor, action.company):
            return refuse(state, "not-connected-final", minor=action.minor, company=action.company)
        source = share_source(state, action.company)
        if action.source != source:
            return refuse(state, "treasury-first", source=action.source, first=source)
        return None

    def _close_refusal(self, state: State, minor: str) -> Refusal | None:
        partner = next(partners(state, minor), None)
        if partner is not None:
            return refuse(state, "minor-connected", minor=minor, company=partner)
        return None

    def _pass_refusal(self, state: State) -> Refusal | None:
        """On 18xx.games a pass closes all minors that cannot get a share (G-16)."""
        if not conventions(state).pass_closes_minors:
            return refuse(state, "must-exchange", player=self.player)
        for minor in minors_of(state, self.player):
            for company in partners(state, minor.symbol):
                if share_source(state, company) != NO_SHARE:
                    return refuse(state, "minor-connected", minor=minor.symbol, company=company)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Merge or close the minor; the next player follows."""
        move.swap(FinalExchange(self.player, acted=True))
        match action:
            case ExchangeMinor(minor=minor, company=company, source=source):
                if source == POOL and conventions(move.state).pool_exchange_keeps_turn:
                    move.swap(FinalExchange(self.player))
                exchange(move, self.player, minor, company, source)
            case CloseMinor(minor=minor):
                close_minor(move, minor)
            case _:
                move.tell(Passed(self.player, "exchange"))
                for charter in list(minors_of(move.state, self.player)):
                    close_minor(move, charter.symbol)
