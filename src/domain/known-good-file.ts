/** Committed beside the skills, so that every clone is held to the same results. */
export const KNOWN_GOOD_FILE = "assay-baseline.json";
