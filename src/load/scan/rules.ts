/** How bad it is if it is meant badly. Only what is `high` keeps an unknown skill from running. */
export type Risk = "high" | "medium" | "low";

export interface ScanRule {
  readonly code: string;
  readonly risk: Risk;
  readonly explanation: string;
  /** What to do about it. */
  readonly fix: string;
}

function rule<const C extends string>(
  code: C,
  risk: Risk,
  explanation: string,
  fix: string,
): ScanRule & { readonly code: C } {
  return { code, risk, explanation, fix };
}

/** Everything the security scan looks for. */
export const SCAN_RULES = [
  rule(
    "security/hidden-text",
    "high",
    "No text that agents read and people cannot see: tag characters, variation selectors, runs of zero-width characters.",
    "delete the invisible characters",
  ),
  rule(
    "security/bidi-control",
    "high",
    "No control characters that show text in a different order than it is read.",
    "delete the control characters",
  ),
  rule(
    "security/encoded-command",
    "high",
    "Nothing is decoded and then run.",
    "write out what is run, so that people can read it",
  ),
  rule(
    "security/remote-command",
    "high",
    "Nothing is downloaded and run unread.",
    "put the program into the skill, or install a pinned version from a package registry",
  ),
  rule(
    "security/installer",
    "medium",
    "Well-known installers that are downloaded and run are named.",
    "pin a version, or name the tool as a requirement",
  ),
  rule(
    "security/reverse-shell",
    "high",
    "No shell is connected to another machine.",
    "do not run this skill; report it where you found it",
  ),
  rule(
    "security/credential-theft",
    "high",
    "No credentials are read and sent away.",
    "do not run this skill; report it where you found it",
  ),
  rule(
    "security/credential-path",
    "medium",
    "Files that hold credentials are not named.",
    "ask for what is needed in an environment variable instead",
  ),
  rule(
    "security/persistence",
    "medium",
    "Nothing is set up to run later by itself: shell profiles, cron, git hooks, agent settings.",
    "leave such changes to the user",
  ),
  rule(
    "security/broad-tools",
    "medium",
    "allowed-tools names commands, not every command.",
    "name the commands the skill needs, e.g. Bash(git status:*)",
  ),
  rule(
    "security/hooks",
    "medium",
    "The frontmatter declares no hooks, which run without the agent asking.",
    "read the commands before you install the skill",
  ),
  rule(
    "security/command-on-load",
    "low",
    "Commands that Claude Code runs when it loads the skill are named.",
    "read the command: it runs before the agent has thought about anything",
  ),
  rule(
    "security/network-call",
    "low",
    "Scripts that connect to other machines are named.",
    "make sure you know what it sends and to whom",
  ),
  rule(
    "security/binary-program",
    "medium",
    "No compiled programs, which nobody can read.",
    "ship the source, or install it from a package registry",
  ),
  rule(
    "security/link-to-secrets",
    "high",
    "No link leads to files that hold credentials, or to anywhere by an absolute path.",
    "do not run this skill; report it where you found it",
  ),
  rule("security/link-outside", "medium", "No link leads out of the skill.", "put a copy into the skill"),
  rule(
    "security/eval-program",
    "low",
    "With --strict, programs that eval files run are named: setup, teardown, shell checks, MCP servers.",
    "read it before you run these evals",
  ),
  rule(
    "security/not-scanned",
    "low",
    "Every file can be scanned: neither too large nor too many.",
    "look at it yourself",
  ),
] as const satisfies readonly ScanRule[];

export type ScanCode = (typeof SCAN_RULES)[number]["code"];

const BY_CODE: ReadonlyMap<string, ScanRule> = new Map(SCAN_RULES.map((one) => [one.code, one]));

/** Null for what the scan does not look for. */
export function scanRule(code: string): ScanRule | null {
  return BY_CODE.get(code) ?? null;
}
