"""What happened, as typed values: log, charts and notifications are made from these."""

from __future__ import annotations

from msgspec import Struct


class Event(Struct, frozen=True, tag_field="event"):
    """Base of all events. Names are those of players and companies, money is in whole units."""


class Bookkeeping(Event, frozen=True):
    """Base of events that keep the accounts complete; logs leave them out."""


class MoneyPaid(Event, tag="money-paid", frozen=True):
    """Money went from one party to another ("bank" is the bank)."""

    source: str
    target: str
    amount: int
    reason: str


class BankBroken(Event, tag="bank-broken", frozen=True):
    """The bank ran out of money for the first time."""


class RoundBegan(Event, tag="round-began", frozen=True):
    """A round began."""

    round: str


class TurnBegan(Event, tag="turn-began", frozen=True):
    """A company's turn in an operating round began."""

    company: str


class Passed(Event, tag="passed", frozen=True):
    """A player declined to act; `forced` when there was nothing to choose."""

    player: str
    step: str
    forced: bool = False


class LotChosen(Event, tag="lot-chosen", frozen=True):
    """The auctioneer put a company up for sale."""

    player: str
    lot: str


class BidMade(Event, tag="bid-made", frozen=True):
    """A player bid."""

    player: str
    lot: str
    amount: int


class PriceFell(Event, tag="price-fell", frozen=True):
    """Nobody took the offered price, so it fell."""

    lot: str
    price: int


class LotSold(Event, tag="lot-sold", frozen=True):
    """A company was sold in the sale."""

    player: str
    lot: str
    price: int


class PriorityMoved(Event, tag="priority-moved", frozen=True):
    """The priority deal went to a player."""

    player: str


class CompanyStarted(Event, tag="company-started", frozen=True):
    """A corporation was started at a price."""

    player: str
    company: str
    price: int


class CompanyFloated(Event, tag="company-floated", frozen=True):
    """A corporation floated and will operate."""

    company: str


class CompanyClosed(Event, tag="company-closed", frozen=True):
    """A company left play."""

    company: str


class ShareBought(Event, tag="share-bought", frozen=True):
    """A share was bought by a player, or bought back by its company."""

    buyer: str
    company: str
    source: str
    count: int
    price: int


class SharesSold(Event, tag="shares-sold", frozen=True):
    """Shares went to the pool for money."""

    seller: str
    company: str
    count: int
    price: int


class SharesMoved(Event, tag="shares-moved", frozen=True):
    """Shares changed place without a sale: an exchange, a flotation, a bankruptcy."""

    company: str
    source: str
    target: str
    count: int


class SharesReturned(Bookkeeping, tag="shares-returned", frozen=True):
    """All shares of a company went back to one place."""

    company: str
    place: str


class PresidentChanged(Event, tag="president-changed", frozen=True):
    """The president's certificate changed hands ("" = nobody)."""

    company: str
    old: str
    new: str


class PriceMoved(Event, tag="price-moved", frozen=True):
    """A share price changed."""

    company: str
    old: int
    new: int
    reason: str


class PriceRemoved(Bookkeeping, tag="price-removed", frozen=True):
    """A company has no share price any more."""

    company: str


class MinorMerged(Event, tag="minor-merged", frozen=True):
    """A minor went into a corporation."""

    minor: str
    company: str
    player: str


class TileLaid(Event, tag="tile-laid", frozen=True):
    """A tile was laid or upgraded."""

    company: str
    hex: str
    tile: str
    turn: int
    cost: int


class TokenPlaced(Event, tag="token-placed", frozen=True):
    """A token was placed."""

    company: str
    hex: str
    city: int


class TokenRemoved(Event, tag="token-removed", frozen=True):
    """A token left the map."""

    company: str
    hex: str


class TokensAllotted(Bookkeeping, tag="tokens-allotted", frozen=True):
    """A company's charter has this many tokens now, besides those on the map."""

    company: str
    usable: int
    locked: int


