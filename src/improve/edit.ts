/** A change of a text that needs no line numbers: `anchor` stands in it exactly once. */
export interface Edit {
  /** A file of the skill beside SKILL.md, by its path in it; absent: SKILL.md. */
  readonly file?: string;
  readonly anchor: string;
  readonly replacement: string;
  readonly rationale: string;
  /** Ids of the failing checks that it is to help. */
  readonly motivatedBy: readonly string[];
}

export interface RefusedEdit {
  readonly edit: Edit;
  /** Which of the edits, from 1. */
  readonly number: number;
  readonly why: string;
}

export interface EditedText {
  readonly text: string;
  /** The other files that were changed, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly applied: readonly Edit[];
  readonly refused: readonly RefusedEdit[];
}

export interface EditRules {
  /** The ids that an edit may name as its reason. */
  readonly known: ReadonlySet<string>;
  /** The other files that may be edited, by path; absent: none. */
  readonly files?: ReadonlyMap<string, string>;
  /** Further edits are refused. */
  readonly most: number;
  /** What else speaks against an edit, or against the text that it leaves; null: nothing. */
  readonly objection: (edit: Edit, text: string) => string | null;
}

/** Makes the edits one after the other, each on the text that the ones before it left; what breaks a rule is left out. */
export function applyEdits(text: string, edits: readonly Edit[], rules: EditRules): EditedText {
  let edited = text;
  const others = new Map(rules.files);
  const changed: Record<string, string> = {};
  const applied: Edit[] = [];
  const refused: RefusedEdit[] = [];
  edits.forEach((edit, index) => {
    const before = edit.file === undefined ? edited : others.get(edit.file);
    const next = before?.replace(edit.anchor, () => edit.replacement) ?? "";
    const why =
      applied.length >= rules.most
        ? `only ${rules.most} edits are allowed at once`
        : before === undefined
          ? `the skill has no file ${JSON.stringify(edit.file)} that may be edited`
          : (whyNot(before, edit, rules.known) ??
            rules.objection(edit, edit.file === undefined ? next : edited));
    if (why !== null) return void refused.push({ edit, number: index + 1, why });
    if (edit.file === undefined) edited = next;
    else {
      others.set(edit.file, next);
      changed[edit.file] = next;
    }
    applied.push(edit);
  });
  return { text: edited, files: changed, applied, refused };
}

function whyNot(
  text: string,
  { anchor, replacement, motivatedBy }: Edit,
  known: ReadonlySet<string>,
): string | null {
  if (anchor === "") return "the anchor is empty";
  const times = occurrences(text, anchor);
  if (times === 0) return "the anchor does not occur in the text as it is after the edits before it";
  if (times > 1) return `the anchor occurs ${times} times; make it longer until it occurs once`;
  if (anchor === replacement) return "the replacement is the anchor itself";
  if (motivatedBy.length === 0) return "it names no failing check or remark as its reason";
  const unknown = motivatedBy.filter((id) => !known.has(id));
  return unknown.length === 0 ? null : `it names checks that did not fail: ${unknown.join(", ")}`;
}

/** Overlapping ones count. */
export function occurrences(text: string, needle: string): number {
  let count = 0;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) count++;
  return count;
}
