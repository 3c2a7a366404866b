import type { TraceContext } from './traceContext';
import type { TraceLine } from './traceLine';
import { traceLine } from './traceLine';

/** A line in the list of traces, with the means to find its trace again. */
export interface ListedLine extends TraceLine {
  /** Unchanged while the trace grows; also the key of the trace in the list. */
  key: string;
  /** Name of the network. */
  network: string;
  /** Hash of the first transaction, lowercase hex. */
  id: string;
  /**
   * Hashes of the message that started it, raw and normalized, lowercase hex; a rehearsal of that message has
   * them too.
   */
  messages: readonly string[];
  /** Logical time of its end, decimal; services sort and page by it. */
  endLt: string;
  /** Sent from this window or by a wallet of the user. */
  isMine: boolean;
  /** For a local network, its history: the hash of its first block. Absent for other networks. */
  chain?: string | undefined;
  /** A restore has undone it: it is no longer on the chain. */
  isUndone?: boolean | undefined;
  /** The chain has more traces between this line and the next older one. */
  hasMore?: boolean | undefined;
}

/** The newest lines of a chain, as returned by a service. */
export interface NewestPage {
  chain: string;
  /** Newest first, by their end. */
  lines: readonly ListedLine[];
  /** The chain may have older ones, because the page is full. */
  isFull: boolean;
}

/**
 * The lines of a local network's traces, newest first, as they become known: page by page from the newest
 * end, older ones on demand. A trace that is missing from a page that should contain it, by its logical time,
 * has been undone.
 */
export class LiveLines {
  #lines: readonly ListedLine[];
  #capacity: number;
  readonly #removed: Set<string>;

  /**
   * @param kept lines of an earlier session
   * @param capacity maximum lines kept; the oldest are dropped
   * @param removed keys of lines that were removed from the list
   */
  constructor(kept: readonly ListedLine[] = [], capacity = 1000, removed: readonly string[] = []) {
    this.#lines = kept;
    this.#capacity = capacity;
    this.#removed = new Set(removed);
  }

  /** All lines, or those of one chain. */
  list(chain?: string): readonly ListedLine[] {
    return chain === undefined ? this.#lines : this.#lines.filter((line) => line.chain === chain);
  }

  find(key: string): ListedLine | undefined {
    return this.#lines.find((line) => line.key === key);
  }

  /**
   * The line of the trace that was started by a message with this hash, or whose first transaction has this
   * hash.
   */
  findByHash(hash: string): ListedLine | undefined {
    return this.#lines.find((line) => line.id === hash || line.messages.includes(hash));
  }

