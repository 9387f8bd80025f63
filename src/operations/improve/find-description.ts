import { mkdir } from "node:fs/promises";
import { isCanary } from "../../domain/canary.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Suite } from "../../domain/suite.ts";
import { UserError } from "../../domain/user-error.ts";
import { isImproved } from "../../improve/description/fresh.ts";
import { loopFile } from "../../improve/description/loop-file.ts";
import { optimiseDescription, type Optimised, type Progress } from "../../improve/description/optimise.ts";
import type { ImproveEvent } from "../../improve/event.ts";
import { skillDigest } from "../../iteration/digests.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { Machine } from "../../machine.ts";
import { splitQueries, type Split } from "../../triggers/split.ts";
import { adopt, type Adoption, ensureCommitted } from "./adopt.ts";
import { type SkillChange, changeOf } from "./change.ts";
import { type DescriptionFound, summedUp } from "./description-found.ts";
import { proposerOf } from "./judge.ts";
import { probe } from "./probe.ts";
import { rememberedDescriptions } from "./remembered.ts";
import { versionRunner } from "./run-version.ts";
import { withDescription } from "./skill-text.ts";
import type { MeteredCall } from "./spending.ts";

interface Wishes {
  /** Descriptions to try, the original included. */
  readonly rounds: number;
  readonly apply: boolean;
  /** False: ask again what was answered before. */
  readonly cache: boolean;
}

/** The loop on an opened skill. */
export async function findDescription(
  call: MeteredCall,
  { wishes, listen }: { wishes: Wishes; listen: (event: ImproveEvent) => void },
  signal: AbortSignal,
): Promise<DescriptionFound> {
  const { place, request, models } = call;
  const { skill, skillText, folder } = place;
  const { machine, options, mask } = request;
  if (wishes.apply) await ensureCommitted(skill.file, machine);
  const original = skill.description;
  if (original === null) {
    throw new UserError("improve/no-description", `${skill.file} has no description to improve`, {
      hint: "write a first one into the frontmatter",
    });
  }
  const split = splitOf(place.suite, options.seed);
  const judge = proposerOf(models.find);
  listen({ kind: "asking", judge: judge.name, model: judge.model, wanted: "descriptions" });
  const runner = await versionRunner(call, [...split.train, ...split.validation, ...split.test], signal);
  const { rounds } = wishes;
  const about = {
    harness: runner.harness,
    model: runner.model,
    runs: options.runs,
    skill: await skillDigest(skill),
  };
  const path = folder.description;
  const fileOf = (progress: Progress): JsonObject =>
    mask.json({ ...loopFile(progress, { split, rounds, seed: options.seed }), about });
  const optimised = await optimiseDescription(
    {
      skillName: skill.name,
      skillText: mask.text(skillText),
      original,
      split,
      rounds,
      remembered: await rememberedDescriptions(path, { split, original, about, asksAnew: !wishes.cache }),
    },
    {
      judge,
      async probe(description, part) {
        listen({ kind: "probing", description, part });
        return probe(description, part, { call, runner, split }, signal);
      },
      async keep(now) {
        await mkdir(folder.root, { recursive: true });
        await writeFileAtomic(path, `${JSON.stringify(fileOf(now), null, 2)}\n`);
      },
    },
    signal,
  );
  const { best } = optimised;
  const change = await changeOf(
    place,
    best === null ? skillText : withDescription(skill, skillText, best.description),
  );
  const adoption = await adoptionOf(optimised, change, { apply: wishes.apply, machine });
  const spending = call.spent();
  return { ...summedUp(optimised, rounds), file: fileOf(optimised), change, adoption, spending };
}

/** Half of what is not for learning chooses, the other half is looked at once. */
const SHARES = { validation: 0.3, test: 0.3 };

function splitOf({ name, cases }: Suite, seed: number): Split {
  const queries = cases.filter((one) => one.kind === "trigger" && !isCanary(one));
  const split = splitQueries(queries, { seed, shares: SHARES });
  if (split.train.length > 0 && split.validation.length > 0 && split.test.length > 0) return split;
  throw new UserError(
    "improve/few-queries",
    `${name} has ${queries.length} trigger queries, too few to learn from some, choose by others and report on the rest`,
    {
      hint: "write at least 3 that should fire and 3 near misses that should not; 20 or more give a useful answer",
    },
  );
}

async function adoptionOf(
  { fresh }: Optimised,
  change: SkillChange,
  { apply, machine }: { apply: boolean; machine: Machine },
): Promise<Adoption> {
  if (!apply) return { status: "not-asked" };
  if (change.after === change.before) return { status: "nothing-new" };
  if (fresh === null) return { status: "withheld", why: "unfinished" };
  return isImproved(fresh) ? adopt(change, machine) : { status: "withheld", why: "unconfirmed" };
}
