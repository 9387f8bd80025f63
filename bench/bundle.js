import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/** Builds a part from source, so that nothing must be public for a benchmark's sake; answers with the file. */
export async function bundle(source) {
  const file = fileURLToPath(
    new URL(
      `../node_modules/.cache/assay-bench/${basename(source).replace(/\.ts$/, ".js")}`,
      import.meta.url,
    ),
  );
  await build({
    input: fileURLToPath(new URL(source, import.meta.url)),
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    transform: { target: "node20.19" },
    output: { file, format: "esm", codeSplitting: false },
    logLevel: "warn",
  });
  return file;
}
