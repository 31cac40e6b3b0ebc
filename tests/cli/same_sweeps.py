#!/usr/bin/env python3
"""Whether two sweeps have the same products and tables: same_sweeps.py FOLDER FOLDER [products].

What the clock of a machine says, and the number in the history, may differ."""
import csv
import json
import os
import sys

CLOCKS = ("run", "wall [s]", "conversion [us]", "answered [s]")


def cells(folder):
    out = {}
    for name in sorted(os.listdir(folder + "/cells")):
        with open(f"{folder}/cells/{name}") as f:
            cell = json.load(f)
        assert cell["id"] + ".json" == name, name
        for key in ("seconds", "whole"):
            del cell[key]
        for key in ("id", "started", "machine"):
            del cell["record"][key]
        out[name] = cell
    return out


def rows(folder):
    with open(folder + "/table.csv", newline="") as f:
        return [{k: v for k, v in row.items() if k not in CLOCKS} for row in csv.DictReader(f)]


folders, only_products = sys.argv[1:3], sys.argv[3:] == ["products"]
a, b = (cells(folder) for folder in folders)
assert a and a.keys() == b.keys(), "not the same products"
for name in a:
    assert a[name] == b[name], f"{name}: {[k for k in a[name]['record'] if a[name]['record'][k] != b[name]['record'].get(k)]}"
if not only_products:
    rows_a, rows_b = (rows(folder) for folder in folders)
    assert rows_a and rows_a == rows_b, [(x, y) for x, y in zip(rows_a, rows_b) if x != y][:1]
print(len(a), "products, all the same")