  /**
   * Merges the newest page: new lines come first, as do undone ones that happened again; other known ones are
   * replaced in place.
   * @returns the lines that were not known before
   */
  take({ chain, lines: answered, isFull }: NewestPage): readonly ListedLine[] {
    const page = answered.filter(({ key }) => !this.#removed.has(key));
    const floor = isFull ? answered.reduce((low, { endLt }) => least(low, BigInt(endLt)), undefinedLt) : 0n;
    const pageByKey = new Map(page.map((line) => [line.key, line]));
    const known = new Map(this.#lines.map((line) => [line.key, line]));
    const fresh = page.filter(({ key }) => !known.has(key));
    const isAgain = ({ key }: ListedLine): boolean => known.get(key)?.isUndone === true && pageByKey.has(key);
    const first = page
      .filter((line) => !known.has(line.key) || isAgain(line))
      .map((line) => ({ ...line, isMine: line.isMine || known.get(line.key)?.isMine === true }));
    let isJoined = !isFull;
    const others = this.#lines.filter((line) => line.chain !== chain || !isAgain(line));
    const kept = others.map((line): ListedLine => {
      if (line.chain !== chain) {
        return line;
      }
      const isCovered = BigInt(line.endLt) >= floor;
      const now = pageByKey.get(line.key);
      isJoined ||= isCovered && now?.endLt === line.endLt && line.isUndone !== true;
      if (now !== undefined) {
        return { ...now, isMine: now.isMine || line.isMine, ...more(line) };
      }
      return isCovered ? { ...line, isUndone: true } : line;
    });
    const joined = isJoined || first.length === 0 ? first : withMore(first);
    const whole = isFull ? kept : kept.map((line) => (line.chain === chain ? withoutMore(line) : line));
    this.#set([...joined, ...whole]);
    return fresh;
  }

  /** Inserts older lines after `line`; see {@link ListedLine.hasMore}. The capacity grows by their number. */
  takeOlder(line: ListedLine, { lines: answered, isFull }: NewestPage): void {
    const page = answered.filter(({ key }) => !this.#removed.has(key));
    const at = this.#lines.findIndex(({ key }) => key === line.key);
    const known = new Set(this.#lines.map(({ key }) => key));
    const fresh = page.filter(({ key }) => !known.has(key));
    const isJoined = !isFull || fresh.length < page.length || fresh.length === 0;
    const before = this.#lines.slice(0, at + 1);
    this.#capacity = Math.max(this.#capacity, this.#lines.length + fresh.length);
    this.#set([
      ...before.map((one) => (one.key === line.key ? withoutMore(one) : one)),
      ...(isJoined ? fresh : withMore(fresh)),
      ...this.#lines.slice(at + 1),
    ]);
  }

  /** Updates which of the asked lines are undone: those whose traces the chain no longer has. */
  setOnChain(asked: ReadonlySet<string>, found: ReadonlySet<string>): void {
    this.#lines = this.#lines.map((line) =>
      asked.has(line.key) && (line.isUndone === true) === found.has(line.id)
        ? { ...line, isUndone: !found.has(line.id) }
        : line,
    );
  }

  /** Marks the lines started by a message as sent by the user. */
  setMine(hash: string): void {
    this.#lines = this.#lines.map((line) =>
      line.id === hash || line.messages.includes(hash) ? { ...line, isMine: true } : line,
    );
  }

  /** Replaces the contents of known lines, because more is known about their traces. */
  describeAgain(lines: readonly ListedLine[]): void {
    const now = new Map(lines.map((line) => [line.key, line]));
    this.#lines = this.#lines.map((line) => {
      const { isMine, isUndone, hasMore } = line;
      const words = now.get(line.key);
      return words === undefined
        ? line
        : {
            ...words,
            isMine,
            ...(isUndone === undefined ? {} : { isUndone }),
            ...(hasMore === undefined ? {} : { hasMore }),
          };
    });
  }

  /** Removes a line from the list. */
  remove(key: string): void {
    this.#removed.add(key);
    this.#lines = this.#lines.filter((line) => line.key !== key);
  }

  /** Removes all lines from the list. */
  clear(): void {
    this.#lines.forEach(({ key }) => this.#removed.add(key));
    this.#lines = [];
  }

  /** Keys of the lines that were removed from the list. */
  removed(): readonly string[] {
    return [...this.#removed];
  }

  #set(lines: readonly ListedLine[]): void {
    this.#lines = lines.length > this.#capacity ? withMore(lines.slice(0, this.#capacity)) : lines;
  }
}

/** Above every logical time. */
const undefinedLt = 2n ** 64n;

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function more({ hasMore }: ListedLine): Pick<ListedLine, 'hasMore'> {
  return hasMore === true ? { hasMore } : {};
}

function withoutMore({ hasMore: _, ...line }: ListedLine): ListedLine {
  return line;
}

function withMore(lines: readonly ListedLine[]): ListedLine[] {
  return lines.map((line, index) => (index === lines.length - 1 ? { ...line, hasMore: true } : line));
}

/** The line of a trace in a list, with the means to find the trace again. */
export function listedLine(
  context: TraceContext,
  place: Pick<ListedLine, 'key' | 'network' | 'chain' | 'isMine'>,
): ListedLine {
  const { model } = context;
  const message = model.roots[0]?.message;
  const hashes = [model.source.external_hash, message?.hash, message?.hash_norm];
  const lts = model.nodes.map(({ transaction }) => transaction?.lt ?? 0n);
  const endLt = model.source.end_lt ?? lts.reduce((latest, lt) => (lt > latest ? lt : latest), 0n);
  return {
    ...traceLine(context),
    ...place,
    id: model.id ?? model.nodes[0]?.hash ?? '',
    messages: [...new Set(hashes.filter((hash) => typeof hash === 'string'))],
    endLt: String(endLt),
  };
}
