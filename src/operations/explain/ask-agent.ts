import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Run, Usage } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { storedSubject } from "../../iteration/stored-subject.ts";
import { slots } from "../../lib/slots.ts";
import { outcomeText } from "../../report/text.ts";
import type { Client, Harness } from "../../run/harness.ts";
import type { KeptSession } from "../../run/session.ts";
import type { FoundRun } from "../find-run.ts";
import { readSomeRunOptions } from "../grade/some-run-options.ts";
import { inTempFolder } from "../grade/temp-folder.ts";
import type { Models } from "../../engine/models/open-models.ts";
import { resultsFolder } from "../../engine/results-folder.ts";
import { prepareGround, projectRootOf } from "../../engine/ground.ts";
import { makeHarness } from "../../engine/harness.ts";
import type { Machine } from "../../machine.ts";
import { layOutWorkspace } from "./left-workspace.ts";
import { resumeSession } from "./resume-session.ts";

/** What an agent says about a run of its own: an account, no evidence. */
export interface AgentAccount {
  readonly client: Run["client"];
  readonly model: string | null;
  readonly sessionId: string;
  readonly account: string;
  readonly usage: Usage;
  readonly replay: Run["replay"];
}

/** Why there is no account; for a person. */
interface Unasked {
  readonly unasked: string;
}

export interface AgentAsk {
  readonly found: FoundRun;
  readonly one: Case;
  readonly failed: readonly Verdict[];
  readonly models: Pick<Models, "services" | "cassettes" | "mask">;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly machine: Machine;
}

/**
 * Resumes the session of a run in a workspace that is laid out as the run left it, under the same rules as a trial, and
 * asks why the checks failed. The agent may look and change nothing, and all of it is thrown away afterwards.
 */
export async function askAgent(ask: AgentAsk, signal: AbortSignal): Promise<AgentAccount | Unasked> {
  const session = await keptSession(ask.found);
  if ("unasked" in session) return session;
  try {
    const { harness, client } = await clientOf(ask);
    if (harness.sessionFile === undefined) return { unasked: `${harness.name} cannot resume a session` };
    const run = await inTempFolder((folder) => resume(ask, { session, harness, client, folder }, signal));
    signal.throwIfAborted();
    return run;
  } catch (error) {
    if (error instanceof UserError) return { unasked: error.message };
    throw error;
  }
}

async function keptSession({ folder, finished }: FoundRun): Promise<KeptSession | Unasked> {
  const { sessionId, sessionFile } = finished.run as Partial<Run>;
  if (!sessionId || !sessionFile) return { unasked: "no session of it was kept" };
  const file = join(folder.run(finished.folder).session, basename(sessionFile));
  if (!/^[A-Za-z0-9][\w-]*$/.test(sessionId) || !(await stat(file).catch(() => null))?.isFile())
    return { unasked: `its session is not in ${file}` };
  return { id: sessionId, file };
}

async function clientOf({ found, raw, machine }: AgentAsk): Promise<{ harness: Harness; client: Client }> {
  const { iteration } = found.state;
  const options = await readSomeRunOptions(raw, machine);
  const models = iteration?.model ? [iteration.model] : null;
  const harness = await makeHarness(iteration?.harness ?? "", { ...options, models }, machine);
  return { harness, client: await harness.find() };
}

interface Resumption {
  readonly session: KeptSession;
  readonly harness: Harness;
  readonly client: Client;
  /** For what is needed on the way. */
  readonly folder: string;
}

async function resume(
  ask: AgentAsk,
  resumption: Resumption,
  signal: AbortSignal,
): Promise<AgentAccount | Unasked> {
  const { found, one, raw, machine, models } = ask;
  const { harness, client, folder, session } = resumption;
  const { iteration } = found.state;
  const suite = { name: iteration?.suite ?? "", skill: null, files: [], cases: [] };
  const left = join(folder, "workspace");
  await mkdir(left);
  const subject = await storedSubject(found.finished, one, found.folder.run(found.finished.folder), null);
  await layOutWorkspace(left, found, { files: subject.files, skillsFolder: harness.skillsFolder });
  const projectRoot = projectRootOf(suite, machine);
  await using ground = await prepareGround(suite, {
    harness,
    client,
    sandboxName: textOr(raw["sandbox"], "auto"),
    hidden: [
      resultsFolder(raw, machine),
      found.folder.root,
      ...(models.cassettes === null ? [] : [models.cassettes.folder]),
      ...(projectRoot === null ? [] : [projectRoot]),
    ],
    machine,
    probe: { rivals: [], body: "intact", others: [] },
    versions: [],
    projectRoot: null,
    slot: slots(1),
  });
  for (const note of [...ground.notes, ...otherVersion(found.finished.run, client)]) machine.note(note);
  for (let attempt = 1; ; attempt++) {
    const { run, said, again } = await resumeSession(
      ask,
      { session, folder, left, parts: ground.parts },
      signal,
    );
    if (again && attempt === 1 && !signal.aborted) continue;
    const account = models.mask.text(said.trim());
    if (run.outcome.status !== "completed")
      return { unasked: `its session could not be resumed: ${outcomeText(run.outcome)}` };
    if (account === "") return { unasked: "it was asked and said nothing" };
    const { client: by, model, usage, replay } = run;
    return { client: by, model, sessionId: session.id, account, usage, replay };
  }
}

function otherVersion(run: Run, client: Client): readonly string[] {
  const { version } = run.client;
  return version === null || client.version === null || version === client.version
    ? []
    : [`the session is of ${client.name} ${version}, and ${client.version} resumes it`];
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
