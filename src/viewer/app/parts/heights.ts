/** The heights of many rows, most of which were never drawn: sums over a prefix in logarithmic time (a Fenwick tree). */
export class Heights {
  readonly #tree: Float64Array;
  readonly #known = new Map<number, number>();
  readonly count: number;
  readonly #estimate: number;

  constructor(count: number, estimate: number) {
    this.count = count;
    this.#estimate = estimate;
    this.#tree = new Float64Array(count + 1);
  }

  /** True when it was not so before. */
  measure(row: number, height: number): boolean {
    const before = this.#known.get(row) ?? this.#estimate;
    if (row < 0 || row >= this.count || Math.abs(before - height) < 0.5) return false;
    this.#known.set(row, height);
    for (let at = row + 1; at <= this.count; at += at & -at)
      this.#tree[at] = (this.#tree[at] ?? 0) + height - before;
    return true;
  }

  /** Where a row begins; that of the row after the last is the height of all. */
  offset(row: number): number {
    let sum = row * this.#estimate;
    for (let at = row; at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }

  /** The row at a height from the top. */
  rowAt(y: number): number {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offset(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
