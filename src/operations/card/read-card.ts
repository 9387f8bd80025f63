import { readFile, stat } from "node:fs/promises";
import type { Card } from "../../domain/card.ts";
import type { JsonObject } from "../../domain/json.ts";
import { UserError } from "../../domain/user-error.ts";
import { readPlain } from "../../lib/shape/read-plain.ts";
import { shownPath } from "../../lib/shown-path.ts";
import { cardShape } from "../../report/card/card-shape.ts";
import type { Machine } from "../../machine.ts";

export interface ReadCard {
  readonly card: Card;
  /** As the file has it, with keys that no card has. */
  readonly raw: JsonObject;
}

const MOST_BYTES = 1_000_000;

/** Throws a UserError that says everything that is wrong with the file. */
export async function readCard(path: string, { cwd }: Pick<Machine, "cwd">): Promise<ReadCard> {
  const shown = shownPath(path, cwd);
  const bad = (message: string) =>
    new UserError("card/malformed", `${shown} is not an evidence card: ${message}`, {
      hint: "assay card writes one; pass the .json file, not the .svg",
    });
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );
  if (size === null)
    throw new UserError("card/not-found", `there is no card at ${shown}`, { hint: "assay card writes one" });
  if (size > MOST_BYTES) throw bad(`it has ${size} bytes, and a card at most ${MOST_BYTES}`);
  let raw: unknown;
  try {
    raw = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw bad((error as Error).message);
  }
  const read = readPlain(raw, cardShape, "the card");
  if (!read.ok) throw bad(read.problems.map(({ message }) => message).join("; "));
  return { card: read.value, raw: raw as JsonObject };
}
