import { mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Run, Usage } from "../../domain/run.ts";
import type { Case } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { type Engine, type EvaluationRequest, openEngine } from "../../engine/engine.ts";
import type { GroundOf } from "../../engine/grounds.ts";
import { allowedHosts } from "../../engine/allowed-hosts.ts";
import { limitsOf } from "../../engine/limits.ts";
import { storedSubject } from "../../iteration/stored-subject.ts";
import { inTempFolder } from "../../engine/run-folder.ts";
import { outcomeText } from "../../report/text.ts";
import type { KeptSession } from "../../run/session.ts";
import type { FoundRun } from "../find-run.ts";
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
  readonly request: EvaluationRequest;
}

/**
 * Resumes the session of a run in a workspace that is laid out as the run left it, as a trial like every other, and asks why
 * the checks failed. The agent may look and change nothing, and all of it is thrown away afterwards.
 */
export async function askAgent(ask: AgentAsk, signal: AbortSignal): Promise<AgentAccount | Unasked> {
  const session = await keptSession(ask.found);
  if ("unasked" in session) return session;
  try {
    const said = await inTempFolder((folder) => resume(ask, { session, folder }, signal));
    signal.throwIfAborted();
    return said;
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

interface Resumption {
  readonly session: KeptSession;
  /** For what is needed on the way. */
  readonly folder: string;
}

async function resume(
  ask: AgentAsk,
  { session, folder }: Resumption,
  signal: AbortSignal,
): Promise<AgentAccount | Unasked> {
  const { found, one } = ask;
  const { mask, machine } = ask.request;
  const engine = openEngine(withModel(ask), signal);
  const plan = groundOf(ask, engine);
  const { harness, client } = await engine.survey.agent(plan.harness);
  if (harness.sessionFile === undefined) return { unasked: `${harness.name} cannot resume a session` };
  const left = join(folder, "workspace");
  await mkdir(left);
  const subject = await storedSubject(found.finished, one, found.folder.run(found.finished.folder), null);
  await layOutWorkspace(left, found, { files: subject.files, skillsFolder: harness.skillsFolder });
  await using grounds = engine.grounds([plan]);
  await using ground = grounds.hold(plan);
  const parts = await ground.parts();
  const note = otherVersion(found.finished.run, client);
  if (note !== null) machine.note(note);
  for (let attempt = 1; ; attempt++) {
    const { run, said, again } = await resumeSession(ask, { session, folder, left, parts }, signal);
    if (again && attempt === 1 && !signal.aborted) continue;
    const account = mask.text(said.trim());
    if (run.outcome.status !== "completed")
      return { unasked: `its session could not be resumed: ${outcomeText(run.outcome)}` };
    if (account === "") return { unasked: "it was asked and said nothing" };
    const { client: by, model, usage, replay } = run;
    return { client: by, model, sessionId: session.id, account, usage, replay };
  }
}

/** The agent is asked on the model it was run with. */
function withModel({ found, request }: AgentAsk): EvaluationRequest {
  const model = found.state.iteration?.model ?? null;
  return { ...request, options: { ...request.options, models: model === null ? null : [model] } };
}

/** An empty workspace, from which neither the project nor any result can be seen. */
function groundOf({ found, request }: AgentAsk, { survey }: Engine): GroundOf {
  const { iteration } = found.state;
  const suite = { name: iteration?.suite ?? "", skill: null, files: [], cases: [] };
  const project = survey.projectRoot(suite);
  const { results, hidden = [], options } = request;
  return {
    suite,
    harness: iteration?.harness ?? "",
    ground: {
      sandbox: options.sandbox,
      network: options.network,
      allowHosts: allowedHosts(options.allowHosts),
      limits: limitsOf(options.limits),
      projectRoot: null,
      include: [],
      hidden: [results, found.folder.root, ...hidden, ...(project === null ? [] : [project])],
      older: null,
      versions: [],
      probe: { body: "intact", rivals: [], others: [] },
    },
  };
}

function otherVersion(run: Run, client: { name: string; version: string | null }): string | null {
  const { version } = run.client;
  return version === null || client.version === null || version === client.version
    ? null
    : `the session was recorded with ${client.name} ${version} and resumed with ${client.version}`;
}
