import type { Parameter, ParameterKind } from '../../access/endpoint/parameter';
import { ApiError } from '../api/apiError';
import type { ParameterValues } from '../api/requestParameters';
import { asText, RequestParameters } from '../api/requestParameters';

/** How the parameters were sent; the service's error messages name it. */
export type Source = 'get' | 'post';

/** Reads parameters like the non-indexed API; an invalid value is a 422. */
export class V2Parameters extends RequestParameters {
  /** Shards, stacks, and BoCs are left to the handlers. */
  protected readonly readers: Partial<Record<ParameterKind, (name: string) => unknown>> = {
    address: (name) => this.address(name),
    hash: (name) => this.hash(name),
    integer: (name) => this.integer(name),
    int64: (name) => this.bigint(name),
    time: (name) => this.integer(name),
  };

  constructor(
    values: ParameterValues,
    readonly source: Source,
    /** Maximum `limit` of getTransactions. */
    readonly transactionsLimit = 1000,
  ) {
    super(values);
  }

  protected skips(name: string, { repeated }: Parameter): boolean {
    return repeated || this.text(name) === undefined;
  }

  protected refuse(name: string, kind: ParameterKind): never {
    return this.fail(`failed to parse ${kind === 'address' ? kind : name}`);
  }

  override text(name: string): string | undefined {
    const value = this.values[name];
    // A list in a body is not a repeated key.
    return this.source === 'post' && Array.isArray(value) ? asText(value) : super.text(name);
  }

  /** A required address. */
  address(name = 'address', missing = 'empty address'): string {
    const address = this.readAddress(name);
    if (address === undefined) {
      throw this.invalid(missing);
    }
    return address;
  }

  hash(name = 'hash'): string | undefined {
    return this.readHash(name, true);
  }

  integer(name: string): number | undefined {
    const value = this.bigint(name);
    return value === undefined ? undefined : Number(value);
  }

  /** A masterchain seqno. */
  seqno(): number | undefined {
    const seqno = this.integer('seqno');
    if (seqno !== undefined && seqno <= 0) {
      throw this.invalid('seqno should be positive');
    }
    return seqno;
  }

  /** Throws the error for an unreadable value. */
  fail(text: string): never {
    throw new ApiError(422, `failed to parse ${this.source} request: ${text}`);
  }

  /** The error for a readable but unusable value. */
  invalid(text: string): ApiError {
    return new ApiError(422, `failed to validate request: ${text}`);
  }
}
