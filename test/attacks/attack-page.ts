import type { Attack } from "./attack.ts";

/** How one sandbox fares. */
export interface Column {
  readonly name: string;
  readonly became: (attack: Attack) => string;
}

/** The page that tells what every hostile skill tried and what came of it. */
export function attackPage(attacks: readonly Attack[], columns: readonly Column[]): string {
  const rows = attacks.map((attack) => {
    const { name, tries, stoppedBy, reported } = attack;
    return [name, tries, ...columns.map(({ became }) => became(attack)), stoppedBy, `\`${reported}\``];
  });
  const heads = ["hostile skill", "tries to", ...columns.map(headOf), "stopped by", "how you hear of it"];
  const table = [heads, heads.map(() => "---"), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
  );
  return `${HEAD}\n${table.join("\n")}\n`;
}

/** A column as the page has it, for a sandbox that this machine or this Node cannot try. */
export function recordedColumn(page: string, name: string): Column {
  const [heads = [], ...rows] = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));
  const place = heads.indexOf(headOf({ name }));
  const cells = new Map(rows.map((row) => [row[0], row[place]]));
  return { name, became: (attack) => cells.get(attack.name) ?? "not measured" };
}

function headOf({ name }: Pick<Column, "name">): string {
  return `\`${name}\``;
}

const HEAD = `# What do hostile skills get?

\`test/attacks\` plays each of these as a skill whose script an agent runs, and writes this table (\`UPDATE_GOLDEN=1\`). "Stopped" means that the script did not get what
it wanted; what it left in its own workspace and home is gone, or is an output like any other. The last column is part of a line that \`assay show\` or, where it is a
code, \`assay check\` prints. Reporting goes by commands, by the scripts of the skill that they name, by what programs complain about and by what is left: a script can hide
what it tries, but not get more by it.

The columns \`bwrap\` and \`sandbox-runtime\` are with \`--network none\`; with \`--network host\` the services of the machine, other hosts and name servers are reached. The column \`sandbox-runtime\` is
measured as root with Node 22, which its package needs, by CI's "second sandbox"; with Node 20 the table keeps it as recorded. "Untold" means that it does not say what the last column
says. It lets root change the kernel's settings. \`sandbox-runtime\` and \`none\` are tried with a system that may be spoiled, so that "succeeds" means the user's files, not this
machine's. Other hosts and name servers are not tried with \`none\`, which leaves the network as open as it is. All limits are small (\`--limits\`), so that what takes too much takes little.
`;
