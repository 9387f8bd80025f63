/** The capturing groups seen so far while a pattern is read. */
export class Groups {
  #count = 0;
  readonly #open = new Set<number>();
  readonly #names = new Map<string, number>();
  /** Groups that began before the lookbehind being read; null outside of one. */
  #beforeLookbehind: number | null = null;

  open(name: string | null): number {
    this.#count++;
    this.#open.add(this.#count);
    if (name !== null) this.#names.set(name, this.#count);
    return this.#count;
  }

  close(number: number): void {
    this.#open.delete(number);
  }

  get count(): number {
    return this.#count;
  }

  numberOf(name: string): number | null {
    return this.#names.get(name) ?? null;
  }

  /** The outermost lookbehind counts; call what is returned at its end. */
  enterLookbehind(): () => void {
    const before = this.#beforeLookbehind;
    this.#beforeLookbehind ??= this.#count;
    return () => {
      this.#beforeLookbehind = before;
    };
  }

  /** Why a reference to this group cannot stand here; null when it can. */
  problemWith(group: number): string | null {
    if (group < 1 || group > this.#count) return `there is no group ${group} before this reference`;
    if (this.#open.has(group)) return `group ${group} is referred to before it is closed`;
    return this.problemInLookbehind(group);
  }

  /** Why a condition on this group cannot stand here; null when it can. */
  problemInLookbehind(group: number): string | null {
    if (this.#beforeLookbehind !== null && this.#open.has(group))
      return `group ${group} is referred to before it is closed`;
    if (this.#beforeLookbehind !== null && group > this.#beforeLookbehind) {
      return `group ${group} is referred to in the lookbehind that defines it`;
    }
    return null;
  }
}
