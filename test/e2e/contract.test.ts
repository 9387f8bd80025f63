import { describe } from "vitest";
import { harnessContract } from "../../src/run/harness.contract.ts";
import { simWorld } from "../support/sim-world.ts";
import { claude, codexClient, laterClaude } from "./support/clients.ts";

const clients = [await claude(), await laterClaude(), await codexClient()];

describe.each(clients)("$harness.name $version", ({ harness, version, installed }) => {
  describe.skipIf(!installed)("against the scripted model", () => {
    harnessContract(`${harness.name} ${version}`, {
      make: (turns) => simWorld(harness, turns),
      startMs: 4000,
      // With its default model Codex runs its tools from a program that the model writes; the script writes none.
      ...(harness.name === "codex" && { model: "gpt-5.5" }),
    });
  });
});
