/** Words that the sentences of several kinds share. */
export function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/** What tells two checks apart, of two parts where there are two. */
export function joined(first: string, second: string | null): string {
  return second === null || second === "" ? first : `${first} ${second}`;
}
