/** Which readers a skill must please: the agentskills.io document, Claude Code with its further keys, or everything we know. */
export const PROFILES = ["spec", "claude-code", "strict"] as const;
export type Profile = (typeof PROFILES)[number];

type RuleSeverity = "error" | "note" | "off";

export interface Rule {
  readonly code: string;
  readonly severity: Readonly<Record<Profile, RuleSeverity>>;
  readonly explanation: string;
  /** What other tools call the same rule. */
  readonly alsoKnownAs: readonly string[];
}

type Levels = `${RuleSeverity} ${RuleSeverity} ${RuleSeverity}`;

/** `levels` are the severities for spec, claude-code and strict. */
function rule<const C extends string>(
  code: C,
  levels: Levels,
  explanation: string,
  alsoKnownAs: readonly string[] = [],
): Rule & { readonly code: C } {
  const [spec, claudeCode, strict] = levels.split(" ") as [RuleSeverity, RuleSeverity, RuleSeverity];
  return { code, severity: { spec, "claude-code": claudeCode, strict }, explanation, alsoKnownAs };
}

const clauditor = (name: string) => `clauditor AGENTSKILLS_${name}`;
const skillet = (name: string) => `skillet ${name}`;
const validate = (name: string) => `quick_validate ${name}`;

/** Every lint rule there is. */
export const RULES = [
  rule("skill/frontmatter-missing", "error note error", "SKILL.md starts with YAML frontmatter.", [
    clauditor("FRONTMATTER_MISSING"),
    skillet("frontmatter-delimiters"),
    skillet("frontmatter-valid"),
    validate("no frontmatter"),
  ]),
  rule("skill/frontmatter-unclosed", "error error error", "A line of three hyphens ends the frontmatter.", [
    clauditor("FRONTMATTER_INVALID_YAML"),
    skillet("frontmatter-delimiters"),
    validate("frontmatter format"),
  ]),
  rule("skill/frontmatter-invalid", "error error error", "The frontmatter is valid YAML.", [
    clauditor("FRONTMATTER_INVALID_YAML"),
    validate("invalid YAML"),
  ]),
  rule("skill/frontmatter-unquoted-colon", "error error error", "A value with a colon in it is quoted.", [
    clauditor("FRONTMATTER_UNQUOTED_COLON_IN_SCALAR"),
    validate("invalid YAML"),
  ]),
  rule("skill/frontmatter-not-a-mapping", "error error error", "The frontmatter is keys with values.", [
    clauditor("FRONTMATTER_INVALID_YAML"),
    validate("not a dictionary"),
  ]),
  rule(
    "skill/angle-brackets",
    "note note error",
    "No < or > in frontmatter values; uploads to Claude reject them.",
    [skillet("frontmatter-no-xml"), validate("description angle brackets")],
  ),
  rule(
    "skill/claude-code-key",
    "error off error",
    "Only keys of the specification; other clients may reject Claude Code's own.",
    [clauditor("FRONTMATTER_UNKNOWN_KEY"), validate("unexpected keys")],
  ),
  rule("skill/unknown-key", "error note error", "No frontmatter key that nobody reads.", [
    clauditor("FRONTMATTER_UNKNOWN_KEY"),
    validate("unexpected keys"),
  ]),
  rule(
    "skill/system-prompt",
    "note note error",
    "system_prompt is not supported in frontmatter; it belongs in the eval file.",
  ),

  rule("skill/name-missing", "error off error", "The frontmatter has a name.", [
    clauditor("NAME_MISSING"),
    skillet("frontmatter-valid"),
    validate("missing name"),
  ]),
  rule("skill/name-not-string", "error error error", "The name is a string.", [
    clauditor("NAME_NOT_STRING"),
    validate("name type"),
  ]),
  rule("skill/name-empty", "error error error", "The name is not empty.", [
    clauditor("NAME_EMPTY"),
    skillet("frontmatter-valid"),
  ]),
  rule("skill/name-too-long", "error error error", "The name has at most 64 characters.", [
    clauditor("NAME_TOO_LONG"),
    validate("name too long"),
  ]),
  rule("skill/name-leading-hyphen", "error error error", "The name does not start with a hyphen.", [
    clauditor("NAME_LEADING_HYPHEN"),
    skillet("name-kebab-case"),
    validate("name hyphens"),
  ]),
  rule("skill/name-trailing-hyphen", "error error error", "The name does not end with a hyphen.", [
    clauditor("NAME_TRAILING_HYPHEN"),
    skillet("name-kebab-case"),
    validate("name hyphens"),
  ]),
  rule("skill/name-consecutive-hyphens", "error error error", "The name has no two hyphens in a row.", [
    clauditor("NAME_CONSECUTIVE_HYPHENS"),
    skillet("name-kebab-case"),
    validate("name hyphens"),
  ]),
  rule(
    "skill/name-invalid-chars",
    "error error error",
    "The name is lower-case letters, digits and hyphens.",
    [clauditor("NAME_INVALID_CHARS"), skillet("name-kebab-case"), validate("name characters")],
  ),
  rule(
    "skill/name-not-ascii",
    "note note error",
    "The name is ASCII; some validators reject other letters.",
    [skillet("name-kebab-case"), validate("name characters")],
  ),
  rule(
    "skill/name-directory-mismatch",
    "error note error",
    "The name equals the name of the skill's directory.",
    [clauditor("NAME_PARENT_DIR_MISMATCH"), skillet("name-matches-folder")],
  ),
  rule(
    "skill/name-reserved",
    "note note error",
    "The name does not contain claude or anthropic; uploads to Claude reject it.",
    [skillet("name-no-reserved")],
  ),

  rule("skill/description-missing", "error note error", "The frontmatter has a description.", [
    clauditor("DESCRIPTION_MISSING"),
    skillet("frontmatter-valid"),
    validate("missing description"),
  ]),
  rule("skill/description-not-string", "error error error", "The description is a string.", [
    clauditor("DESCRIPTION_NOT_STRING"),
    validate("description type"),
  ]),
  rule("skill/description-empty", "error error error", "The description is not empty.", [
    clauditor("DESCRIPTION_EMPTY"),
    skillet("frontmatter-valid"),
  ]),
  rule("skill/description-too-long", "error error error", "The description has at most 1024 characters.", [
    clauditor("DESCRIPTION_TOO_LONG"),
    skillet("description-length"),
    validate("description too long"),
  ]),

  rule("skill/license-not-string", "error note error", "The license is a string.", [
    clauditor("LICENSE_NOT_STRING"),
  ]),
  rule("skill/license-empty", "error note error", "The license is not empty.", [clauditor("LICENSE_EMPTY")]),
  rule("skill/license-missing", "off off note", "The frontmatter names a license.", [
    skillet("field-license"),
  ]),
  rule("skill/compatibility-not-string", "error error error", "The compatibility is a string.", [
    clauditor("COMPATIBILITY_NOT_STRING"),
    validate("compatibility type"),
  ]),
  rule("skill/compatibility-empty", "error note error", "The compatibility is not empty.", [
    clauditor("COMPATIBILITY_EMPTY"),
  ]),
  rule("skill/compatibility-too-long", "error error error", "The compatibility has at most 500 characters.", [
    clauditor("COMPATIBILITY_TOO_LONG"),
    validate("compatibility too long"),
  ]),
  rule("skill/compatibility-missing", "off off note", "The frontmatter says what the skill needs to run.", [
    skillet("field-compatibility"),
  ]),
  rule("skill/metadata-not-map", "error note error", "The metadata is keys with values.", [
    clauditor("METADATA_NOT_MAP"),
  ]),
  rule("skill/metadata-key-not-string", "error note error", "Metadata keys are strings.", [
    clauditor("METADATA_KEY_NOT_STRING"),
  ]),
  rule("skill/metadata-value-not-string", "error note error", "Metadata values are strings.", [
    clauditor("METADATA_VALUE_NOT_STRING"),
  ]),
  rule("skill/metadata-missing", "off off note", "The frontmatter has metadata, such as a version.", [
    skillet("field-metadata"),
  ]),
  rule(
    "skill/allowed-tools-not-string",
    "error off error",
    "allowed-tools is one string, tools separated by spaces.",
    [clauditor("ALLOWED_TOOLS_NOT_STRING")],
  ),
  rule(
    "skill/allowed-tools-experimental",
    "note off note",
    "allowed-tools is experimental; clients may ignore it.",
    [clauditor("ALLOWED_TOOLS_EXPERIMENTAL")],
  ),

  rule("skill/body-empty", "note note error", "The body says what to do."),
  rule(
    "skill/body-too-many-lines",
    "note note error",
    "The body has at most 500 lines; details go to files it names.",
    [clauditor("BODY_TOO_LONG")],
  ),
  rule("skill/body-too-many-words", "note note error", "The body has at most 5000 words.", [
    skillet("body-word-count"),
  ]),
  rule(
    "skill/reference-too-deep",
    "note note error",
    "Files the body links to are in the skill, at most one directory deep.",
    [clauditor("REFERENCE_DEPTH_TOO_DEEP")],
  ),
  rule("skill/reference-missing", "note note error", "Files the body links to exist."),

  rule(
    "skill/layout-command",
    "note off note",
    "A skill is a directory with SKILL.md; command files are the older layout.",
    [clauditor("LAYOUT_LEGACY")],
  ),
  rule("skill/filename-case", "note note error", "The file is called SKILL.md, in this case.", [
    skillet("filename-case"),
  ]),
  rule(
    "skill/directory-not-kebab-case",
    "note off error",
    "The directory is named in lower-case words joined by hyphens.",
    [skillet("folder-kebab-case")],
  ),
  rule("skill/readme", "off off note", "No README.md in the skill; SKILL.md is what agents read.", [
    skillet("no-readme"),
  ]),
  rule("skill/secret-file", "note note error", "No .env files, private keys or credentials in the skill."),
] as const;

export type RuleCode = (typeof RULES)[number]["code"];
