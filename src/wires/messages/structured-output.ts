/** Claude Code's own way to a structured answer: a tool of this name, and no word that it must be called. */
export const STRUCTURED_OUTPUT = "StructuredOutput";