class ConsentAsked(Event, tag="consent-asked", frozen=True):
    """A company asked an owner for consent to lay a tile."""

    company: str
    owner: str
    hex: str


class Answered(Event, tag="answered", frozen=True):
    """A player accepted or declined an offer or a question."""

    player: str
    accepted: bool
    about: str


class TrainsRun(Event, tag="trains-run", frozen=True):
    """A company ran its trains."""

    company: str
    revenue: int
    treasury: int = 0


class CubesProduced(Event, tag="cubes-produced", frozen=True):
    """A company put cubes into its box."""

    company: str
    cubes: int


class CubesDelivered(Event, tag="cubes-delivered", frozen=True):
    """A company delivered cubes from the box of another one."""

    company: str
    source: str
    cubes: int


class DividendPaid(Event, tag="dividend-paid", frozen=True):
    """Earnings were divided: what was declared, and what the company kept."""

    company: str
    kind: str
    dividend: int
    kept: int


class TrainBought(Event, tag="train-bought", frozen=True):
    """A train was bought; the source is "stack", "pool" or a company."""

    company: str
    train: str
    source: str
    price: int


class TrainOffered(Event, tag="train-offered", frozen=True):
    """A company offered to buy a train of another."""

    company: str
    train: str
    seller: str
    price: int


class TrainMoved(Bookkeeping, tag="train-moved", frozen=True):
    """A train changed hands without a purchase: in a merger, or with a private.

    "" stands for outside the game, as source or target.
    """

    train: str
    source: str
    target: str


class TrainDiscarded(Event, tag="train-discarded", frozen=True):
    """A train went to the pool."""

    company: str
    train: str


class TrainsRusted(Event, tag="trains-rusted", frozen=True):
    """All trains of a kind were removed from play."""

    train: str
    owners: tuple[str, ...]


class TrainsAged(Event, tag="trains-aged", frozen=True):
    """All cards of a kind of train were turned over."""

    train: str
    becomes: str
    owners: tuple[str, ...]


class PrivateSold(Event, tag="private-sold", frozen=True):
    """A private company was bought."""

    buyer: str
    private: str
    price: int


class PrivateClosed(Event, tag="private-closed", frozen=True):
    """A private company closed."""

    private: str


class TenderBought(Event, tag="tender-bought", frozen=True):
    """A company bought a tender."""

    company: str
    source: str


class GoalReached(Event, tag="goal-reached", frozen=True):
    """A company reached one of its goals."""

    company: str
    goal: str


class PassOpened(Event, tag="pass-opened", frozen=True):
    """A mountain pass was opened."""

    company: str
    hex: str
    cost: int


class TakenOver(Event, tag="taken-over", frozen=True):
    """A minor was taken over by a corporation."""

    minor: str
    company: str
    price: int


class TrainsCombined(Event, tag="trains-combined", frozen=True):
    """A recycled train was coupled to one of a company's trains."""

    company: str
    train: str
    recycled: str
    cost: int


class TrainExported(Event, tag="train-exported", frozen=True):
    """The top train of the stack left the game."""

    train: str


class LoanTaken(Event, tag="loan-taken", frozen=True):
    """A player borrowed money."""

    player: str
    amount: int


class LoanRepaid(Event, tag="loan-repaid", frozen=True):
    """A player paid back a loan, with interest."""

    player: str
    amount: int
    interest: int


class OrderDealt(Event, tag="order-dealt", frozen=True):
    """The order of the players changed."""

    players: tuple[str, ...]


class PhaseBegan(Event, tag="phase-began", frozen=True):
    """A phase began."""

    phase: str


class PlayerBankrupt(Event, tag="player-bankrupt", frozen=True):
    """A player is out of the game."""

    player: str


class GameEnded(Event, tag="game-ended", frozen=True):
    """The game is over."""

    reason: str
