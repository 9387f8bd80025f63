import type { Source } from "../../domain/checks/source.ts";
import { type Reached, reachUrl } from "../../lib/net/reach-url.ts";
import { type SafeRegex, safeRegex } from "../../lib/safe-regex/safe-regex.ts";
import type { Grader } from "../grader.ts";
import { filesGrader } from "./files/files.ts";
import { commandsGrader } from "./commands.ts";
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

export interface NamedGrader {
  readonly name: string;
  /** One line for help and docs. */
  readonly help: string;
  readonly create: (parts: Required<GraderParts>) => Grader;
}

/** Models decide on the others, and graders of the user's own. */
type CodeSource = Exclude<Source, "sections" | "everything" | "plugin">;

const BY_SOURCE: Readonly<Record<CodeSource, NamedGrader>> = {
  usage: { name: "limits", help: "what the run used: time, tokens, cost", create: () => limitsGrader() },
  activations: { name: "trigger", help: "whether the skill fired", create: () => triggerGrader() },
  output: { name: "text", help: "the output's text", create: textGrader },
  transcript: { name: "transcript", help: "the tools the agent called", create: transcriptGrader },
  files: { name: "files", help: "the files of the workspace after the run", create: filesGrader },
  commands: { name: "commands", help: "how commands ended in the workspace", create: () => commandsGrader() },
  urls: { name: "urls", help: "whether the output's URLs can be reached", create: urlsReachableGrader },
};

/** Every grader that decides without a model. */
export const graders: readonly NamedGrader[] = Object.values(BY_SOURCE);

export function codeGraders({ regex = safeRegex(), network, reach = reachNow }: GraderParts): Grader[] {
  return graders.map(({ create }) => create({ regex, network, reach }));
}

function reachNow(url: string, signal: AbortSignal): Promise<Reached> {
  return reachUrl(url, { signal });
}
