"""The course of a forecast: operating rounds, train purchases and stock rounds in a simple model.

Companies run what they own, pay if their trains last, save if they do not, and buy the next train
when they have the money or must. Players spend what they have on the shares with the best return.
"""

from __future__ import annotations

from statistics import median

from msgspec.structs import replace

from carril.bots.forecast.founding import found
from carril.bots.forecast.ledger import Ledger, Line, joint_power, open_ledger, rounds_in_set
from carril.bots.forecast.values import CompanyForecast, Forecast, Purchase
from carril.bots.greedy import outlook
from carril.engine.shares import company_def
from carril.engine.state import Marker, State
from carril.engine.trains import main_train, phase_def, phase_reached

MOST_ROUNDS = 14
PATIENCE = 2
"""For how many rounds a company saves for a train."""
GROWTH = 1.03
"""How much better track and stations make a run in each round."""
SOON = 3
"""A train lasts if more trains must be sold before it rusts than this part of the companies."""
TOO_LATE = 3
"""Nobody starts a company in the last rounds."""
SECURITY = 0.5
"""What a train that lasts is worth to a company that has none, as a part of its price."""
YOUNG = 0.5
"""The part of a train's power that a company without any run yet can use."""


def forecast(state: State) -> Forecast:
    """Return the expected course of the game from a position."""
    book = open_ledger(state)
    before = _rest(state)
    purchases: list[Purchase] = []
    final = book.last is not None and book.last.begun
    left = _left(state)
    last_now = final and left == 1  # what is earned now has its factor already
    rounds = 0
    while rounds < MOST_ROUNDS and not state.finished:
        if left <= 0:
            _invest(book, rounds)
            left = _length(book, final)
        rounds += 1
        left -= 1
        _operate(book, rounds, purchases, last=final and not left and not last_now)
        if book.last is not None and not book.cards and not final:
            left, final = 0, True  # the rounds that are left are dropped, the last set follows
        elif not left:
            if _over(book, final):
                break
            _export(book)
            final = book.last is not None and not book.cards
    return _result(book, rounds, purchases, before)


def _left(state: State) -> int:
    """Return how many operating rounds of the present set are not over; 0 in other rounds."""
    if state.round.kind != "OR":
        return 0
    return (state.round.of or phase_def(state).operating_rounds) - state.round.number + 1


def _length(book: Ledger, final: bool) -> int:
    """Return how many operating rounds the next set has."""
    if final and book.last is not None:
        return book.last.rounds
    return rounds_in_set(book.state, book.phase)


def _over(book: Ledger, final: bool) -> bool:
    """Return whether the game ends with this set of rounds."""
    return final if book.bank is None else book.broken


def _export(book: Ledger) -> None:
    """Let the bank take trains out of the supply after a set of rounds."""
    for _ in range(book.state.title.answers.exported(book.state)):
        if book.supply:
            _sold(book, next(iter(book.supply)))


# --- operating rounds --------------------------------------------------------------------


def _operate(book: Ledger, number: int, purchases: list[Purchase], last: bool) -> None:
    """Play one operating round; `last` for the very last one."""
    factor = book.state.title.answers.last_factor
    market = book.state.setup.market
    earning = [line.income / line.power for line in book.lines if line.power and line.income]
    usual = median(earning) * YOUNG if earning else 15.0
    for line in sorted(book.lines, key=lambda one: -market.price(*one.space) if one.space else 1):
        if book.phase != book.state.phase and line.sole and _gone(book, line):
            line.trains, line.income = [], 0.0
            continue
        _run(book, line, number, usual, factor(book.state, line.symbol) if last else 1)
        if line.led and not last:
            _shop(book, line, number, purchases)


def _gone(book: Ledger, line: Line) -> bool:
    """Return whether a company with one owner is closed by the phase of the forecast."""
    phase = book.state.title.answers.closing_phase(book.state, line.symbol)
    numbers = book.state.tables.phase_numbers
    return bool(phase) and numbers[book.phase] >= numbers[phase]


