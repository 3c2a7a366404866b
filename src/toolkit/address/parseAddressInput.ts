import { Address } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { readAddressForm } from './canonicalAddress';
import { parseHashInput } from './hash';

/** What a link names. */
export interface ChainLink {
  /** Of a transaction, a message, or a trace: 64 lowercase hex digits. */
  hash?: string;
  /** Raw, lowercase. */
  account?: string;
}

/** Whether a text is a link: of an explorer, of an API, or to pay (`ton://`). */
export function isLink(text: string): boolean {
  return /^(?:https?|ton):\/\//i.test(text.trim());
}

/**
 * What a link names: the hash and the account in its path, its query, or its fragment, whoever's explorer it is. If it
 * has several, the first hash and the last account count.
 * @returns without both if it names neither
 */
export function readLink(text: string): ChainLink {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    return {};
  }
  const url = new URL(trimmed);
  const parts = [url.host, ...url.pathname.split('/'), ...url.searchParams.values(), url.hash.slice(1)];
  const found = parts.flatMap((part) => {
    const plain = decode(part);
    // Some explorers write lt:hash:account or lt_hash.
    const whole = readHashOrAccount(plain);
    return [whole, ...(whole === undefined ? plain.split(/[:,;]/).map(readHashOrAccount) : [])];
  });
  const hash = found.find((one) => one?.hash !== undefined)?.hash;
  const account = found.findLast((one) => one?.account !== undefined)?.account;
  return { ...(hash === undefined ? {} : { hash }), ...(account === undefined ? {} : { account }) };
}

/**
 * The text itself, or the account that it names if it is a link.
 * @throws WorkbenchError `address-invalid` (input) for a link without an account
 */
export function linkedAccount(text: string): string {
  if (!isLink(text)) {
    return text;
  }
  const { account, hash } = readLink(text);
  if (account === undefined) {
    throw new WorkbenchError({
      code: 'address-invalid',
      kind: 'input',
      message:
        hash === undefined
          ? 'The link names no account.'
          : 'The link names a transaction or a message, not an account.',
      hint: 'Give the address of the account, or a link to its page.',
    });
  }
  return account;
}

/** A plain hash or account, in any form; undefined if the text is neither. */
export function readHashOrAccount(text: string): ChainLink | undefined {
  try {
    return { hash: parseHashInput(text) };
  } catch {
    // Not a hash, but maybe an address.
  }
  try {
    return { account: parseAddressInput(text).toRawString() };
  } catch {
    return undefined;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The account an address text names, in any usual form: raw, bounceable, non-bounceable, for a test network, in base64 or
 * base64url. The flags of the user-friendly form are dropped; `readAddressForm` keeps them.
 * @throws WorkbenchError `address-invalid` (input) with details {reason, offset}
 */
export function parseAddressInput(text: string): Address {
  const { workchain, hash } = readAddressForm(text);
  return new Address(workchain, Buffer.from(hash, 'hex'));
}
