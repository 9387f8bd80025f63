import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../domain/json.ts";
import { parseJson } from "../lib/document/json.ts";
import type { AssayScope } from "./assay-key.ts";
import { writeAssayKey } from "./write-assay-key.ts";
import { wordNames } from "./assay-words.ts";
import { TASK, must, read, apply, hosts, ENTRIES } from "./fixtures/assay-key.ts";

describe("any input", () => {
  const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => parseJson(JSON.stringify(value)).ok);
  const scopes = fc.constantFrom<AssayScope>("file", "task", "trigger");
  const entry = fc.record(
    { type: fc.constantFrom(...wordNames()), needle: json, path: json, count: json, limit: json, at: json },
    { requiredKeys: ["type"] },
  );

  it("is read or refused with a reason, never thrown at", () => {
    const value = fc.oneof(
      json,
      fc.record({ checks: fc.array(entry), with_only: json }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(value, scopes, (value, scope) => {
        const { key, problems } = read(value as Json, scope);
        expect(key === null).toBe(problems.some((problem) => problem.severity === "error"));
      }),
    );
  });

  it("is restored by writing when it was read", () => {
    const keys = fc.record(
      {
        checks: fc.array(fc.constantFrom(...ENTRIES.map(([entry]) => entry))),
        reference: fc.record({ output: fc.string() }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(keys, (own) => {
        const applied = must(apply(TASK, { own }).applied);
        const written = writeAssayKey(applied, { hosts }).key;
        expect(apply(TASK, written === null ? {} : { own: written }).applied).toEqual(applied);
      }),
    );
  });
});