def _run(book: Ledger, line: Line, number: int, usual: float, times: int) -> None:
    """Run, and pay or withhold; the earnings count some `times`."""
    now = joint_power(book.state, line.trains)
    rate = line.income / line.power if line.power and line.income else usual
    earned = int(rate * now * GROWTH**number) if line.led else int(line.income * GROWTH**number)
    earned *= times
    paid = earned
    if line.sole and "half" in book.state.title.earnings.owner_choices:
        paid = earned // 2
    elif line.led and _saves(book, line, earned):
        paid = 0
    line.cash += earned - paid
    line.revenue.append(earned)
    line.dividends.append(paid / line.units)
    _pay(book, line, paid)
    for _ in range(times):
        _move(book, line, paid)


def _saves(book: Ledger, line: Line, earned: int) -> bool:
    """Return whether a company withholds: it needs a train, and can soon pay for it."""
    if not _needs(book, line):
        return False
    lack = _cost(book, line) - line.cash
    return 0 < lack <= PATIENCE * earned or (lack > 0 and not line.trains)


def _pay(book: Ledger, line: Line, paid: int) -> None:
    each = paid / line.units
    if book.bank is not None:
        book.bank -= paid
        book.broken = book.broken or book.bank < 0
    if line.units <= 1 and line.owner:
        _receive(book, line.owner, paid)
        return
    for holder, count in line.holders.items():
        if holder in book.cash:
            _receive(book, holder, int(each * count))
        elif holder in book.state.title.earnings.paid_to_company:
            line.cash += int(each * count)


def _receive(book: Ledger, player: str, amount: int) -> None:
    book.cash[player] += amount
    book.received[player] += amount


def _move(book: Ledger, line: Line, paid: int) -> None:
    """Move the price of a company by its dividend."""
    if line.space is None:
        return
    state, market = book.state, book.state.setup.market
    there = replace(state, markers=(Marker(line.symbol, *line.space),))
    steps = state.title.earnings.price_steps(there, line.symbol, paid)
    for _ in range(abs(steps)):
        line.space = market.right(*line.space) if steps > 0 else market.left(*line.space)


# --- trains ------------------------------------------------------------------------------


def _card(book: Ledger, line: Line) -> str:
    """Return the train that a company can buy: the first card of its gauge in the supplies."""
    state, trains, begun = book.state, book.state.tables.trains, set()
    for name in book.supply:
        train = trains[name]
        if train.available_from:
            if not phase_reached(state, train.available_from):
                continue
        elif train.supply in begun:
            continue
        begun.add(train.supply)
        for side in state.setup.sides[name]:
            if not line.gauge or trains[side].gauge in ("", line.gauge):
                return side
    return ""


def _cost(book: Ledger, line: Line) -> int:
    card = _card(book, line)
    return book.state.tables.trains[card].price if card else 0


def _needs(book: Ledger, line: Line) -> bool:
    """Return whether a company has no train that lasts."""
    return not any(_lasts(book, name) for name in line.trains)


def _lasts(book: Ledger, train: str) -> bool:
    """Return whether few purchases do not end a train."""
    rusted = book.state.tables.trains[main_train(train)].rusted_by
    if not rusted:
        return True
    count = 0
    for name, left in book.supply.items():
        if book.state.tables.begun_by.get(name) == rusted:
            return count > len(book.lines) // SOON
        count += left if left > 0 else 0
    return True


def _shop(book: Ledger, line: Line, number: int, purchases: list[Purchase]) -> None:
    """Buy the next train if it is needed; the president helps if there is no other."""
    card = _card(book, line)
    if not card or (line.limit >= 0 and len(line.trains) >= line.limit):
        return
    cost = book.state.tables.trains[card].price
    needs = _needs(book, line)
    if line.cash < cost and (line.trains or line.sole or not needs):
        return
    if line.trains and not _pays_back(book, line, card, number, needs):
        return
    helped = max(0, cost - line.cash)
    if helped and line.owner:
        book.cash[line.owner] -= helped
    line.cash = max(0, line.cash - cost)
    if book.bank is not None:
        book.bank += cost
    purchases.append(Purchase(number, line.symbol, card, cost, helped))
    line.trains.append(card)
    _sold(book, book.state.tables.trains[card].card or card)


