import { spawnSync } from "node:child_process";
import type { PatternPair } from "./generate.ts";

/** What Python's `re` says of a pair: the matches of `finditer` as texts, and whether the whole text matches. */
export type PythonAnswer =
  | { readonly error: string }
  | { readonly found: readonly string[]; readonly full: boolean };

/** Null where there is no python3. */
export function askPython(pairs: readonly PatternPair[]): readonly PythonAnswer[] | null {
  const { status, stdout } = spawnSync("python3", ["-W", "ignore", "-c", SCRIPT], {
    input: JSON.stringify(pairs),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return status === 0 ? (JSON.parse(stdout) as PythonAnswer[]) : null;
}

const SCRIPT = `
import json, re, sys
answers = []
for pair in json.loads(sys.stdin.read()):
    try:
        compiled = re.compile(pair["pattern"])
    except (re.error, OverflowError, RecursionError) as error:
        answers.append({"error": str(error)})
        continue
    found = [match.group(0) for match in compiled.finditer(pair["text"])]
    answers.append({"found": found, "full": compiled.fullmatch(pair["text"]) is not None})
print(json.dumps(answers))
`;
