import type { Source } from "../../domain/checks/source.ts";
import { type Reached, reachUrl } from "../../lib/net/reach-url.ts";
import { type SafeRegex, safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import type { Grader } from "../grader.ts";
import { filesGrader } from "./files/files.ts";
import { limitsGrader } from "./limits.ts";
import { textGrader } from "./text/text.ts";
import { transcriptGrader } from "./transcript/transcript.ts";
import { triggerGrader } from "./trigger.ts";
import { urlsReachableGrader } from "./urls-reachable.ts";

export interface GraderParts {
  /** Tries patterns; one for all graders. A thread of its own where none is given. */
  readonly regex?: SafeRegex;
  /** Whether URLs of the output may be asked for; off in a replay and offline. */
  readonly network: "allowed" | "off";
  readonly reach?: (url: string, signal: AbortSignal) => Promise<Reached>;
}

/** Everything that is decided without a model. */
export function codeGraders({ regex = safeRegex(), network, reach }: GraderParts): readonly Grader[] {
  const graders: Readonly<Record<CodeSource, Grader>> = {
    usage: limitsGrader(),
    activations: triggerGrader(),
    output: textGrader({ regex }),
    transcript: transcriptGrader({ regex }),
    files: filesGrader({ regex }),
    urls: urlsReachableGrader({ network, reach: reach ?? ((url, signal) => reachUrl(url, { signal })) }),
  };
  return Object.values(graders);
}

/** Models decide on the others, and graders of the user's own. */
type CodeSource = Exclude<Source, "sections" | "everything" | "plugin">;
