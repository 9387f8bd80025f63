"""Prints a JSON summary of a CSV file: rows, and per column missing values, total, min, max and mean."""
import csv
import json
import sys


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def summarise(path):
    with open(path, newline="", encoding="utf-8-sig") as handle:
        rows = list(csv.DictReader(handle))
    columns = list(rows[0]) if rows else []
    summary = {"rows": len(rows), "columns": {}}
    for column in columns:
        values = [(row[column] or "").strip() for row in rows]
        present = [value for value in values if value != ""]
        numbers = [number(value) for value in present]
        entry = {"missing": len(values) - len(present)}
        if present and all(value is not None for value in numbers):
            entry.update(total=sum(numbers), min=min(numbers), max=max(numbers), mean=sum(numbers) / len(numbers))
        summary["columns"][column] = entry
    return summary


if __name__ == "__main__":
    print(json.dumps(summarise(sys.argv[1]), indent=2))
