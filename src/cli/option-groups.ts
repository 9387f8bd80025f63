/** Help by task, what people reach for first on top. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Most used:": ["harnesses", "models", "runs", "filter", "concurrency", "resume", "maxCostUsd", "yes"],
  "Choose what runs:": [
    "evals",
    "skill",
    "cases",
    "mode",
    "changed",
    "affected",
    "retryErrors",
    "lastFailed",
    "failFast",
    "shard",
    "projectRoot",
    "include",
    "workspace",
  ],
  "Compare with:": ["against", "inline", "aa", "reuse"],
  "Run more or less often:": ["smoke", "reliable", "regression", "adaptive", "seed"],
  "Decide pass or fail:": [
    "minPassRate",
    "minEffect",
    "maxDrop",
    "baselineIteration",
    "updateBaseline",
    "allowMissing",
    "strict",
  ],
  "Trigger queries:": ["triggerThreshold", "maxRuns", "probe", "rivals"],
  "The agent:": [
    "timeoutSeconds",
    "maxTurns",
    "permissionMode",
    "allowedTools",
    "mcp",
    "agentArgs",
    "syncTasks",
    "script",
    "command",
  ],
  "Safety:": ["sandbox", "network", "allowHosts", "limits", "trust", "urlChecks"],
  "Judges:": [
    "grade",
    "gradingProvider",
    "gradingModel",
    "transport",
    "prompts",
    "judges",
    "judgeRuns",
    "judgeContext",
    "cache",
  ],
  "Cost and replay:": ["maxTokens", "record", "replay", "replayStrict", "cassettes"],
};

const PLACES = new Map(
  Object.entries(GROUPS).flatMap(([heading, names], group) =>
    names.map((name, index) => [name, { heading, order: group * 100 + index }] as const),
  ),
);

/** What only one command has is why people came to it. */
const OWN = { heading: "What to do:", order: -1 };

/** The heading that an option has in a long help, and its place. */
export function placeOf(name: string): { readonly heading: string; readonly order: number } {
  return PLACES.get(name) ?? OWN;
}
