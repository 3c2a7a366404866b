/** Bytes as a range of shared memory: a view for each would take more space than the bytes. */
export class KeptBytes {
  #memory: Buffer;
  #start = 0;
  readonly #length: number;

  constructor(bytes: Buffer) {
    this.#memory = bytes;
    this.#length = bytes.length;
  }

  /** A view; do not change it. */
  protected get bytes(): Buffer {
    return this.#memory.subarray(this.#start, this.#start + this.#length);
  }

  get size(): number {
    return this.#length;
  }

  /** Copies the bytes to their final place; returns their end offset. */
  moveTo(memory: Buffer, start: number): number {
    this.bytes.copy(memory, start);
    this.#memory = memory;
    this.#start = start;
    return start + this.#length;
  }
}
