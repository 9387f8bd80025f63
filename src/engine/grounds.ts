import { exposedKeysNote } from "./exposed-keys.ts";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Plan } from "../domain/plan.ts";
import type { Skill } from "../domain/skill.ts";
import { UserError } from "../domain/user-error.ts";
import type { Machine } from "../machine.ts";
import { createSandbox, findSandbox, type FoundSandbox } from "../run/choose-sandbox.ts";
import type { Sandbox } from "../run/sandbox.ts";
import { toolPaths } from "../run/tool-paths.ts";
import type { TrialParts } from "../run/trial.ts";
import { Bases, type BaseWish, type HeldBase } from "../run/workspace/bases.ts";
import { Discards } from "../run/workspace/discard.ts";
import { hiddenPaths } from "../run/workspace/hidden.ts";
import { chooseMethod, type StagingMethod, supportsReflink } from "../run/workspace/method.ts";
import { type OwnedFolder, sweepOwnedFolders } from "../run/workspace/owned-folder.ts";
import { SharedLayers } from "../run/workspace/shared-layers.ts";
import { openRunFolder } from "./run-folder.ts";
import type { Survey } from "./survey.ts";

/** What of a plan its ground is made from. */
export type GroundOf = Pick<Plan, "suite" | "harness" | "ground">;

/** The ground of one plan: made when the first trial needs it, removed when it is released. */
export interface HeldGround extends AsyncDisposable {
  /** Rejects with a UserError where agent or sandbox cannot be had. Sooner than `parts`, which also copies the project. */
  readonly usable: () => Promise<void>;
  readonly parts: () => Promise<TrialParts>;
}

export interface GroundsOptions {
  readonly machine: Machine;
  readonly survey: Survey;
  readonly slot: TrialParts["slot"];
}

/** What all grounds of a call share. */
interface Site {
  readonly root: OwnedFolder;
  /** What a killed runner left beside it is being removed. */
  readonly swept: Promise<unknown>;
  /** Tried while the first base is made. */
  readonly sandbox: Promise<FoundSandbox & { readonly method: StagingMethod }>;
  readonly bases: Bases;
  readonly discards: Discards;
}

/**
 * Prepares the workspaces of plans. One directory for all of them is opened, and the sandbox tried, when the first trial needs
 * it; what plans on one project have in common is copied once. Disposing of it removes everything.
 */
export class Grounds implements AsyncDisposable {
  readonly #options: GroundsOptions;
  readonly #plans: readonly GroundOf[];
  readonly #sites = new Map<string, Promise<Site>>();
  readonly #said = new Set<string>();
  readonly #tools: readonly string[];
  #serial = 0;

  constructor(plans: readonly GroundOf[], options: GroundsOptions) {
    this.#options = options;
    this.#plans = plans;
    this.#tools = toolPaths(options.machine.env["PATH"], options.machine.home);
  }

