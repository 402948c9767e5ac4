"""Claims: one process does what must be done once, and another when it dies."""

from __future__ import annotations

from carril.service.store.claims import Claims
from carril.service.store.database import Database
from tests.service.table import until


def test_one_process_holds_a_claim(database: str) -> None:
    opened = Database(database)
    one, other = Claims(opened), Claims(opened)
    assert one.take("work")
    assert one.take("work")
    assert not other.take("work")
    assert other.take("other work")
    one.release("work")
    assert other.take("work")
    one.close()
    other.close()
    assert one.take("work")
    opened.close()


def test_the_claim_of_a_dead_process_is_taken_over(database: str) -> None:
    opened = Database(database)
    dead, living = Claims(opened, lease=0.6), Claims(opened, lease=0.6)
    assert dead.take("work")
    assert not living.take("work")
    dead._closing.set()  # it renews nothing any more
    until(lambda: living.take("work"), 30)
    opened.close()


def test_a_living_process_keeps_its_claim(database: str) -> None:
    opened = Database(database)
    one, other = Claims(opened, lease=1.5), Claims(opened, lease=1.5)
    assert one.take("work")
    one._closing.wait(3)
    assert not other.take("work")
    one.close()
    assert other.take("work")
    other.close()
    opened.close()


def test_work_that_failed_is_postponed_for_everybody(database: str) -> None:
    opened = Database(database)
    one, other = Claims(opened), Claims(opened)
    assert one.take("work")
    one.release("work", after=1.0)
    assert not one.take("work")
    assert not other.take("work")
    until(lambda: other.take("work"), 30)
    other.close()
    opened.close()
