import type { Writable } from 'node:stream';
import { limits } from '../toolkit/limits';

/** Lines to a possibly slow reader: unread bytes are bounded, and lines beyond the bound are counted instead. */
export class LineStream {
  readonly #stream: Writable;
  readonly #leftOutLine: (count: number) => string;
  readonly #most: number;
  #leftOut = 0;

  /**
   * @param leftOutLine the line that replaces `count` omitted lines
   * @param most maximum unread bytes
   */
  constructor(
    stream: Writable,
    leftOutLine: (count: number) => string,
    most: number = limits.unreadOutput.most,
  ) {
    this.#stream = stream;
    this.#leftOutLine = leftOutLine;
    this.#most = most;
  }

  /** Writes a line with its line break, or counts it as omitted. */
  write(line: string): void {
    if (this.#leftOut === 0 && this.#stream.writableLength <= this.#most) {
      this.#stream.write(line);
      return;
    }
    if (this.#leftOut === 0) {
      this.#stream.once('drain', () => {
        this.#stream.write(this.#leftOutLine(this.#leftOut));
        this.#leftOut = 0;
      });
    }
    this.#leftOut += 1;
  }
}
