"""People: who sees a table, lists and search, profiles, ratings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from msgspec.structs import replace
from sqlalchemy import select

from carril.page.app import add_pages
from carril.service.accounts import Accounts
from carril.service.app import make_api
from carril.service.errors import BadRequest
from carril.service.games import Games
from carril.service.people import finding, profiles, rating
from carril.service.seats import changing
from carril.service.settings import Settings
from carril.service.store.tables import ratings
from carril.service.values import NewGame, Proposal, Seat, User, Visibility
from tests.service.table import shared_table, step
from tests.service.test_api import OPEN, browser, error, table


@pytest.fixture
def app() -> Iterator[FastAPI]:
    made = make_api(replace(OPEN, bots=False))
    yield made
    made.state.games.close()


@pytest.fixture
def kept() -> Iterator[Games]:
    games = Games.open(settings=Settings(bots=False))
    yield games
    games.close()


# --- who sees a table ----------------------------------------------------------------------


def all_routes(routes: Iterable[Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield method and path of every route, also of the routers that are part of another."""
    for route in routes:
        if isinstance(route, APIRoute):
            yield from ((method, prefix + route.path) for method in sorted(route.methods or ()))
        elif inner := getattr(route, "original_router", None):
            yield from all_routes(inner.routes, prefix + route.include_context.prefix)


def routes_of_tables(app: FastAPI) -> list[tuple[str, str]]:
    """Return method and path of every route about a table, of the API and of the pages."""
    return [one for one in all_routes(app.routes) if "{game}" in one[1]]


def test_strangers_find_no_way_to_a_private_table(app: FastAPI) -> None:
    add_pages(app)
    ana, ben, nobody = browser(app, "Ana"), browser(app, "Ben"), TestClient(app)
    game = table(ana, visibility="private")["id"]
    found = routes_of_tables(app)
    assert len([path for _, path in found if path.startswith("/api/games/{game}")]) > 35
    assert len([path for _, path in found if path.startswith("/table/{game}")]) > 30
    for method, path in found:
        filled = path.replace("{game}", game)
        filled = re.sub(r"\{[a-z_]+\}", "1", filled)
        for stranger in (ben, nobody):
            answered = stranger.request(method, filled, json={}, follow_redirects=False)
            assert answered.status_code in (401, 404, 422), (method, path, answered.text[:200])
            if answered.status_code == 422:  # the fields are checked first; they show nothing
                assert "no game" not in answered.text
            assert "Zoe" not in answered.text, (method, path)
    assert ana.get(f"/api/games/{game}").status_code == 200
    assert ana.get(f"/table/{game}").status_code == 200


def test_well_formed_requests_of_strangers_are_refused_as_well(app: FastAPI) -> None:
    add_pages(app)
    ana, ben = browser(app, "Ana"), browser(app, "Ben")
    game = table(ana, visibility="private")["id"]
    bodies: dict[str, Any] = {
        f"/api/games/{game}/forks": {"at": 0},
        f"/api/games/{game}/chat": {"text": "hello"},
        f"/api/games/{game}/undo": {"to": 0},
        f"/api/games/{game}/requests": {"kind": "end"},
        f"/api/games/{game}/seat": {},
        f"/api/games/{game}/why": {"action": {"type": "pass"}},
    }
    for path, body in bodies.items():
        error(ben.post(path, json=body), 404, "not-found")
    error(ben.put(f"/api/games/{game}/note", json={"text": "x"}), 404, "not-found")
    for path in ("", "/state", "/log", "/save", "/chat", "/options", "/live", "/study", "/rules"):
        error(ben.get(f"/api/games/{game}{path}"), 404, "not-found")


def test_whoever_has_the_address_sees_an_unlisted_table(app: FastAPI) -> None:
    ana, stranger = browser(app, "Ana"), TestClient(app)
    games = {one: table(ana, visibility=one)["id"] for one in ("private", "unlisted", "public")}
    seen = {one: stranger.get(f"/api/games/{game}").status_code for one, game in games.items()}
    assert seen == {"private": 404, "unlisted": 200, "public": 200}
    listed = stranger.get("/api/tables", params={"status": "running"}).json()["tables"]
    assert [one["id"] for one in listed] == [games["public"]]
    mine = ana.get("/api/tables", params={"status": "running"}).json()["tables"]
    assert {one["id"] for one in mine} == set(games.values())


