import { describe, expect, it, onTestFinished } from "vitest";
import { listing } from "../../src/operations/listing.ts";
import type { WireName } from "../../src/wires/index.ts";
import { listingLines } from "../../src/wires/skill-listing.ts";
import { machineIn } from "../support/machine.ts";
import { tempTree } from "../support/temp-tree.ts";
import { codexClient, laterClaude, type PinnedClient } from "./support/clients.ts";
import { playTrial, SKILL } from "./support/trial-kit.ts";

interface Setting {
  readonly client: PinnedClient;
  readonly wire: WireName;
  readonly folder: string;
  readonly model: string;
  readonly contextTokens: number;
  /** So many that the client has to cut hard. */
  readonly many: number;
}

const claude = { client: await laterClaude(), wire: "messages", folder: ".claude/skills" } as const;
const codex = { client: await codexClient(), wire: "responses", folder: ".agents/skills" } as const;
const SETTINGS: readonly Setting[] = [
  { ...claude, model: "claude-sonnet-4-5", contextTokens: 200_000, many: 120 },
  { ...claude, model: "claude-opus-5-5", contextTokens: 1_000_000, many: 120 },
  { ...codex, model: "gpt-5.5", contextTokens: 272_000, many: 520 },
];

describe.each(SETTINGS.filter(({ client }) => client.installed))(
  "the list of skills that $client.harness.name sends with $model",
  (setting) => {
    // A few fit; of some, descriptions are cut; of very many, no description is left, or not even every name.
    it.each([3, 60, setting.many])(
      "is the one that assay listing predicts, with %s skills",
      { timeout: 120_000 },
      async (count) => {
        const sent = await sentList(setting, manySkills(count));
        expect(sent.ours.size).toBeGreaterThan(0);
        expect(await predicted(setting, manySkills(count), sent.reserved)).toEqual(sent.ours);
      },
    );
  },
);

it.skipIf(!codex.client.installed)(
  "Codex does not list a skill whose agents/openai.yaml forbids it",
  async () => {
    const skills = {
      ...manySkills(2),
      "skill-000/agents/openai.yaml": "policy:\n  allow_implicit_invocation: false\n",
    };
    const setting = { ...codex, model: "gpt-5.5", contextTokens: 272_000, many: 2 };
    const sent = await sentList(setting, skills);
    expect([...sent.ours.keys()]).toEqual(["skill-001"]);
    expect(await predicted(setting, skills, 0)).toEqual(sent.ours);
  },
);

function manySkills(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, at) => at);
  return Object.fromEntries(
    names.map((at) => {
      const name = `skill-${String(at).padStart(3, "0")}`;
      const words = "Use it when somebody asks for exactly that. ".repeat((at * 7) % 23);
      return [
        `${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: ${`Does thing number ${at}. ${words}`.trim()}\n---\nDo it.\n`,
      ];
    }),
  );
}

/** By name, the description that the client told the model; and what its own skills took. */
async function sentList({ client, wire, folder, model }: Setting, skills: Readonly<Record<string, string>>) {
  const project = Object.fromEntries(
    Object.entries(skills).map(([path, text]) => [`${folder}/${path}`, text]),
  );
  const { sim } = await playTrial({
    harness: client.harness,
    acts: [[{ say: "Hello" }]],
    project,
    options: { model },
    variant: "without_skill",
  });
  const lines = listingLines(wire, sim.requests[0]?.body).filter(({ name }) => name !== SKILL);
  const own = lines.filter(({ name }) => !name.startsWith("skill-"));
  return {
    reserved: own.reduce((sum, { text }) => sum + text.length + 1, 0),
    ours: new Map(
      lines
        .filter(({ name }) => name.startsWith("skill-"))
        .map(({ name, text }) => [
          name,
          text
            .slice(`- ${name}:`.length)
            .replace(/ ?\(file: [^)]*\)$/, "")
            .trim(),
        ]),
    ),
  };
}

async function predicted(
  { client, contextTokens }: Setting,
  skills: Readonly<Record<string, string>>,
  reserved: number,
) {
  const tree = await tempTree(skills);
  onTestFinished(() => tree[Symbol.asyncDispose]());
  const [found] = await listing(
    { clients: [client.harness.name], contextTokens, reserved },
    { machine: machineIn(tree.root) },
  );
  const listed = (found?.skills ?? []).filter(
    ({ status }) => status !== "omitted" && status !== "not offered",
  );
  return new Map(
    listed
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, description }) => [name, (description ?? "").trim()]),
  );
}
