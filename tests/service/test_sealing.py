"""The reasons of bots are public only once their lot or turn is over."""

from __future__ import annotations

import pytest

from carril.engine.actions import Bid, ChooseLot, Pass
from carril.engine.events import BidMade, LotSold, RoundBegan, ShareBought, TurnBegan
from carril.engine.state import State
from carril.service import playing
from carril.service.accounts import Accounts
from carril.service.opponents import Choice
from carril.service.sealing import last_public
from carril.service.store.journal import messages_after
from carril.service.values import NewGame, Seat
from tests import table
from tests.browser.positions import played_until
from tests.service.conftest import OpenGames


def _bot(name: str, state: State, seed: int, seconds: float) -> Choice:
    """Raise a bid once, then pass."""
    bid = getattr(state.step, "bid", 0)
    if bid and bid < 105:
        return Choice(Bid(105), "worth about 165")
    found = next((o for o in state.options() if isinstance(o, Pass | ChooseLot)), Pass())
    return Choice(found, "enough")


def test_a_valuation_is_hidden_until_its_lot_is_sold(
    open_games: OpenGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the log nor a what-if line nor a live message shows it while the bidding is open."""
    monkeypatch.setattr(playing, "choose_guarded", _bot)
    games = open_games(bots=False)  # the bot is asked here, not in a worker process
    seats = (Seat("me"), Seat("bot", "Bot", bot="greedy"))
    ana = Accounts(games.store).guest("Ana")
    game = games.create(ana, NewGame("18EU", seats, seed=3)).id
    games.act(game, ana, ChooseLot("1"), 0)
    games.act(game, ana, Bid(100), 1)
    playing.play_bot(games.store, game)
    assert games.info(game).head == 3
    fork = games.fork(game, ana, 3)
    games.act(game, ana, Pass(), 3, fork=fork)
    hidden = [*games.log(game), *games.log(game, fork=fork, user=ana)]
    assert [entry.reason for entry in hidden] == [""] * 7
    games.act(game, ana, Bid(110), 3)
    playing.play_bot(games.store, game)
    assert [entry.reason for entry in games.log(game, until=5)][2::2] == [
        "worth about 165",
        "enough",
    ]
    with games.reading() as reader:
        sent = str(messages_after(reader.connection, game, 0))
    assert "bid-made" in sent
    assert "165" not in sent


def test_a_lot_is_open_from_the_sale_of_the_one_before() -> None:
    state = table.game(3).apply(ChooseLot("5")).state
    bids = [(number, "Ben", (BidMade("Ben", "5", 100),)) for number in (9, 8)]
    sold = (7, "Ana", (LotSold("Ana", "4", 100),))
    assert last_public(state, 9, [*bids, sold, (6, "Ben", ())]) == 7
    assert last_public(state, 2, [(2, "Ana", ()), (1, "Ben", ())]) == 0


def test_a_turn_is_open_until_the_next_one_begins() -> None:
    state = played_until(1, "trains")
    acted = [(5, "Ben", ()), (4, "Ana", ()), (3, "Ben", (TurnBegan("3"),)), (2, "Ana", ())]
    assert last_public(state, 5, acted) == 3


def test_a_turn_of_a_player_is_open_while_they_act() -> None:
    state = table.stock_round(table.own_minors(table.game(3), {}))
    turn = (ShareBought("Ana", "FS", "pool", 1, 90),)
    assert last_public(state, 4, [(4, "Ana", turn), (3, "Cleo", ()), (2, "Ana", ())]) == 3
    assert last_public(state, 4, [(4, "Ana", (RoundBegan("SR 2"),)), (3, "Ana", ())]) == 4
