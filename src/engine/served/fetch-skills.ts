import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { UserError } from "../../domain/user-error.ts";
import { type RpcTalk, RpcError } from "../../lib/json-rpc.ts";
import { parseSkill } from "../../load/skill.ts";
import { VERSION } from "../version.ts";
import { lies, readEntry, type ServedEntry, type ServedFile } from "./entry.ts";

/** A skill with every byte of it, as its server described it. */
export interface FetchedSkill {
  readonly entry: ServedEntry;
  readonly contents: ReadonlyMap<string, Buffer>;
}

const EXTENSION = "io.modelcontextprotocol/skills";
const MOST_PAGES = 50;
const MOST_SKILLS = 500;

/**
 * The skills that a server offers, or the one that is wanted by name or URI, whole and checked against their digests.
 * Throws a UserError where the server cannot serve any, or serves something else than it says.
 */
export async function fetchSkills(server: RpcTalk, wanted: string | null): Promise<readonly FetchedSkill[]> {
  await greet(server);
  const entries = await chosen(server, wanted);
  const fetched: FetchedSkill[] = [];
  for (const entry of entries) fetched.push(await fetchOne(server, entry));
  return fetched;
}

/** In the way of before 2026-07-28, which servers still speak, and in the new one where they do not. */
async function greet(server: RpcTalk): Promise<void> {
  const client = {
    clientInfo: { name: "assay", version: VERSION },
    capabilities: { extensions: { [EXTENSION]: {} } },
  };
  let said: unknown;
  try {
    said = await server.ask("initialize", { protocolVersion: "2025-11-25", ...client });
    server.tell("notifications/initialized");
  } catch (error) {
    if (!(error instanceof RpcError) || error.code === null) throw error;
    said = await server.ask("server/discover", META);
  }
  const declared = at(at(at(said, "capabilities"), "extensions"), EXTENSION);
  if (typeof declared === "object" && declared !== null) return;
  throw new UserError("served/no-skills", `the server does not declare the extension ${EXTENSION}`, {
    hint: "it serves tools or resources, but no skills by SEP-2640",
  });
}

/** What every request of the new protocol carries; the old one ignores it. */
const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "assay", version: VERSION },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { [EXTENSION]: {} } },
  },
};

async function chosen(server: RpcTalk, wanted: string | null): Promise<readonly ServedEntry[]> {
  if (wanted?.includes("://") === true) {
    const found = await server.ask("skills/get", { ...META, uri: wanted });
    return [readEntry(at(found, "skill"))];
  }
  const listed = await allEntries(server);
  const mine =
    wanted === null ? listed : listed.filter((one) => at(at(one, "frontmatter"), "name") === wanted);
  if (mine.length === 0)
    throw new UserError(
      "served/no-such-skill",
      wanted === null
        ? "the server lists no skills"
        : `the server lists no skill called ${JSON.stringify(wanted)}`,
      { hint: "one that is not listed can be named by its URI, as in mcp:…#skill://name/SKILL.md" },
    );
  return mine.map(readEntry);
}

async function allEntries(server: RpcTalk): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const said: unknown = await server.ask("skills/list", { ...META, ...(cursor !== null && { cursor }) });
    const skills = at(said, "skills");
    if (!Array.isArray(skills)) throw lies("skills/list", "its answer holds no list");
    found.push(...(skills as unknown[]));
    if (found.length > MOST_SKILLS) throw lies("skills/list", `it lists more than ${MOST_SKILLS} skills`);
    const next = at(said, "nextCursor");
    if (typeof next !== "string") return found;
    cursor = next;
  }
  throw lies("skills/list", `its list has more than ${MOST_PAGES} pages`);
}

async function fetchOne(server: RpcTalk, entry: ServedEntry): Promise<FetchedSkill> {
  const contents = new Map<string, Buffer>();
  for (const file of entry.files) contents.set(file.path, await readResource(server, entry, file));
  const { skill } = parseSkill("SKILL.md", contents.get("SKILL.md")?.toString("utf8") ?? "");
  if (!isDeepStrictEqual(plain(skill.frontmatter), plain(entry.frontmatter)))
    throw lies(entry.uri, "its frontmatter is not the one in its SKILL.md");
  return { entry, contents };
}

async function readResource(server: RpcTalk, entry: ServedEntry, file: ServedFile): Promise<Buffer> {
  const said = await server.ask("resources/read", { ...META, uri: file.uri });
  const contents = at(said, "contents");
  const own = Array.isArray(contents)
    ? (contents as unknown[]).find((one) => at(one, "uri") === file.uri)
    : undefined;
  const [text, blob] = [at(own, "text"), at(own, "blob")];
  const bytes =
    typeof text === "string"
      ? Buffer.from(text, "utf8")
      : typeof blob === "string"
        ? Buffer.from(blob, "base64")
        : null;
  if (bytes === null) throw lies(entry.uri, `it does not send ${file.path}`);
  if (bytes.length !== file.size)
    throw lies(entry.uri, `${file.path} has ${bytes.length} bytes, and it says ${file.size}`);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== file.sha256) throw lies(entry.uri, `${file.path} does not have the digest it says`);
  return bytes;
}

function at(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/** Without what JSON cannot hold. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
