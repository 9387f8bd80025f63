import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { systemProgram } from "../../src/run/process/namespace.ts";
import { assay } from "../support/command-line.ts";
import { greeterProject, journal, RUN } from "../support/project.ts";
import { tempTree, type TempTree } from "../support/temp-tree.ts";

const possible =
  spawnSync(systemProgram("bwrap") ?? "none", [
    "--ro-bind",
    "/",
    "/",
    "--unshare-user",
    "--unshare-pid",
    "true",
  ]).status === 0;
const ONE = ["--case", "1", "--sandbox", "bwrap"];

const SAYS = (words: string) => `#!/bin/sh\necho ${words}\n`;

/** A home with tools as pip, pipx, nvm, npm and pyenv install them, and with what is nobody else's business. */
async function home(): Promise<TempTree> {
  const tree = await tempTree({
    ".ssh/id_rsa": "PRIVATE\n",
    ".local/bin/plain": SAYS("plain works"),
    ".local/bin/piped": "->../share/pipx/venvs/piped/bin/piped",
    ".local/share/keyrings/login": "PRIVATE\n",
    ".local/share/pipx/venvs/piped/bin/python": "->/bin/sh",
    ".local/share/pipx/venvs/piped/lib/data": "piped works",
    ".nvm/versions/node/v9/bin/noded": "->../lib/node_modules/noded/cli.sh",
    ".nvm/versions/node/v9/lib/node_modules/noded/cli.sh":
      '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/data"\n',
    ".nvm/versions/node/v9/lib/node_modules/noded/data": "noded works\n",
    ".pyenv/versions/3/bin/tool": SAYS("shimmed works"),
    ".pyenv/shims/shimmed": "",
    inhome: SAYS("inhome works"),
    "secret.txt": "PRIVATE\n",
    "agent.sh": "",
    "agents/lib.txt": "named works",
  });
  const venv = tree.path(".local/share/pipx/venvs/piped");
  await writeFile(`${venv}/bin/piped`, `#!${venv}/bin/python\ncat ${venv}/lib/data; echo\n`);
  await writeFile(
    tree.path(".pyenv/shims/shimmed"),
    `#!/bin/sh\nexec ${tree.path(".pyenv/versions/3/bin/tool")}\n`,
  );
  await writeFile(
    tree.path("agent.sh"),
    `#!/bin/sh\ncat >/dev/null\ncat ${tree.path("agents/lib.txt")}; cd "$(dirname "$0")"; ls -A; cat secret.txt 2>&1\ncat ${tree.path(".ssh/id_rsa")} 2>&1\nexit 0\n`,
  );
  const programs = [".local/bin/plain", ".local/share/pipx/venvs/piped/bin/piped", "inhome", "agent.sh"];
  const more = [
    ".nvm/versions/node/v9/lib/node_modules/noded/cli.sh",
    ".pyenv/versions/3/bin/tool",
    ".pyenv/shims/shimmed",
  ];
  for (const path of [...programs, ...more]) await chmod(tree.path(path), 0o755);
  return tree;
}

async function transcript(project: TempTree): Promise<string> {
  return readFile(project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1/transcript.md"), "utf8");
}

describe.skipIf(!possible)("programs of the user", () => {
  const bash = "plain; piped; noded; shimmed; inhome";

  it("work in the sandbox wherever PATH has them, and nothing else of HOME is seen", async () => {
    await using user = await home();
    const look = `${bash}; find ${user.root} -name id_rsa -o -name login -o -name secret.txt`;
    await using project = await greeterProject([{ steps: [{ bash: look }, { text: "Hello Ada" }] }]);
    const own = [".local/bin", ".nvm/versions/node/v9/bin", ".pyenv/shims", "."].map((name) =>
      user.path(name),
    );
    const many = Array.from({ length: 500 }, (_, at) => `/nonexistent/${at}`);
    const path = [...own, ...many, "bin", "", "/", "/tmp", user.path("agent.sh"), process.env["PATH"]].join(
      ":",
    );
    const ran = await assay([...RUN, ...ONE], { cwd: project.root, env: { HOME: user.root, PATH: path } });
    expect(ran.err).not.toContain("bwrap:");
    const seen = await transcript(project);
    for (const name of ["plain", "piped", "noded", "shimmed"]) expect(seen).toContain(`${name} works`);
    expect(seen).not.toMatch(/id_rsa\n|login\n|secret\.txt\n/u);
    expect(seen).not.toContain("inhome works");
    const finished = (await journal(project.root)).find((event) => event.kind === "trial-finished");
    expect(finished?.run.notes.join("\n")).toMatch(
      /the command inhome was not found in the sandbox \(bwrap\), but this machine has it: \S+\/inhome/u,
    );
  });

  it("an agent program in HOME brings along what it names, and not HOME", async () => {
    await using user = await home();
    await using project = await greeterProject([]);
    const args = ["--harness", "command", "--command", user.path("agent.sh")];
    await assay(["run", "skills/greeter", ...args, ...ONE], { cwd: project.root, env: { HOME: user.root } });
    const said = await readFile(
      project.path(".assay/greeter/iteration-1/eval-1/with_skill/run-1/output.txt"),
      "utf8",
    );
    expect(said).toContain("named works");
    expect(said).not.toContain("PRIVATE");
    expect(said).not.toContain(".local");
  });
});
