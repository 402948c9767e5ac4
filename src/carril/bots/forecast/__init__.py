"""A forecast of the rest of a game: revenues, trains, prices, dividends, and what players will own.

>>> from carril import start
>>> from carril.bots.forecast import forecast
>>> ahead = forecast(start("18EU", ["Ana", "Ben", "Cleo"], seed=7))
>>> sorted(ahead.worth)
['Ana', 'Ben', 'Cleo']
"""

from carril.bots.forecast.course import forecast
from carril.bots.forecast.values import CompanyForecast, Forecast, Purchase

__all__ = ["CompanyForecast", "Forecast", "Purchase", "forecast"]
