import type { Check } from "../domain/check.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Case, Reference } from "../domain/suite.ts";
import { assayOrigin, spellCheck } from "./assay-check.ts";
import { ASSAY_KEY } from "./assay-key.ts";
import { wordFor } from "./assay-words.ts";

export interface WrittenAssayKey {
  /** Null when there is nothing to say. */
  readonly key: JsonObject | null;
  /** Checks that neither the host format nor the key has words for, one sentence each. */
  readonly losses: readonly string[];
}

/**
 * The key that restores a case's part which the host format cannot express. `hosts` tells the checks that the
 * format itself writes, under ids that stay as they are; `fileKey` is the key at the top of the file being written.
 */
export function writeAssayKey(
  evalCase: Case,
  options: { readonly hosts: (check: Check) => boolean; readonly fileKey?: JsonObject | null },
): WrittenAssayKey {
  const fileKey = options.fileKey ?? null;
  const hosted = new Set(
    evalCase.checks.filter((check) => assayOrigin(check) === null && options.hosts(check)),
  );
  const others = evalCase.checks.filter(
    (check) => !hosted.has(check) && !(fileKey !== null && assayOrigin(check)?.owner === "file"),
  );
  const spelled = others.map((check) => ({ check, entry: spellCheck(check) }));
  const entries = spelled.flatMap(({ entry }) => (entry === null ? [] : [entry]));
  const withOnly = evalCase.checks
    .filter((check) => (hosted.has(check) ? check.appliesTo === "with-skill" : isMarkedApart(check)))
    .map((check) => check.id);
  const servers = ownServers(evalCase.mcpServers, fileKey);
  const key: JsonObject = {
    ...(evalCase.extras[ASSAY_KEY] as JsonObject | undefined),
    ...(entries.length > 0 ? { checks: entries } : {}),
    ...(withOnly.length > 0 ? { with_only: withOnly } : {}),
    ...(evalCase.reference === null ? {} : { reference: spellReference(evalCase.reference) }),
    ...(servers === null ? {} : { mcp_servers: servers }),
    ...routingWords(evalCase),
  };
  return {
    key: Object.keys(key).length > 0 ? key : null,
    losses: spelled.flatMap(({ check, entry }) =>
      entry === null && check.kind !== "fires"
        ? [`the check ${JSON.stringify(check.text)} (${check.kind})`]
        : [],
    ),
  };
}

/** Declared under an `assay` key, and with-skill only because `with_only` names it. */
function isMarkedApart(check: Check): boolean {
  const declared = assayOrigin(check)?.entry["applies_to"];
  return (
    assayOrigin(check) !== null &&
    check.appliesTo === "with-skill" &&
    declared !== "with-skill" &&
    !(declared === undefined && wordFor(check.kind)?.entry.appliesTo === "with-skill")
  );
}

function ownServers(servers: JsonObject | null, fileKey: JsonObject | null): JsonObject | null {
  if (servers === null) return null;
  const shared = (fileKey?.["mcp_servers"] ?? {}) as JsonObject;
  const own = Object.entries(servers).filter(
    ([name, server]) => JSON.stringify(shared[name]) !== JSON.stringify(server),
  );
  return own.length > 0 ? Object.fromEntries(own) : null;
}

function spellReference(reference: Reference): JsonObject {
  return {
    ...(reference.output === null ? {} : { output: reference.output }),
    ...(Object.keys(reference.files).length > 0 ? { files: reference.files } : {}),
  };
}

function routingWords(evalCase: Case): JsonObject {
  const check = evalCase.checks.find((candidate) => candidate.kind === "fires");
  if (check?.kind !== "fires") return {};
  return {
    ...(check.skill === null ? {} : { skill: check.skill }),
    ...(check.forbidden.length > 0 ? { forbidden: check.forbidden } : {}),
  };
}
