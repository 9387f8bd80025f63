import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { expect, it } from "vitest";
import config from "../../rolldown.config.ts";
import { makePdf } from "../support/make-pdf.ts";
import { tempTree } from "../support/temp-tree.ts";

const OFFICE_TEXT = fileURLToPath(new URL("../../src/lib/office-text/office-text.ts", import.meta.url));

it.each(["cli.cjs", "index.js"])(
  "reads a PDF from a build like %s, and says nothing besides",
  async (entry) => {
    await using tree = await tempTree({ "package.json": '{"type": "module"}' });
    await buildLike(entry, join(tree.root, "dist"));
    // The last line is wrong on purpose, which the library would like to warn about.
    const pdf = makePdf({ content: "BT /F1 12 Tf 72 700 Td (\\2235 \\200\\224) Tj ET\nnonsense 1 2 Tm" });
    await writeFile(join(tree.root, "a.pdf"), pdf);
    const url = pathToFileURL(join(tree.root, "dist", entry)).href;
    const script = `const { officeText } = await import(${JSON.stringify(url)});
      const { readFileSync } = await import("node:fs");
      process.stdout.write(JSON.stringify(await officeText(readFileSync("a.pdf"))));`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      cwd: tree.root,
    });
    expect({ stdout, stderr }).toEqual({
      stdout: JSON.stringify({ status: "text", text: "# Page 1\n“5 €”", cut: false }),
      stderr: "",
    });
  },
  60_000,
);

/** The part that reads documents, built as the command or the library is; and the thread, which both share. */
async function buildLike(entry: string, dir: string): Promise<void> {
  const name = entry.split(".")[0] ?? "";
  for (const { input, output, ...options } of [config].flat()) {
    const names = Object.keys(input ?? {});
    if (!names.includes(name) && !names.includes("pdf-thread")) continue;
    await build({
      ...options,
      input: names.includes(name) ? { [name]: OFFICE_TEXT } : (input ?? {}),
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      output: { ...[output ?? {}].flat()[0], dir },
      logLevel: "silent",
    });
  }
}