def _pays_back(book: Ledger, line: Line, card: str, number: int, needs: bool) -> bool:
    """Return whether one more train is worth its price, with those that it makes rust gone.

    A train that lasts is worth more than it earns to a company that has none.
    """
    state, trains = book.state, book.state.tables.trains
    phase = state.tables.begun_by.get(trains[card].card or card, "")
    kept = [
        name for name in line.trains if trains[main_train(name)].rusted_by != phase or not phase
    ]
    rate = line.income / line.power if line.power else 0.0
    gain = rate * (joint_power(state, (*kept, card)) - joint_power(state, line.trains))
    ahead = max(0, outlook.rounds_left(state) - number)
    secures = ahead > 2 and _lasts(book, card)
    part = 1.0 if not needs else -SECURITY if secures else SECURITY
    return gain * ahead > part * trains[card].price


def _sold(book: Ledger, card: str) -> None:
    """Take a card out of its supply; a new phase removes old trains."""
    if book.last is not None and card == book.last.train:
        book.cards = max(0, book.cards - 1)
    if book.supply[card] > 0:
        book.supply[card] -= 1
        if not book.supply[card]:
            del book.supply[card]
    tables = book.state.tables
    phase = tables.begun_by.get(card, "")
    if not phase or tables.phase_numbers[phase] <= tables.phase_numbers[book.phase]:
        return
    book.phase = phase
    for line in book.lines:
        line.trains = [
            name for name in line.trains if tables.trains[main_train(name)].rusted_by != phase
        ]


# --- stock rounds ------------------------------------------------------------------------


def _invest(book: Ledger, played: int) -> None:
    """Let the players start companies and buy what returns most, while they have money and room."""
    if outlook.rounds_left(book.state) - played > TOO_LATE:
        for player in book.cash:
            found(book, player)
    ranked = sorted(
        (line for line in book.lines if not line.sole and line.space and book.price(line)),
        key=lambda line: -_return(book, line),
    )
    busy = True
    while busy:
        bought = [_purchase(book, ranked, player) for player in book.cash]
        busy = any(bought)


def _return(book: Ledger, line: Line) -> float:
    return line.dividends[-1] / book.price(line) if line.dividends else line.income / line.units


def _purchase(book: Ledger, ranked: list[Line], player: str) -> bool:
    """Buy one share for a player; return whether there was one."""
    if book.room[player] <= 0:
        return False
    for line in ranked:
        price = book.price(line)
        if price > book.cash[player] or _return(book, line) <= 0:
            continue
        source = next((one for one, n in line.holders.items() if n and one not in book.cash), "")
        if not source or line.holders.get(player, 0) >= line.units * 0.6:
            continue
        line.holders[source] -= 1
        line.holders[player] = line.holders.get(player, 0) + 1
        book.cash[player] -= price
        book.room[player] -= 1
        return True
    return False


# --- the result --------------------------------------------------------------------------


def _rest(state: State) -> dict[str, int]:
    """Return what counts for each player now besides cash, debt and shares with several holders."""
    found = {}
    for name, player in state.players.items():
        held = sum(
            company.held(name) * _price(state, company.symbol)
            for company in state.companies.values()
            if company.held(name) and not company_def(state, company.symbol).sole_owner
        )
        found[name] = state.title.worth(state, name) - player.cash - held
    return found


def _price(state: State, symbol: str) -> int:
    market = state.setup.market
    return next((market.price(m.row, m.column) for m in state.markers if m.company == symbol), 0)


def _result(
    book: Ledger, rounds: int, purchases: list[Purchase], before: dict[str, int]
) -> Forecast:
    """Return the forecast with what everybody owns at the end."""
    worth = dict(book.cash)
    for line in book.lines:
        if line.sole:
            continue
        for holder, count in line.holders.items():
            if holder in worth:
                worth[holder] += count * book.price(line)
    closed = {line.owner for line in book.lines if line.sole and _gone(book, line)}
    for name, value in before.items():
        worth[name] += value if name not in closed and book.state.players[name].debt == 0 else 0
    companies = {
        line.symbol: CompanyForecast(
            line.symbol, tuple(line.revenue), tuple(line.dividends), book.price(line)
        )
        for line in book.lines
    }
    return Forecast(rounds, companies, tuple(purchases), dict(book.received), worth)
