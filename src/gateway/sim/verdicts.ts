import type { Json } from "../../domain/json.ts";

/** What the scripted judge thinks of the criteria whose words contain `criterion`. */
export interface ScriptedVerdict {
  readonly criterion: string;
  readonly passed: boolean;
  /** Copied from the evidence; null: the verdict rests on an absence, or on an image. */
  readonly quote: string | null;
  /** What can be seen in the image that `source` names; null: it rests on none. */
  readonly image: string | null;
  /** As the evidence names it: `output`, `event 12`, `file 3`, or a file by its path. */
  readonly source: string;
  readonly reason: string;
}

/**
 * The answer to Assay's question about numbered criteria, whatever their order. A criterion that the script does not
 * speak of fails on the absence of anything that supports it, as an honest judge would have it.
 */
export function judgeReply(verdicts: readonly ScriptedVerdict[], request: string): Json {
  const asked = request.slice(request.lastIndexOf("\nCriteria:\n")).matchAll(/^(\d+)\. (.+)$/gm);
  return {
    verdicts: [...asked].map(([, index = "", text = ""]) => {
      const found = verdicts.find(({ criterion }) => text.toLowerCase().includes(criterion.toLowerCase()));
      return { index: Number(index), ...opinion(found, request) };
    }),
    claims: [],
    eval_feedback: { suggestions: [], overall: "" },
  };
}

function opinion(found: ScriptedVerdict | undefined, request: string): { readonly [key: string]: Json } {
  const passed = found?.passed ?? false;
  return {
    evidence: [found === undefined ? ABSENCE : evidence(found, request)],
    reason: found?.reason ?? "Nothing in the evidence shows it.",
    passed,
    score: passed ? 1 : 0,
  };
}

const ABSENCE = { kind: "absence", text: "nothing of the kind", sources: ["transcript", "files"] };

function evidence({ quote, image, source }: ScriptedVerdict, request: string): Json {
  const sources = [named(source, request)];
  if (quote !== null) return { kind: "quote", text: quote, sources };
  return image === null ? ABSENCE : { kind: "image", text: image, sources };
}

/** Files are numbered in the evidence; a script names them by path. */
function named(source: string, request: string): string {
  const listed = request.matchAll(/^(file \d+) "([^"]+)"/gm);
  return [...listed].find(([, , path]) => path === source)?.[1] ?? source;
}