def test_a_table_is_hidden_from_whoever_is_removed(app: FastAPI) -> None:
    ana, ben = browser(app, "Ana"), browser(app, "Ben")
    seats = ({"kind": "me"}, {"kind": "person", "name": "Ben"})
    made = table(ana, *seats, visibility="private")
    token = made["seats"][1]["invitation"]
    assert ben.post(f"/api/invitations/{token}", json={}).status_code == 200
    assert ben.get(f"/api/games/{made['id']}").status_code == 200
    assert ana.delete(f"/api/games/{made['id']}/seats/Ben").status_code == 200
    error(ben.get(f"/api/games/{made['id']}"), 404, "not-found")


def test_the_owner_decides_who_sees_a_table(app: FastAPI) -> None:
    ana, ben = browser(app, "Ana"), browser(app, "Ben")
    game = table(ana)["id"]
    wanted = {"visibility": "private"}
    error(ben.put(f"/api/games/{game}/visibility", json=wanted), 403, "forbidden")
    assert ana.put(f"/api/games/{game}/visibility", json=wanted).json()["visibility"] == "private"
    error(ben.get(f"/api/games/{game}"), 404, "not-found")


# --- lists and search ----------------------------------------------------------------------


def tables_of(games: Games, user: User | None, **more: Any) -> list[str]:
    with games.reading() as reader:
        found = finding.find_tables(reader.connection, user, finding.Query(**more))
    return [one.name for one in found.tables]


def test_tables_are_found_by_status_title_players_and_name(kept: Games) -> None:
    ana = Accounts(kept.store).guest("Ana")
    visible: Visibility = "public"

    def make(name: str, title: str, *seats: Seat, shown: Visibility = visible) -> str:
        return kept.create(ana, NewGame(title, seats, name=name, visibility=shown)).id

    me, bot = Seat("me"), Seat("bot", bot="random")
    make("Open", "18EU", me, Seat("person", "Zoe"), bot)
    make("Running", "18EU", me, bot)
    over = make("Over", "18ESP", me, bot, Seat("bot", "Third", "random"))
    make("Secret", "18EU", me, Seat("person", "Zoe"), shown="private")
    kept.propose(over, ana, Proposal("end"))
    assert tables_of(kept, None) == ["Open"]
    assert set(tables_of(kept, ana)) == {"Open", "Secret"}
    assert tables_of(kept, None, status="running") == ["Running"]
    assert tables_of(kept, None, status="finished") == ["Over"]
    assert tables_of(kept, None, status="finished", title="18EU") == []
    assert tables_of(kept, None, players=3) == ["Open"]
    assert tables_of(kept, None, players=2) == []
    assert tables_of(kept, None, text="zO") == ["Open"]
    assert tables_of(kept, None, text="100%") == []
    assert tables_of(kept, None, status="running", text="runn") == ["Running"]


