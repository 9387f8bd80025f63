import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { SecretMask } from "../../lib/secret-mask.ts";
import type { IterationFolder } from "../layout.ts";

/** benchmark.json and benchmark.md, which skill-creator's viewer and people read. Both can be made again from the journal. */
export async function writeBenchmark(
  folder: IterationFolder,
  { file, text }: { readonly file: object; readonly text: string },
  mask: SecretMask,
): Promise<void> {
  const options = { durable: false };
  await writeFileAtomic(folder.benchmark, `${JSON.stringify(mask.json(file), null, 2)}\n`, options);
  await writeFileAtomic(folder.benchmarkText, mask.text(text), options);
}
