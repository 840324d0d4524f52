/** Collects many whole numbers in a typed array, which costs the garbage collector nothing. */
export class NumberList {
  #values = new Int32Array(1_024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new Int32Array(this.#length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  values(): Int32Array {
    return this.#values.subarray(0, this.#length);
  }
}