def test_long_lists_have_pages(kept: Games) -> None:
    ana = Accounts(kept.store).guest("Ana")
    seats = (Seat("me"), Seat("person"))
    for number in range(finding.PAGE + 1):
        kept.create(ana, NewGame("18EU", seats, name=f"Table {number}", visibility="public"))
    pages = [tables_of(kept, None, page=page) for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [finding.PAGE, 1, 0]
    assert len({name for page in pages for name in page}) == finding.PAGE + 1


def test_accounts_are_found_by_name_but_guests_are_not(kept: Games) -> None:
    accounts = Accounts(kept.store)
    ben = accounts.register("Benedict", "long enough")
    accounts.guest("Ben")
    gone = accounts.register("Bentley", "long enough")
    accounts.delete(gone, "long enough")
    with kept.reading() as reader:
        assert finding.find_people(reader.connection, "BEN") == (
            finding.Person(ben.id, "Benedict"),
        )
        assert finding.find_people(reader.connection, " ") == ()


# --- profiles and ratings ------------------------------------------------------------------


def played(games: Games, *people: User, rated: bool = True) -> str:
    """A game of several people that they ended after one action, as unequal as it was."""
    seats = (Seat("me"), *(Seat("person", one.name) for one in people[1:]))
    made = games.create(people[0], NewGame("18EU", seats, seed=3, rated=rated))
    for person in people[1:]:
        token = next(seat.invitation for seat in made.seats if seat.player == person.name)
        games.join(token, person)
    for _ in range(12):
        by = games.info(made.id).acting
        step(games, made.id, next(one for one in people if one.name == by))
    request = games.propose(made.id, people[0], Proposal("end")).request
    assert request
    for person in people[1:]:
        games.answer(made.id, person, request.id, True)
    return made.id


def stored_ratings(games: Games) -> list[tuple[Any, ...]]:
    with games.reading() as reader:
        rows = reader.connection.execute(select(ratings).order_by(ratings.c.game, ratings.c.user))
        return [tuple(row) for row in rows]


def three(games: Games) -> tuple[User, User, User]:
    accounts = Accounts(games.store)
    return (
        accounts.register("Ana", "long enough"),
        accounts.register("Ben", "long enough"),
        accounts.register("Cleo", "long enough"),
    )


def test_ratings_follow_from_the_finished_games(kept: Games) -> None:
    people = three(kept)
    played(kept, *people)
    second = played(kept, *people)
    played(kept, *people[:2])
    played(kept, *people, rated=False)
    assert rating.update_ratings(kept.store) == 3
    first = stored_ratings(kept)
    assert rating.update_ratings(kept.store) == 0
    assert stored_ratings(kept) == first
    with kept.reading() as reader:
        mine = rating.ratings_of(reader.connection, people[0].id)
        result = kept.info(second).result
    assert [(one.title, one.players, one.games) for one in mine] == [("18EU", 2, 1), ("18EU", 3, 2)]
    assert result
    with kept.store.writing() as reader:  # computed again from nothing, they are the same
        reader.connection.execute(ratings.delete())
    assert rating.update_ratings(kept.store) == 3
    assert stored_ratings(kept) == first


def test_the_better_result_gives_the_better_rating(kept: Games) -> None:
    people = three(kept)
    game = played(kept, *people)
    rating.update_ratings(kept.store)
    worth = kept.info(game).result or {}
    with kept.reading() as reader:
        found = {one.name: rating.ratings_of(reader.connection, one.id)[0].mu for one in people}
    for one, other in (("Ana", "Ben"), ("Ben", "Cleo"), ("Cleo", "Ana")):
        assert (worth[one] > worth[other]) == (found[one] > found[other])


def test_an_undone_end_is_not_rated(kept: Games) -> None:
    people = three(kept)
    game = played(kept, *people)
    rating.update_ratings(kept.store)
    undo = kept.undo(game, people[0], 12).request
    assert undo
    for one in people[1:]:
        kept.answer(game, one, undo.id, True)
    with kept.reading() as reader:
        assert rating.is_behind(reader.connection)
    rating.update_ratings(kept.store)
    assert stored_ratings(kept) == []


def test_bots_are_not_rated(kept: Games) -> None:
    ana = three(kept)[0]
    seats = (Seat("me"), Seat("bot", bot="random"))
    game = kept.create(ana, NewGame("18EU", seats, seed=3)).id
    kept.propose(game, ana, Proposal("end"))
    assert rating.update_ratings(kept.store) == 0


def test_a_profile_shows_results_and_hides_what_its_account_hides(kept: Games) -> None:
    ana, ben, cleo = three(kept)
    game = played(kept, ana, ben)
    rating.update_ratings(kept.store)
    with kept.reading() as reader:
        found = profiles.read_profile(reader.connection, ana.id, cleo)
    assert found.results
    assert (found.results[0].title, found.results[0].games) == ("18EU", 1)
    assert sum(found.results[0].places.values()) == 1
    assert found.games == ()  # the table is not listed, and Cleo did not play there
    profiles.set_hidden(kept.store, ana, ("results", "ratings", "games"))
    with kept.reading() as reader:
        hidden = profiles.read_profile(reader.connection, ana.id, cleo)
        own = profiles.read_profile(reader.connection, ana.id, ana)
    assert (hidden.results, hidden.ratings, hidden.games, hidden.hidden) == (None, None, None, ())
    assert own.results == found.results
    assert own.games is not None
    assert [one.id for one in own.games] == [game]
    with pytest.raises(BadRequest):
        profiles.set_hidden(kept.store, ana, ("name",))


def test_guests_and_deleted_accounts_have_no_profile(app: FastAPI) -> None:
    accounts: Accounts = app.state.accounts
    guest = accounts.guest("Guest")
    gone = accounts.register("Gone", "long enough")
    accounts.delete(gone, "long enough")
    for user in (guest, gone, User("nobody", "")):
        error(TestClient(app).get(f"/api/people/{user.id}"), 404, "not-found")


def test_deleting_an_account_keeps_the_games_of_the_others(kept: Games) -> None:
    ana, ben, cleo = three(kept)
    running = shared_table(kept, ana, ben).id
    over = played(kept, ana, ben, cleo)
    rating.update_ratings(kept.store)
    before = len(stored_ratings(kept))
    Accounts(kept.store).delete(ana, "long enough")
    assert kept.info(running).owner == ben.id
    assert kept.info(over).result
    assert kept.verify(over).problems == ()
    with kept.reading() as reader:
        assert not rating.is_behind(reader.connection)
    assert len(stored_ratings(kept)) == before
    changing.let_bot_play(kept.store, running, ben, "Second", "random")
