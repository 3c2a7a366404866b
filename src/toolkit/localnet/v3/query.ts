import type { Endpoint } from '../../access/endpoint';
import type { ParameterKind } from '../../access/parameter';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/parseAddress';
import { parseHash } from '../api/parseHash';
import { isTurnOver, nextTurn } from '../../turns';

/** Parameters as they arrive: of the query (repeated keys are arrays) or of a JSON body. */
export type Parameters = Readonly<Record<string, unknown>>;

const defaultLimit = 10;
const maximumLimit = 1000;

/** Reads and normalises parameters as the indexed API does; what cannot be read is 422. */
export class Query {
  constructor(
    readonly parameters: Parameters,
    private readonly headers: Parameters = {},
  ) {}

  /** Reads every parameter of the endpoint as its kind says, so that one no handler looks at is judged too. */
  check({ parameters }: Endpoint): void {
    for (const [name, { kind, repeated, asTyped, takesNull }] of Object.entries(parameters)) {
      if (asTyped !== true && !(takesNull === true && this.text(name) === 'null')) {
        readers[kind]?.(this, name, repeated);
      }
    }
  }

  /** Whether the caller asks to leave that part of the answer empty. */
  hides(part: 'address_book' | 'metadata'): boolean {
    const asked = this.headers[`x-no-${part.replace('_', '-')}`] ?? this.parameters[`x_no_${part}`];
    return typeof asked === 'string' && isTrue(asked);
  }

  /** The same request with other parameters. */
  with(parameters: Parameters): Query {
    return new Query(parameters, this.headers);
  }

  text(name: string): string | undefined {
    const value = this.parameters[name];
    const one: unknown = Array.isArray(value) ? value[value.length - 1] : value;
    return one === undefined || one === null || one === '' ? undefined : asText(one);
  }

  list(name: string): string[] {
    const value = this.parameters[name];
    const all: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return all.map(asText).filter((text) => text !== '');
  }

  address(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : (parseAddress(text) ?? undecodable(name));
  }

  addresses(name: string): string[] {
    return this.list(name).map((text, index) => parseAddress(text) ?? undecodable(name, index));
  }

  hash(name: string): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : (parseHash(text) ?? undecodable(name));
  }

  hashes(name: string): string[] {
    return this.list(name).map((text, index) => parseHash(text) ?? undecodable(name, index));
  }

  flag(name: string, otherwise: boolean): boolean {
    const text = this.text(name);
    return text === undefined ? otherwise : isTrue(text);
  }

  integer(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) {
      return undefined;
    }
    return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undecodable(name);
  }

  bigint(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) {
      return undefined;
    }
    return /^-?\d{1,20}$/.test(text) ? BigInt(text) : undecodable(name);
  }

  /** A shard as 16 upper-case hex digits; hex with or without 0x, or signed decimal. */
  shard(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined) {
      return undefined;
    }
    const hex = /^(?:0x)?[0-9a-f]{1,16}$/i.test(text);
    if (!hex && !/^-?\d{1,20}$/.test(text)) {
      return undecodable(name);
    }
    const number = hex ? BigInt(`0x${text.replace(/^0x/i, '')}`) : BigInt.asUintN(64, BigInt(text));
    return number.toString(16).toUpperCase().padStart(16, '0');
  }

  /** 32 bits; hex is tried first, then signed decimal. */
  opcode(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) {
      return undefined;
    }
    if (/^(?:0x)?[0-9a-f]{1,8}$/i.test(text)) {
      return parseInt(text.replace(/^0x/i, ''), 16);
    }
    return /^-?\d{1,10}$/.test(text) ? Number(text) >>> 0 : undecodable(name);
  }

  /** Unix seconds; a fraction is cut off. */
  time(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) {
      return undefined;
    }
    const value = Number(text);
    return Number.isFinite(value) && value >= 0 && value < 2 ** 32 ? Math.floor(value) : undecodable(name);
  }

  /** Page and order; a limit above the maximum and an unknown order are 500 on most of the service's endpoints. */
  page(refusal = 500, otherwise = defaultLimit, maximum = maximumLimit): Page {
    const limit = Math.max(1, this.integer('limit') ?? otherwise);
    if (limit > maximum) {
      throw new ApiError(refusal, `limit is not allowed: ${limit} > ${maximum}`);
    }
    const sort = (this.text('sort') ?? 'desc').toLowerCase();
    if (!['asc', 'desc', 'a', 'd'].includes(sort)) {
      throw new ApiError(refusal, 'wrong value for sort parameter');
    }
    const offset = Math.max(0, this.integer('offset') ?? 0);
    return { limit, offset, ascending: sort.startsWith('a') };
  }

  ranges(): Ranges {
    return {
      startUtime: this.time('start_utime'),
      endUtime: this.time('end_utime'),
      startLt: this.bigint('start_lt'),
      endLt: this.bigint('end_lt'),
    };
  }
}

export interface Page {
  limit: number;
  offset: number;
  ascending: boolean;
}

/** All inclusive. */
export interface Ranges {
  startUtime: number | undefined;
  endUtime: number | undefined;
  startLt: bigint | undefined;
  endLt: bigint | undefined;
}

export function inRanges(ranges: Ranges, utime: number, lt: bigint): boolean {
  return (
    (ranges.startUtime === undefined || utime >= ranges.startUtime) &&
    (ranges.endUtime === undefined || utime <= ranges.endUtime) &&
    (ranges.startLt === undefined || lt >= ranges.startLt) &&
    (ranges.endLt === undefined || lt <= ranges.endLt)
  );
}

/** The rows of one page out of candidates that come in the wished order; reads no further than needed. */
export function takePage<T>(candidates: Iterable<T>, { limit, offset }: Page): T[] {
  const rows: T[] = [];
  let skipped = 0;
  for (const candidate of candidates) {
    if (skipped < offset) {
      skipped += 1;
    } else {
      rows.push(candidate);
      if (rows.length >= limit) {
        break;
      }
    }
  }
  return rows;
}

/** As {@link takePage} of candidates that take time to judge; undefined stands for one that does not match. */
export async function takePageInTurns<T>(
  candidates: Iterable<T | undefined>,
  { limit, offset }: Page,
): Promise<T[]> {
  const rows: T[] = [];
  let skipped = 0;
  for (const candidate of candidates) {
    if (candidate !== undefined && skipped < offset) {
      skipped += 1;
    } else if (candidate !== undefined && rows.push(candidate) >= limit) {
      break;
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return rows;
}

/** How the service reads each kind. Texts and words are judged by those who use them. */
const readers: Partial<Record<ParameterKind, (query: Query, name: string, repeated: boolean) => unknown>> = {
  address: (query, name, repeated) => (repeated ? query.addresses(name) : query.address(name)),
  hash: (query, name, repeated) => (repeated ? query.hashes(name) : query.hash(name)),
  integer: (query, name) => query.integer(name),
  int64: (query, name) => query.bigint(name),
  time: (query, name) => query.time(name),
  shard: (query, name) => query.shard(name),
  opcode: (query, name, repeated) => (repeated ? undefined : query.opcode(name)),
  boolean: (query, name) => query.flag(name, false),
};

function isTrue(text: string): boolean {
  return ['true', '1', 't', 'yes', 'on'].includes(text.toLowerCase());
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function undecodable(name: string, index?: number): never {
  const place = index === undefined ? `"${name}"` : `index ${index} of "${name}"`;
  throw new ApiError(422, `failed to decode: schema: error converting value for ${place}`);
}
