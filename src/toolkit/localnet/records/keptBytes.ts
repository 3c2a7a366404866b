/** Bytes as a place in memory that many share: a view for each of them would take more room than they do. */
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

  /** Copies the bytes to their final place; returns where they end. */
  moveTo(memory: Buffer, start: number): number {
    this.bytes.copy(memory, start);
    this.#memory = memory;
    this.#start = start;
    return start + this.#length;
  }
}
