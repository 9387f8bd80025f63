import { readFile } from "node:fs/promises";
import { failed, measure, passed, toVerdict } from "assay/toolbox";

/** Decides criteria such as "report.md says Rows: 0" by looking, so that no judge is asked. */
export const says = {
  name: "says",
  help: "FILE says TEXT, by code",
  create: () => ({ name: "says", needs: "code", decides: (check) => wanted(check) !== null, grade }),
};
const wanted = ({ kind, text }) => (kind === "criterion" ? /^(\S+\.md) says (\w+: \d+)$/.exec(text) : null);
const grade = async (checks, subject) => ({
  verdicts: await Promise.all(checks.map(async (check) => toVerdict(check, subject, await decide(check, subject)))),
});
async function decide(check, { files }) {
  const [, path, text] = wanted(check);
  const stored = files.find((file) => file.path === path)?.stored;
  const holds = stored ? (await readFile(stored, "utf8")).split("\n").includes(text) : false;
  return (holds ? passed : failed)(holds ? "it is a line of the file" : "no such line", [measure(`${path}: ${text}`)]);
}
