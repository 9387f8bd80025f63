/** `1 case`, `3 cases`; `1 query`, `3 queries` where the plural is named. */
export function plural(count: number, noun: string, many: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
