import { type Account, type Models, openModels } from "../../engine/models/open-models.ts";
import type { Machine } from "../../machine.ts";

export type Graders = Pick<Models, "grade" | "find" | "services" | "cassettes">;

/** Opens graders and the way to model services for as long as `use` takes. */
export async function withGrading<T>(
  raw: Readonly<Record<string, unknown>>,
  machine: Machine,
  use: (graders: Graders) => Promise<T>,
  account: Account | null = null,
): Promise<T> {
  await using models = await openModels(raw, machine, account);
  return await use(models);
}
