import type { ProgramName } from "../../../domain/grading-provider.ts";
import type { Said } from "../../asking/ask-twice.ts";
import type { QuestionPart } from "../../judge.ts";

/** How one agent's command line is made to answer a question and do nothing else. */
export interface CliClient {
  readonly name: ProgramName;
  readonly takesImages: boolean;
  prepare(prompt: CliPrompt, options: CliSettings): Prepared;
  /** What its standard output says; null when there is no answer in it. */
  read(stdout: string): Said | null;
}

export interface CliPrompt {
  readonly system: string;
  readonly parts: readonly QuestionPart[];
}

export interface CliSettings {
  readonly model: string;
  /** Where the model service is; null: where the client itself goes. */
  readonly endpoint: CliEndpoint | null;
}

interface CliEndpoint {
  readonly baseUrl: string;
  readonly token: string;
  /** Behind it is the client's login, and no key: the client is to speak as one that is logged in. */
  readonly loggedIn?: boolean;
}

export interface Prepared {
  readonly args: readonly string[];
  /** Added to the environment that the judge was given. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
}

export function textOf(parts: readonly QuestionPart[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
}
