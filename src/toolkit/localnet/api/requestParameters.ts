import { Address } from '@ton/core';
import type { Endpoint } from '../../access/endpoint/endpoint';
import type { Parameter, ParameterKind } from '../../access/endpoint/parameter';
import { readAddressForm, toRawAddress } from '../../address/canonicalAddress';
import { parseHash } from './apiError';

/** Parameters as received: from the query, where repeated keys are lists, or from a JSON body. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** Reads a request's parameters. The two APIs differ in what they accept and in how they reject a value. */
export abstract class RequestParameters {
  constructor(readonly values: ParameterValues) {}

  /** Throws the service's error for an invalid value. @param index its place in a list */
  protected abstract refuse(name: string, kind: ParameterKind, index?: number): never;

  /** Reads every value of a parameter by its kind; other kinds are left to the handlers. */
  protected abstract readonly readers: Partial<
    Record<ParameterKind, (name: string, repeated: boolean) => unknown>
  >;

  /** Whether a parameter is left to its handler. */
  protected abstract skips(name: string, parameter: Parameter): boolean;

  /**
   * Reads every parameter of the endpoint, so that invalid ones that no handler uses are rejected too. Handlers
   * report missing ones.
   */
  check({ parameters }: Endpoint): void {
    for (const [name, parameter] of Object.entries(parameters)) {
      if (!this.skips(name, parameter)) {
        this.readers[parameter.kind]?.(name, parameter.repeated);
      }
    }
  }

  /** The value as text; the last one of a list. Undefined if missing, null, or empty. */
  text(name: string): string | undefined {
    const value = this.values[name];
    const one: unknown = Array.isArray(value) ? value.at(-1) : value;
    return one === undefined || one === null || one === '' ? undefined : asText(one);
  }

  /** An integer of at most 20 digits. */
  bigint(name: string): bigint | undefined {
    return this.read(name, 'int64', (text) => (/^-?\d{1,20}$/.test(text) ? BigInt(text) : null));
  }

  /** An address in any usual form, converted to the chain's form. */
  protected readAddress(name: string): string | undefined {
    return this.read(name, 'address', parseAddress);
  }

  /** @param unpadded also accepts base64url without padding */
  protected readHash(name: string, unpadded: boolean): string | undefined {
    return this.read(name, 'hash', (text) => parseHash(text, unpadded));
  }

  /** The value as parsed by `parse`, which returns null to reject it. */
  protected read<T>(name: string, kind: ParameterKind, parse: (text: string) => T | null): T | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : (parse(text) ?? this.refuse(name, kind));
  }
}

/**
 * A parameter's value as text: JSON if it is neither text nor missing. A number of 64 bits has all its digits: clients
 * send the shard -9223372036854775808 as one.
 */
export function asText(value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 64) {
    return BigInt(value).toString();
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const rawForm = /^(-?\d{1,3}):[0-9a-fA-F]{64}$/;
const friendlyForm = /^[A-Za-z0-9+/_-]{48}$/;

/** Any usual form of an address as raw lowercase; null if the text is not an address. */
export function parseAddress(text: string): string | null {
  const workchain = rawForm.exec(text)?.[1];
  const isWanted = workchain === undefined ? friendlyForm.test(text) : isInt8(Number(workchain));
  try {
    return isWanted ? toRawAddress(readAddressForm(text)) : null;
  } catch {
    return null;
  }
}

function isInt8(value: number): boolean {
  return value >= -128 && value <= 127;
}

/** The user-friendly form (base64url). */
export function friendlyAddress(raw: string, bounceable: boolean): string {
  return Address.parseRaw(raw).toString({ bounceable });
}
