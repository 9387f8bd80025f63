export const MAX_DESCRIPTION_LENGTH = 1024;

/** What lint would object to in a description, in words for a model; null: nothing. */
export function descriptionProblem(description: string): string | null {
  const { length } = Array.from(description.trim());
  if (length === 0) return "the description is empty";
  if (length > MAX_DESCRIPTION_LENGTH)
    return `the description has ${length} characters; at most ${MAX_DESCRIPTION_LENGTH} are allowed`;
  return /[<>]/.test(description) ? "the description has angle brackets, which clients refuse" : null;
}
