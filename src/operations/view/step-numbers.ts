/** Numbers what is equal alike, by a hash in two halves. Holds a million without an object for each. */
export class StepNumbers {
  #ones = new Int32Array(1024);
  #twos = new Int32Array(1024);
  /** 1 more than the number; 0: the place is free. */
  #numbers = new Int32Array(1024);
  #count = 0;

  of(one: number, two: number): number {
    let place = this.#placeOf(one, two);
    const known = this.#numbers[place] ?? 0;
    if (known > 0) return known - 1;
    if (this.#count * 2 >= this.#numbers.length) {
      this.#grow();
      place = this.#placeOf(one, two);
    }
    this.#put(place, { one, two, number: ++this.#count });
    return this.#count - 1;
  }

  #put(
    place: number,
    { one, two, number }: { readonly one: number; readonly two: number; readonly number: number },
  ): void {
    this.#ones[place] = one;
    this.#twos[place] = two;
    this.#numbers[place] = number;
  }

  /** Where it is, or would be. */
  #placeOf(one: number, two: number): number {
    const last = this.#numbers.length - 1;
    let place = one & last;
    while (this.#numbers[place] !== 0 && (this.#ones[place] !== one || this.#twos[place] !== two))
      place = (place + 1) & last;
    return place;
  }

  #grow(): void {
    const [ones, twos, numbers] = [this.#ones, this.#twos, this.#numbers];
    const size = numbers.length * 4;
    [this.#ones, this.#twos, this.#numbers] = [
      new Int32Array(size),
      new Int32Array(size),
      new Int32Array(size),
    ];
    for (const [at, number] of numbers.entries()) {
      if (number === 0) continue;
      const [one, two] = [ones[at] ?? 0, twos[at] ?? 0];
      this.#put(this.#placeOf(one, two), { one, two, number });
    }
  }
}
