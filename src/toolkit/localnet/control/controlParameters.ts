import { Cell } from '@ton/core';
import { ownValue } from '../../ownValue';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/parseAddress';
import { fitsCoins } from '../../numberWidths';

/** Parameters of the control API; an invalid one is answered with 422 and its name. */
export class ControlParameters<Name extends string = string> {
  /** @param names raw addresses by account name */
  constructor(
    readonly values: Readonly<Record<string, unknown>>,
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  /** Rejects parameters that a command does not have. */
  only(names: readonly string[]): void {
    const unknown = Object.keys(this.values).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      refuse(
        JSON.stringify(unknown.slice(0, 40)),
        `is not a parameter of this command, which takes ${names.join(', ')}`,
      );
    }
  }

  optionalText(name: Name): string | undefined {
    const value = ownValue(this.values, name);
    return value === undefined || value === null
      ? undefined
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  }

  text(name: Name): string {
    return this.optionalText(name) ?? refuse(name, 'is missing');
  }

  /** An address in any form, or an account's name. */
  address(name: Name): string {
    return this.optionalAddress(name) ?? refuse(name, 'is missing');
  }

  optionalAddress(name: Name): string | undefined {
    const text = this.optionalText(name);
    if (text === undefined) {
      return undefined;
    }
    return (
      parseAddress(this.names.get(text) ?? text) ??
      refuse(name, 'is neither an address nor the name of an account')
    );
  }

  /** Nanocoins, as decimal text or a safe number. */
  optionalAmount(name: Name): bigint | undefined {
    const text = this.optionalText(name);
    if (text === undefined) {
      return undefined;
    }
    const amount = /^\d{1,1000}$/.test(text) ? BigInt(text) : refuse(name, 'is not an amount in nanocoins');
    return fitsCoins(amount) ? amount : refuse(name, 'does not fit in 120 bits, as amounts of coins must');
  }

  amount(name: Name): bigint {
    return this.optionalAmount(name) ?? refuse(name, 'is missing');
  }

  /** A whole number. */
  optionalNumber(name: Name, minimum: number, maximum: number): number | undefined {
    const value = this.#number(name);
    return value === undefined || (Number.isInteger(value) && value >= minimum && value <= maximum)
      ? value
      : refuse(name, `is not a whole number from ${minimum} to ${maximum}`);
  }

  /** Seconds, with fractions. */
  optionalSeconds(name: Name, maximum: number): number | undefined {
    const value = this.#number(name);
    return value === undefined || (value >= 0 && value <= maximum)
      ? value
      : refuse(name, `is not a number from 0 to ${maximum}`);
  }

  /** NaN for text that is no number. */
  #number(name: Name): number | undefined {
    const text = this.optionalText(name);
    return text?.trim() === '' ? NaN : text === undefined ? undefined : Number(text);
  }

  optionalFlag(name: Name): boolean | undefined {
    const text = this.optionalText(name);
    return text === undefined ? undefined : text === 'true' || text === '1';
  }

  /** A BoC in base64 or hex. */
  optionalCell(name: Name): Cell | undefined {
    const text = this.optionalText(name);
    if (text === undefined) {
      return undefined;
    }
    try {
      const hex = /^(?:[0-9a-f]{2})+$/i.test(text);
      return Cell.fromBoc(Buffer.from(text, hex ? 'hex' : 'base64'))[0] ?? refuse(name, 'is empty');
    } catch {
      return refuse(name, 'is not a bag of cells');
    }
  }

  cell(name: Name): Cell {
    return this.optionalCell(name) ?? refuse(name, 'is missing');
  }
}

function refuse(name: string, why: string): never {
  throw new ApiError(422, `${name} ${why}`);
}
