/** What skill-creator's viewer calls a run: its folder in the iteration, with hyphens for slashes. */
export function feedbackId(folder: string): string {
  return folder.replaceAll("/", "-");
}
