import type { Endpoint } from '../../access/endpoint';
import type { ParameterKind } from '../../access/parameter';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/parseAddress';
import { parseHash } from '../api/parseHash';

/** How the parameters came; the service's error texts say so. */
export type Source = 'get' | 'post';

/** Reads parameters as the non-indexed API does; what cannot be read is 422. */
export class V2Parameters {
  constructor(
    readonly values: Readonly<Record<string, unknown>>,
    readonly source: Source,
  ) {}

  /** Reads every parameter of the endpoint as its kind says; what is missing is for the handler to say. */
  check({ parameters }: Endpoint): void {
    for (const [name, { kind, repeated }] of Object.entries(parameters)) {
      if (!repeated && this.text(name) !== undefined) {
        readers[kind]?.(this, name);
      }
    }
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    const one: unknown = Array.isArray(value) && this.source === 'get' ? value.at(-1) : value;
    if (one === undefined || one === null || one === '') {
      return undefined;
    }
    return typeof one === 'string' ? one : JSON.stringify(one);
  }

  /** A required address as `wc:HEX`. */
  address(name = 'address', missing = 'empty address'): string {
    const text = this.text(name);
    if (text === undefined) {
      throw this.invalid(missing);
    }
    return parseAddress(text) ?? this.fail('failed to parse address');
  }

  hash(name = 'hash'): string | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : (parseHash(text, true) ?? this.fail(`failed to parse ${name}`));
  }

  integer(name: string): number | undefined {
    const value = this.bigint(name);
    return value === undefined ? undefined : Number(value);
  }

  bigint(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) {
      return undefined;
    }
    return /^-?\d{1,20}$/.test(text) ? BigInt(text) : this.fail(`failed to parse ${name}`);
  }

  /** A masterchain seqno. */
  seqno(): number | undefined {
    const seqno = this.integer('seqno');
    if (seqno !== undefined && seqno <= 0) {
      throw this.invalid('seqno should be positive');
    }
    return seqno;
  }

  /** The error of a value that cannot be read. */
  fail(text: string): never {
    throw new ApiError(422, `failed to parse ${this.source} request: ${text}`);
  }

  /** The error of a value that can be read and not used. */
  invalid(text: string): ApiError {
    return new ApiError(422, `failed to validate request: ${text}`);
  }
}

/** How the service reads each kind; shards, stacks and BoCs are judged by those who use them. */
const readers: Partial<Record<ParameterKind, (parameters: V2Parameters, name: string) => unknown>> = {
  address: (parameters, name) => parameters.address(name),
  hash: (parameters, name) => parameters.hash(name),
  integer: (parameters, name) => parameters.integer(name),
  int64: (parameters, name) => parameters.bigint(name),
  time: (parameters, name) => parameters.integer(name),
};
