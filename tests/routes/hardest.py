"""Two 8 trains, and an 8 with a Pullman, on fully upgraded 18EU maps with five stations.

python -m tests.routes.hardest --maps 10
"""

from __future__ import annotations

import argparse
import time

from rich.progress import track

from carril.routes import solve
from tests.routes import eu

TEAMS = (["8", "8"], ["8", "P"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--maps", type=int, default=10)
    wanted = parser.parse_args()
    for trains in TEAMS:
        times, nodes = [], []
        for seed in track(range(wanted.maps), description=" and ".join(trains)):
            problem = eu.full_map(5, trains, seed)
            begun = time.process_time()
            answer = solve(problem)
            times.append(time.process_time() - begun)
            nodes.append(answer.nodes)
            assert answer.optimal
        print(
            f"{' and '.join(trains)}: {wanted.maps} maps proven, median "
            f"{sorted(times)[len(times) // 2]:.2f} s, most {max(times):.2f} s of processor time, "
            f"most nodes {max(nodes)}"
        )


if __name__ == "__main__":
    main()
