"""The service under siege: hostile requests, kills and damaged input.

    python -m tests.service.siege hostile [--requests 200]
    python -m tests.service.siege kills [--kills 200] [--database-kills 20]
    python -m tests.service.siege fuzz [--requests 100000] [--files 50000]

Each part starts the real command, `carril serve`, and speaks HTTP to it as anybody could.
"""
