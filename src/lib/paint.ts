export type Paint = (style: keyof typeof STYLES, text: string) => string;

/** Colors for a terminal, or none. The caller decides; nothing is read from the environment here. */
export function painter(decorated: boolean): Paint {
  if (!decorated) return (_style, text) => text;
  return (style, text) => `\u001B[${STYLES[style][0]}m${text}\u001B[${STYLES[style][1]}m`;
}

const STYLES = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
  dim: [2, 22],
} as const;
