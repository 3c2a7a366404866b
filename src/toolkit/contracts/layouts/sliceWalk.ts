import type { LoadedFunction, LoadedSource } from './loadedSource';
import { partsOf, statementEnd, statementStart } from './loadedSource';
import { bitsOfLoad } from './mergedChains';
import type { SliceLoad } from './mergedChains';

/** The source takes the slice apart in a way that is not followed. */
export class NotFollowed extends Error {}

/** Takes one slice apart, in the order of the source. */
export class SliceWalk {
  readonly found: { place: number; close: number; type: SliceLoad['type'] }[] = [];
  always: number | undefined;
  isEnded = false;

  constructor(
    private readonly source: LoadedSource,
    private readonly one: LoadedFunction,
    private readonly variable: string,
  ) {}

  /** @throws NotFollowed */
  walk(from: number, to: number): void {
    const { tokens, closers } = this.one;
    for (let place = from; place < to && !this.isEnded; place++) {
      const text = tokens[place]?.text ?? '';
      if (/^(?:else)?if(?:not)?$/.test(text)) {
        place = this.#branches(place, to);
      } else if (/^(?:while|repeat|do|try|until|match)$/.test(text)) {
        const open = openBrace(this.one, place, to);
        const end = closers.get(open) ?? to;
        if (this.#isUsed(place, end)) {
          throw new NotFollowed();
        }
        place = end;
      } else if (text === this.variable) {
        place = this.#asValue(place);
      } else if (text.startsWith(`${this.variable}~`) || text.startsWith(`${this.variable}.`)) {
        place = this.#call(place, text.slice(this.variable.length));
      }
    }
  }

  #call(place: number, method: string): number {
    const { tokens, closers } = this.one;
    const close = tokens[place + 1]?.text === '(' ? closers.get(place + 1) : undefined;
    if (close === undefined) {
      throw new NotFollowed();
    }
    if (method === '.end_parse') {
      this.isEnded = true;
      return close;
    }
    if (/^\.(?:slice_|preload_|remaining)/.test(method) || isEmptyCheck(method)) {
      const last = /^\.preload_(.+)$/.exec(method)?.[1];
      if (last === undefined || this.found.length === 0) {
        return close;
      }
    }
    const type = this.source.typeOf(method.slice(1).replace(/^preload_/, 'load_'), this.one, [
      place + 2,
      close,
    ]);
    if (type === undefined) {
      throw new NotFollowed();
    }
    this.found.push({ place, close, type });
    this.isEnded = method.startsWith('.preload_');
    return close;
  }

  /** The slice itself, not a method of it. @returns the last token of its use */
  #asValue(place: number): number {
    const { tokens } = this.one;
    const [before, next] = [tokens[place - 1]?.text, tokens[place + 1]?.text];
    const called = before === '(' ? (tokens[place - 2]?.text ?? '') : '';
    if (called === 'end_parse') {
      this.isEnded = true;
    } else if (next === '=' && tokens[place + 2]?.text === `${this.variable}~load_ref`) {
      // `ds = ds~load_ref().begin_parse();`
      if (tokens[place + 5]?.text !== '.begin_parse' || this.always !== undefined) {
        throw new NotFollowed();
      }
      this.found.push({ place, close: place + 7, type: { kind: 'next' } });
      return place + 7;
    } else if (/^slice_/.test(called) || (before === '=' && next === ';')) {
      return place;
    } else if (this.#isOfReturned(place)) {
      this.found.push({ place, close: place, type: { kind: 'rest' } });
      this.isEnded = true;
    } else {
      throw new NotFollowed();
    }
    return place;
  }

  /** Whether the slice itself is one of the values that a function returns: the rest. */
  #isOfReturned(place: number): boolean {
    const start = statementStart(this.one, place);
    const values = partsOf(this.one, start + 1, statementEnd(this.one, place));
    const isOne = values.some(([from, to]) => from === place && to === place + 1);
    return this.one.tokens[start]?.text === 'return' && this.found.length > 0 && isOne;
  }

  /** An `if`, of which one way may load more than the other. @returns its last token */
  #branches(place: number, to: number): number {
    const { tokens, closers } = this.one;
    const open = openBrace(this.one, place, to);
    const close = closers.get(open) ?? to;
    const isElse = tokens[close + 1]?.text === 'else' && tokens[close + 2]?.text === '{';
    const end = isElse ? (closers.get(close + 2) ?? to) : close;
    const before = this.found.length;
    this.walk(place + 1, open);
    if (this.found.length > before) {
      this.#maybe(before, open, close, isElse);
      return close;
    }
    const asks = this.#isUsed(place + 1, open);
    const [first, second] = [this.#isUsed(open, close), isElse && this.#isUsed(close + 2, end)];
    if (first || second) {
      if (!asks || (first && second) || this.always !== undefined) {
        throw new NotFollowed();
      }
      this.always = before;
      this.walk(first ? open + 1 : close + 3, first ? close : end);
      // What follows is loaded in both cases, or in none.
      if (!this.isEnded && this.#isUsed(end, blockEnd(this.one, end + 1))) {
        this.#restEnds(end);
      }
      this.isEnded = true;
    } else if (asks && tokens.slice(open, close).some(({ text }) => text === 'return') && !isElse) {
      if (this.always !== undefined) {
        throw new NotFollowed();
      }
      this.always = before;
    }
    return end;
  }

  /** A bit, and a reference only where it is set: `if ds~load_uint(1) { code = ds~load_ref(); }` */
  #maybe(before: number, open: number, close: number, isElse: boolean): void {
    const [bit] = this.found.slice(before);
    this.walk(open, close);
    const [, cell, another] = this.found.slice(before);
    const isBit = bit !== undefined && bit.type.kind !== 'next' && bitsOfLoad({ type: bit.type }) === 1;
    if (!isBit || isElse || cell?.type.kind !== 'cell' || another !== undefined) {
      throw new NotFollowed();
    }
    this.found.splice(before, 2, { ...cell, type: { kind: 'maybe', inner: { kind: 'cell' } } });
  }

  /** Nothing is taken from here on but the check that nothing is left. */
  #restEnds(from: number): void {
    const rest = new SliceWalk(this.source, this.one, this.variable);
    rest.walk(from + 1, blockEnd(this.one, from + 1));
    if (rest.found.length > 0) {
      throw new NotFollowed();
    }
  }

  #isUsed(from: number, to: number): boolean {
    const { variable } = this;
    return this.one.tokens
      .slice(from, to)
      .some(
        ({ text }) => text === variable || text.startsWith(`${variable}.`) || text.startsWith(`${variable}~`),
      );
  }
}

function isEmptyCheck(method: string): boolean {
  return /^\.(?:slice_(?:data_|refs_)?empty\?|slice_(?:bits|refs|bits_refs))$/.test(method);
}

/** The end of the block that a place of a function is in. */
export function blockEnd({ tokens, closers, to }: LoadedFunction, place: number): number {
  for (let at = place; at < to; at++) {
    if (tokens[at]?.text === '}') {
      return at;
    }
    at = closers.get(at) ?? at;
  }
  return to;
}

function openBrace({ tokens, closers }: LoadedFunction, place: number, to: number): number {
  for (let at = place; at < to; at++) {
    if (tokens[at]?.text === '{') {
      return at;
    }
    at = closers.get(at) ?? at;
  }
  return to;
}
