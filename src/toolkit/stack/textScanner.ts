import { visibleText } from '../text';
import { stackTextError } from './stackTextError';
import type { WorkbenchError } from '../errors';

/** A run of characters between separators and brackets, and its position. */
export interface Word {
  text: string;
  offset: number;
}

/** The word for messages: short, with nothing invisible. */
export function shown(word: Word | string): string {
  return visibleText(typeof word === 'string' ? word : word.text, 16);
}

const wordEnd = /[\s,()[\]{}"':]/u;

/** A position in a stack text, and the few ways to move it. */
export class TextScanner {
  position = 0;

  constructor(readonly text: string) {}

  /** Skips spaces and line ends. */
  skipBlanks(): void {
    while (/\s/u.test(this.text.charAt(this.position))) {
      this.position++;
    }
  }

  atEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** The character at the position, or '' at the end. */
  peek(): string {
    return this.text.charAt(this.position);
  }

  /** Skips `character` if it is at the position. */
  take(character: string): boolean {
    if (this.peek() !== character) {
      return false;
    }
    this.position++;
    return true;
  }

  /** The word at the position, without moving; empty before a separator or bracket. A raw address is one word. */
  peekWord(): Word {
    let end = this.position;
    while (end < this.text.length && (!wordEnd.test(this.text.charAt(end)) || this.isAddressColon(end))) {
      end++;
    }
    return { text: this.text.slice(this.position, end), offset: this.position };
  }

  /** Reads the word at the position. */
  takeWord(): Word {
    const word = this.peekWord();
    this.position += word.text.length;
    return word;
  }

  /** The character after `word`, or '' at the end. */
  characterAfter(word: Word): string {
    return this.text.charAt(word.offset + word.text.length);
  }

  /** An error about everything from `offset` to the position, or about the next character if that is empty. */
  errorFrom(
    offset: number,
    message: string,
    more: { expected?: string[]; suggestion?: string } = {},
  ): WorkbenchError {
    const length = this.position > offset ? this.position - offset : Math.min(1, this.text.length - offset);
    return stackTextError({ offset, length, message, ...more });
  }

  /** In `0:ab…` the colon belongs to the word: it follows the workchain and precedes something. */
  private isAddressColon(index: number): boolean {
    return (
      this.text.charAt(index) === ':' &&
      /^-?\d+$/.test(this.text.slice(this.position, index)) &&
      /\w/.test(this.text.charAt(index + 1))
    );
  }
}
