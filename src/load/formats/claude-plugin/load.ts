import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Diagnostic, Location } from "../../../domain/diagnostic.ts";
import type { Json, JsonObject } from "../../../domain/json.ts";
import { type EvalFile, NO_SETTINGS, plainCase } from "../../../domain/suite.ts";
import { INVALID } from "../../../lib/shape/shape.ts";
import { caseId } from "../../case-id.ts";
import { readDocument } from "../../document.ts";
import { splitFrontmatter } from "../../frontmatter.ts";
import type { LoadContext, SourceDocument } from "../../format.ts";
import { readContext } from "../../read-context.ts";
import { leftovers, unmappedIn } from "../../unmapped.ts";
import { CASE_FILE, type CaseFile, PROMPT_FILE, type PromptFile } from "./case-shape.ts";
import { readGraders } from "./grader-files.ts";
import { graderCheck } from "./graders.ts";
import { stagedContext } from "./staged-context.ts";
import { tellUnmapped } from "./unmapped.ts";

/** The two files of a case, of which either may be missing. */
export interface Halves {
  readonly prompt: { readonly document: SourceDocument; readonly said: PromptFile } | null;
  readonly file: { readonly document: SourceDocument; readonly said: CaseFile } | null;
}

/** A case's folder, whichever of its two files was named. */
export async function loadCase(document: SourceDocument, context: LoadContext): Promise<EvalFile | null> {
  let refused = false;
  const report = (diagnostic: Diagnostic): void => {
    if (diagnostic.severity === "error") refused = true;
    context.report(diagnostic);
  };
  const folder = dirname(document.path);
  const halves = await readHalves(document, report);
  if (halves === null) return null;
  const refuse = (at: Location, code: string, message: string, hint: string | null): void =>
    report({ severity: "error", code: `claude-plugin/${code}`, message, at, hint });
  const start = document.at(document.root.start);
  const prompt = promptOf(halves);
  if (prompt === "")
    refuse(start, "no-prompt", "the case has no prompt", "write it below the frontmatter of prompt.md");
  const graders = await readGraders(folder, halves, report);
  const unmapped = unmappedIn("claude-plugin", context);
  const left: Record<string, Json> = {};
  const checks = graders.flatMap((grader) => graderCheck(grader, { unmapped, left, refuse }) ?? []);
  if (graders.length === 0 && !refused)
    refuse(start, "no-grader", "the case has no grader", "add a file to graders/ beside it");
  const staged = await stagedContext(folder, halves, { unmapped, refuse });
  if (refused) return null;
  tellUnmapped(halves, { unmapped, mocks: mockFolders(folder, context), start });
  unmapped.end();
  const about = { ...halves.file?.said, ...present(halves.prompt?.said ?? {}) };
  const execution = { ...halves.file?.said.execution, ...present(halves.prompt?.said ?? {}) };
  const { name = null, description = null, runs = null, expected_outcome: outcome = null } = about;
  const id = caseId(folder, context.evalsDirectory ?? null);
  return {
    path: document.path,
    format: "claude-plugin",
    dialect: basename(document.path).toLowerCase() === "prompt.md" ? "prompt" : "case",
    skillName: null,
    description: filled(description),
    cases: [
      {
        ...plainCase({
          id,
          declaredId: name !== null && name !== id ? name : null,
          kind: "task",
          format: "claude-plugin",
          at: start,
          prompt: { kind: "turns", turns: [prompt] },
        }),
        name,
        expectedOutput: filled(outcome),
        setup: staged.setup,
        files: staged.files,
        checks,
        settings: {
          ...NO_SETTINGS,
          timeoutSeconds: execution.timeout_seconds ?? null,
          variance: runs === null ? null : { runs, minStability: null },
        },
        extras: { ...leftFields(halves), ...left },
      },
    ],
    extras: {},
  };
}

async function readHalves(
  document: SourceDocument,
  report: (diagnostic: Diagnostic) => void,
): Promise<Halves | null> {
  const isPrompt = basename(document.path).toLowerCase() === "prompt.md";
  const folder = dirname(document.path);
  const others = isPrompt ? ["case.yaml", "case.yml"] : ["prompt.md"];
  const beside = others.map((name) => join(folder, name)).find((path) => existsSync(path));
  const other = beside === undefined ? undefined : await readDocument(beside, report);
  if (other === null) return null;
  const promptDocument = isPrompt ? document : other;
  const fileDocument = isPrompt ? other : document;
  const prompt =
    promptDocument &&
    PROMPT_FILE.read(promptDocument.root, readContext("claude-plugin", promptDocument, { report }));
  const file =
    fileDocument && CASE_FILE.read(fileDocument.root, readContext("claude-plugin", fileDocument, { report }));
  if (prompt === INVALID || file === INVALID) return null;
  return {
    prompt: promptDocument && prompt ? { document: promptDocument, said: prompt } : null,
    file: fileDocument && file ? { document: fileDocument, said: file } : null,
  };
}

/** The body below the frontmatter, as it was written. */
function promptOf({ prompt, file }: Halves): string {
  if (prompt === null) return file?.said.execution?.prompt?.trim() ?? "";
  const { text } = prompt.document;
  return text.slice(splitFrontmatter(text).bodyStart).trim();
}

/** What of `prompt.md` is said, and so holds against `case.yaml`. */
function present<T extends object>(said: T): Partial<T> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)) as Partial<T>;
}

function leftFields({ prompt, file }: Halves): JsonObject {
  const own = prompt?.said;
  const execution = file?.said.execution;
  return leftovers({
    ...file?.said.extras,
    tags: (own?.tags ?? file?.said.tags)?.value,
    plugins: (own?.plugins ?? file?.said.plugins)?.value,
    model: (own?.model ?? execution?.model)?.value,
    max_turns: (own?.max_turns ?? execution?.max_turns)?.value,
    allowed_tools: (own?.allowed_tools ?? execution?.allowed_tools)?.value,
    append_system_prompt: (own?.append_system_prompt ?? execution?.append_system_prompt)?.value,
    env: (own?.env ?? execution?.env)?.value,
    history_file: file?.said.context?.history_file?.value,
  });
}

function mockFolders(folder: string, { evalsDirectory = null }: LoadContext): readonly string[] {
  const folders = [folder, ...(evalsDirectory === null ? [] : [evalsDirectory])].map((one) =>
    join(one, "mocks"),
  );
  return [...new Set(folders)].filter((one) => existsSync(one));
}

function filled(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text.trim();
}
