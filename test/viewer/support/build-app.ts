import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import config from "../../../rolldown.config.ts";
import type { BuiltApp } from "./app-page.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

/** The app as it is published, from the sources of this moment; nothing is written. */
export async function buildApp(): Promise<BuiltApp> {
  const viewer = [config].flat().find(({ input }) => typeof input === "object" && "app" in input);
  if (viewer === undefined) throw new Error("rolldown.config.ts does not build the viewer's app");
  const { output: options = {}, ...input } = viewer;
  const { output } = await build({
    ...input,
    cwd: PROJECT,
    output: [options].flat()[0] ?? {},
    write: false,
    logLevel: "warn",
  });
  let script = "";
  let style = "";
  for (const file of output) {
    if (file.type === "chunk") script = file.code;
    else style = String(file.source);
  }
  return { script, style };
}