  hold(plan: GroundOf): HeldGround {
    const bases: HeldBase[] = [];
    let parts: Promise<TrialParts> | null = null;
    return {
      usable: async () => {
        const [found] = await Promise.all([
          this.#siteFor(plan.ground.sandbox).then(({ sandbox }) => sandbox),
          this.#options.survey.agent(plan.harness),
        ]);
        this.#sayAll(found.note);
      },
      parts: () => (parts ??= this.#prepare(plan, bases)),
      [Symbol.asyncDispose]: async () => {
        await parts?.catch(() => null);
        for (const base of bases) await base[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Where nothing was left to run, what a killed runner left is still to be removed.
    if (this.#sites.size === 0) await sweep([tmpdir()], this.#options.machine);
    for (const opened of this.#sites.values()) {
      const site = await opened.catch(() => null);
      await site?.discards.settled();
      await site?.swept;
      await site?.root[Symbol.asyncDispose]();
    }
  }

  async #prepare(plan: GroundOf, bases: HeldBase[]): Promise<TrialParts> {
    const { machine, survey, slot } = this.#options;
    const { sandbox: wanted, network, allowHosts, limits, projectRoot, include, probe } = plan.ground;
    if (projectRoot === null && include.length > 0) this.#say(NOTHING_TO_INCLUDE);
    const [site, agent] = await Promise.all([this.#siteFor(wanted), survey.agent(plan.harness)]);
    const hold = async (wish: BaseWish) => {
      const held = await site.bases.hold(wish);
      bases.push(held);
      return held.base;
    };
    const [base, found] = await Promise.all([hold(baseWish(plan)), site.sandbox]);
    const probeBase = probe.others.length === 0 ? base : await hold(probeWish(plan));
    this.#sayAll(found.note, ...base.notes);
    const hidden = [...baseWish(plan).hidden, ...(projectRoot === null ? [] : [projectRoot])];
    const sandbox = createSandbox(found.name, { hidden, home: machine.home, tools: this.#tools, limits });
    requireClosable(plan.ground, sandbox);
    if (!sandbox.hidesFiles) this.#sayAll(exposedKeysNote(machine.env));
    return {
      harness: agent.harness,
      client: agent.client,
      sandbox,
      network,
      allowHosts,
      limits,
      root: site.root.path,
      base,
      probe: { body: probe.body, rivals: probe.rivals, base: probeBase },
      method: found.method,
      layers: new SharedLayers(join(site.root.path, `layer-${this.#serial++}`)),
      hostEnv: machine.env,
      now: machine.now,
      slot,
      discard: site.discards.add,
    };
  }

  #siteFor(sandbox: string): Promise<Site> {
    const found = this.#sites.get(sandbox) ?? this.#openSite(sandbox);
    this.#sites.set(sandbox, found);
    return found;
  }

  #sayAll(...notes: readonly (string | null)[]): void {
    for (const note of notes) if (note !== null) this.#say(note);
  }

  async #openSite(wanted: string): Promise<Site> {
    const { machine, survey } = this.#options;
    const root = await openRunFolder();
    const bases = new Bases(root.path, { env: machine.env, list: survey.listProject });
    const plans = this.#plans.filter(({ ground }) => ground.sandbox === wanted);
    bases.expect(plans.flatMap((plan) => [baseWish(plan), probeWish(plan)]));
    const sandbox = trySandbox(wanted, root.path, survey);
    // Whoever waits for it hears of it; here it must only not be unheard.
    sandbox.catch(() => {});
    const swept = sweep([dirname(root.path), tmpdir()], machine);
    return { root, swept, sandbox, bases, discards: new Discards(join(root.path, "discarded")) };
  }

  /** What holds for several grounds is said once. */
  #say(note: string): void {
    if (this.#said.has(note)) return;
    this.#said.add(note);
    this.#options.machine.note(note);
  }
}

async function sweep(folders: readonly string[], { now }: Pick<Machine, "now">): Promise<void> {
  for (const folder of new Set(folders)) await sweepOwnedFolders(folder, now()).catch(() => {});
}

/** Throws a UserError where what is wanted of the network contradicts itself, or cannot be had in this sandbox. */
function requireClosable(
  { network, allowHosts }: GroundOf["ground"],
  { name, closesNetwork = false }: Sandbox,
): void {
  if (allowHosts.length > 0 && (network === "host" || network === "none"))
    throw new UserError(
      "run/contradiction",
      `--allow-host opens single hosts, and --network ${network} ${network === "host" ? "opens all of them" : "opens nothing"}`,
      { hint: "use only one of the two" },
    );
  const asking = allowHosts.length > 0 ? "--allow-host" : `--network ${network}`;
  const asksForNone = allowHosts.length === 0 && network === "none";
  if (closesNetwork === true || (closesNetwork === "wholly" && asksForNone)) return;
  if (allowHosts.length === 0 && network !== "gateway" && network !== "none") return;
  if (closesNetwork === "wholly")
    throw new UserError(
      "run/open-network",
      `the sandbox ${name} closes all of the network or nothing, and ${asking} asks for a way out`,
      { hint: "use --sandbox bwrap, or --network none or host" },
    );
  throw new UserError(
    "run/open-network",
    `the sandbox ${name} cannot close the network, and ${asking} asks for it`,
    { hint: "use --sandbox bwrap, or --network host" },
  );
}

async function trySandbox(
  wanted: string,
  folder: string,
  survey: Survey,
): Promise<FoundSandbox & { readonly method: StagingMethod }> {
  // Another folder may lie on a file system that mounts no overlays.
  const isUsual = dirname(folder) === (await realpath(tmpdir()));
  const found = await (isUsual ? survey.sandbox(wanted) : findSandbox(wanted, folder));
  const reflink = found.overlay ? false : await supportsReflink(folder);
  return { ...found, method: chooseMethod({ overlay: found.overlay, reflink }) };
}

function baseWish({ suite, ground }: GroundOf): BaseWish {
  const own: readonly Skill[] = suite.skill === null ? [] : [suite.skill];
  return {
    projectRoot: ground.projectRoot,
    skills: [...own, ...ground.versions],
    hidden: [...hiddenPaths(suite, ground.projectRoot), ...ground.hidden],
  };
}

/** The project without any skill of its own, so that only those staged can be taken up. */
function probeWish(plan: GroundOf): BaseWish {
  const wish = baseWish(plan);
  return { ...wish, skills: [...wish.skills, ...plan.ground.probe.others] };
}

const NOTHING_TO_INCLUDE =
  "--include copies files of a project, but no project was found around the skill; set it with --project-root";
