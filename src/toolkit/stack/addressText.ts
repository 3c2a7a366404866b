import { Address } from '@ton/core';
import { readAddressForm } from '../address/addressForm';
import { WorkbenchError } from '../errors';

/** An address, or why the text is not one: a lowercase clause, and what to do. */
export type AddressReading = { address: Address } | { problem: string; suggestion?: string };

/**
 * Whether the text looks like an address, valid or not: then errors are about an address. User-friendly ones begin
 * with EQ, UQ, kQ, 0Q, and with f for Q in the masterchain.
 */
export function looksLikeAddress(text: string): boolean {
  return /^-?\d+:\w/.test(text) || /^[EUk0][Qf][\w+/-]{40,50}$/.test(text);
}

/**
 * Reads a raw (`0:hex`) or user-friendly (TEP-2: 48 characters of base64 or base64url) address.
 * The bounceable and testnet flags are dropped.
 */
export function readAddressText(text: string): AddressReading {
  try {
    const { workchain, hash } = readAddressForm(text);
    return workchain < -128 || workchain > 127
      ? workchainProblem(String(workchain))
      : { address: new Address(workchain, Buffer.from(hash, 'hex')) };
  } catch (error) {
    if (WorkbenchError.is(error, 'address-invalid')) {
      return problemWith(text, error.details);
    }
    throw error;
  }
}

/** The problem as a clause for an error in stack text. */
function problemWith(text: string, { reason, offset }: WorkbenchError['details']): AddressReading {
  const colon = text.indexOf(':');
  const wrong = text.charAt(Number(offset));
  switch (reason) {
    case 'workchain':
      return /^-?\d+:/.test(text)
        ? workchainProblem(text.slice(0, colon))
        : { problem: `“:” is not allowed in an address` };
    case 'character':
      return {
        problem:
          colon < 0
            ? `“${wrong}” is not allowed in an address`
            : `“${wrong}” is not a hex digit of a raw address`,
      };
    case 'length':
      return colon < 0
        ? {
            problem: `an address has 48 characters, this one has ${text.length}`,
            suggestion: 'copy all of it again',
          }
        : {
            problem: `a raw address has 64 hex digits after the colon, this one has ${text.length - colon - 1}`,
          };
    case 'checksum':
      return {
        problem: 'the checksum of the address is wrong',
        suggestion: 'a character is mistyped: copy the address again',
      };
    default:
      return { problem: 'the address starts with an unknown flag' };
  }
}

function workchainProblem(workchain: string): AddressReading {
  return { problem: `the workchain ${workchain} is out of range`, suggestion: 'use 0 or -1' };
}
