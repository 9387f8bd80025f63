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
  /** Null or absent: 1 for a pass, 0 for a failure. */
  readonly score?: number | null;
}

/** What it says beside its verdicts. */
export interface ScriptedRemarks {
  readonly claims: readonly Json[];
  /** Weak criteria by words in them, with the reason; null: something that none of them covers. */
  readonly weak: readonly { readonly criterion: string | null; readonly reason: string }[];
}

/**
 * The answer to Assay's question about numbered criteria, whatever their order. A criterion that the script does not
 * speak of fails on the absence of anything that supports it, as an honest judge would have it.
 */
export function judgeReply(
  verdicts: readonly ScriptedVerdict[],
  request: string,
  { claims, weak }: ScriptedRemarks = { claims: [], weak: [] },
): Json {
  const asked = [...request.slice(request.lastIndexOf("\nCriteria:\n")).matchAll(/^(\d+)\. (.+)$/gm)];
  return {
    verdicts: asked.map(([, index = "", text = ""]) => {
      const found = verdicts.find(({ criterion }) => text.toLowerCase().includes(criterion.toLowerCase()));
      return { index: Number(index), ...opinion(found, request) };
    }),
    claims,
    eval_feedback: {
      suggestions: weak.map((one) => ({ ...one, criterion: indexOf(one, asked) })),
      overall: "",
    },
  };
}

function indexOf(
  { criterion }: ScriptedRemarks["weak"][number],
  asked: readonly RegExpExecArray[],
): number | null {
  if (criterion === null) return null;
  const found = asked.find(([, , text = ""]) => text.toLowerCase().includes(criterion.toLowerCase()));
  return found === undefined ? null : Number(found[1]);
}

function opinion(found: ScriptedVerdict | undefined, request: string): { readonly [key: string]: Json } {
  const passed = found?.passed ?? false;
  return {
    evidence: [found === undefined ? ABSENCE : evidence(found, request)],
    reason: found?.reason ?? "Nothing in the evidence shows it.",
    passed,
    score: found?.score ?? (passed ? 1 : 0),
  };
}

const ABSENCE = { kind: "absence", text: "nothing of the kind", sources: ["transcript", "files"] };

function evidence({ quote, image, source }: ScriptedVerdict, request: string): Json {
  const sources = [named(source, request)];
  if (quote !== null) return { kind: "quote", text: quote, sources };
  if (image !== null) return { kind: "image", text: image, sources };
  return source === "part" ? { ...ABSENCE, sources } : ABSENCE;
}

/** Files are numbered in the evidence; a script names them by path. */
function named(source: string, request: string): string {
  const listed = request.matchAll(/^(file \d+) "([^"]+)"/gm);
  return [...listed].find(([, , path]) => path === source)?.[1] ?? source;
}
