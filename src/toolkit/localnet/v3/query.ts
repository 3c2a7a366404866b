import type { Parameter, ParameterKind } from '../../access/endpoint/parameter';
import { ApiError, parseHash } from '../api/apiError';
import type { ParameterValues } from '../api/requestParameters';
import { RequestParameters, asText, parseAddress } from '../api/requestParameters';
import type { Page, Ranges } from './page';

const defaultLimit = 10;
const maximumLimit = 1000;

/** Reads parameters like the indexed API; an invalid value is a 422. */
export class Query extends RequestParameters {
  /** Texts and words are left to the handlers. */
  protected readonly readers: Partial<Record<ParameterKind, (name: string, repeated: boolean) => unknown>> = {
    address: (name, repeated) => (repeated ? this.addresses(name) : this.address(name)),
    hash: (name, repeated) => (repeated ? this.hashes(name) : this.hash(name)),
    integer: (name) => this.integer(name),
    int64: (name) => this.bigint(name),
    time: (name) => this.time(name),
    shard: (name) => this.shard(name),
    opcode: (name, repeated) => (repeated ? undefined : this.opcode(name)),
    boolean: (name) => this.flag(name, false),
  };

  constructor(
    values: ParameterValues,
    private readonly headers: ParameterValues = {},
  ) {
    super(values);
  }

  protected skips(name: string, { asTyped, takesNull }: Parameter): boolean {
    return asTyped === true || (takesNull === true && this.text(name) === 'null');
  }

  protected refuse(name: string, _kind: ParameterKind, index?: number): never {
    const place = index === undefined ? `"${name}"` : `index ${index} of "${name}"`;
    throw new ApiError(422, `failed to decode: schema: error converting value for ${place}`);
  }

  /** Whether the caller wants that part of the answer left empty. */
  hides(part: 'address_book' | 'metadata'): boolean {
    const asked = this.headers[`x-no-${part.replace('_', '-')}`] ?? this.values[`x_no_${part}`];
    return typeof asked === 'string' && isTrue(asked);
  }

  /** The same request with other parameters. */
  with(values: ParameterValues): Query {
    return new Query(values, this.headers);
  }

  list(name: string): string[] {
    const value = this.values[name];
    const all: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return all.map(asText).filter((text) => text !== '');
  }

  address(name: string): string | undefined {
    return this.readAddress(name);
  }

  addresses(name: string): string[] {
    return this.list(name).map((text, index) => parseAddress(text) ?? this.refuse(name, 'address', index));
  }

  hash(name: string): string | undefined {
    return this.readHash(name, false);
  }

  hashes(name: string): string[] {
    return this.list(name).map((text, index) => parseHash(text) ?? this.refuse(name, 'hash', index));
  }

  flag(name: string, otherwise: boolean): boolean {
    const text = this.text(name);
    return text === undefined ? otherwise : isTrue(text);
  }

  integer(name: string): number | undefined {
    return this.read(name, 'integer', (text) =>
      /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null,
    );
  }

  /** A shard as 16 uppercase hex digits; accepts hex with or without 0x, and signed decimal. */
  shard(name: string): string | undefined {
    return this.read(name, 'shard', (text) => {
      const isHex = /^(?:0x)?[0-9a-f]{1,16}$/i.test(text);
      if (!isHex && !/^-?\d{1,20}$/.test(text)) {
        return null;
      }
      const number = isHex ? BigInt(`0x${text.replace(/^0x/i, '')}`) : BigInt.asUintN(64, BigInt(text));
      return number.toString(16).toUpperCase().padStart(16, '0');
    });
  }

  /** 32 bits; hex is tried first, then signed decimal. */
  opcode(name: string): number | undefined {
    return this.read(name, 'opcode', (text) => {
      if (/^(?:0x)?[0-9a-f]{1,8}$/i.test(text)) {
        return parseInt(text.replace(/^0x/i, ''), 16);
      }
      return /^-?\d{1,10}$/.test(text) ? Number(text) >>> 0 : null;
    });
  }

  /** Unix seconds; a fraction is truncated. */
  time(name: string): number | undefined {
    return this.read(name, 'time', (text) => {
      const value = Number(text);
      return Number.isFinite(value) && value >= 0 && value < 2 ** 32 ? Math.floor(value) : null;
    });
  }

  /** Page and order; a limit above the maximum or an unknown order is a 500 on most of the service's endpoints. */
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

function isTrue(text: string): boolean {
  return ['true', '1', 't', 'yes', 'on'].includes(text.toLowerCase());
}
