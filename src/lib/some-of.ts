/** Names for a line of text: all of them, or the first few and how many more there are. */
export function someOf(names: readonly string[], most = 8): string {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}
