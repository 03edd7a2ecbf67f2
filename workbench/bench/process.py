"""Figures of a process, from proc(5)."""
import pathlib


def processor_seconds(process: int) -> float:
    return sum(int(task.joinpath('schedstat').read_text().split()[0])
               for task in pathlib.Path(f'/proc/{process}/task').iterdir()) / 1e9


def resident_mb(process: int) -> float:
    lines = pathlib.Path(f'/proc/{process}/smaps_rollup').read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith('Rss:')) / 1024
