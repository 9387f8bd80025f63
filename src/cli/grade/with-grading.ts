import { join } from "node:path";
import type { Grading } from "../../domain/grading.ts";
import type { Subject } from "../../grade/subject.ts";
import { secretMask } from "../../lib/secret-mask.ts";
import { cassettesOf } from "../models/cassettes.ts";
import { type JudgeFinder, judgeFinder } from "../models/judges.ts";
import { readModelOptions } from "../models/options.ts";
import { openServices, type Services } from "../models/services.ts";
import { resultsFolder } from "../results-folder.ts";
import { openGrading } from "../run/grade.ts";
import { secretsOf } from "../run/secrets.ts";
import type { Terminal } from "../terminal.ts";

export interface Graders {
  readonly grade: (subject: Subject, signal: AbortSignal) => Promise<Grading>;
  readonly find: JudgeFinder;
  readonly services: Services;
}

/** Opens graders and the way to model services for as long as `use` takes. */
export async function withGrading<T>(
  raw: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  use: (graders: Graders) => Promise<T>,
): Promise<T> {
  const models = readModelOptions(raw);
  const cassettes = cassettesOf(raw, { terminal, mask: secretMask(secretsOf(terminal.env)) });
  await using services = await openServices(models, terminal, { cassettes });
  const find = await judgeFinder({
    flags: models.grading,
    config: models.configuredGrading,
    services,
    terminal,
    cache: models.cache && cassettes === null ? join(resultsFolder(raw, terminal), "cache") : null,
  });
  await using grading = openGrading(find, models);
  return await use({ grade: grading.grade, find, services });
}
