import { WorkbenchError } from '../base/errors';
import { findNonBase64 } from './hash';

/** The contents of an address text: the account, and for the user-friendly form its two flags. */
export interface AddressForm {
  workchain: number;
  /** Account id, 64 lowercase hex digits. */
  hash: string;
  form: 'raw' | 'friendly';
  /** Only in the user-friendly form. */
  bounceable?: boolean;
  /** The test-only flag; only in the user-friendly form. */
  testOnly?: boolean;
}

/** Flag byte of the user-friendly form (TEP-2): 0x11 bounceable, 0x51 non-bounceable, 0x80 added for test networks. */
const bounceableTag = 0x11;
const nonBounceableTag = 0x51;
const testOnlyFlag = 0x80;

/**
 * Reads an address in any usual form: raw `workchain:hex`, or user-friendly (TEP-2) in base64 or base64url, bounceable or
 * not, for the main or a test network. White space around it is ignored.
 * @throws WorkbenchError `address-invalid` (input) with details {reason, offset}: the position in the given text
 */
export function readAddressForm(text: string): AddressForm {
  const trimmed = text.trim();
  const start = text.length - text.trimStart().length;
  if (trimmed === '') {
    throw addressInvalidError(text, 'is empty', 'empty', 0);
  }
  return trimmed.includes(':') ? readRaw(text, trimmed, start) : readFriendly(text, trimmed, start);
}

/** `workchain:hex` in lowercase: the form of our own JSON. */
export function toRawAddress({ workchain, hash }: Pick<AddressForm, 'workchain' | 'hash'>): string {
  return `${workchain}:${hash}`;
}

/** The user-friendly form (TEP-2) in base64url, 48 characters. */
export function toFriendlyAddress(
  { workchain, hash }: Pick<AddressForm, 'workchain' | 'hash'>,
  { bounceable, testOnly }: { bounceable: boolean; testOnly: boolean },
): string {
  const bytes = Buffer.alloc(36);
  bytes[0] = (bounceable ? bounceableTag : nonBounceableTag) | (testOnly ? testOnlyFlag : 0);
  bytes.writeInt8(workchain, 1);
  bytes.write(hash, 2, 'hex');
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34);
  return bytes.toString('base64url');
}

function readRaw(text: string, trimmed: string, start: number): AddressForm {
  const colon = trimmed.indexOf(':');
  const workchain = trimmed.slice(0, colon);
  const hash = trimmed.slice(colon + 1);
  if (!/^-?\d{1,10}$/.test(workchain) || Number(workchain) !== (Number(workchain) | 0)) {
    throw addressInvalidError(
      text,
      'needs a workchain number such as 0 or -1 before the colon',
      'workchain',
      start,
    );
  }
  const bad = hash.search(/[^0-9a-fA-F]/);
  if (bad >= 0) {
    const shown = JSON.stringify(hash.charAt(bad));
    throw addressInvalidError(
      text,
      `has ${shown} instead of a hex digit`,
      'character',
      start + colon + 1 + bad,
    );
  }
  if (hash.length !== 64) {
    throw addressInvalidError(
      text,
      `has ${hash.length} hex digits after the colon, not 64`,
      'length',
      start + colon + 1 + Math.min(hash.length, 64),
    );
  }
  return { workchain: Number(workchain), hash: hash.toLowerCase(), form: 'raw' };
}

function readFriendly(text: string, trimmed: string, start: number): AddressForm {
  const bad = findNonBase64(trimmed);
  if (bad >= 0) {
    const shown = JSON.stringify(trimmed.charAt(bad));
    throw addressInvalidError(text, `has ${shown}, which is not base64`, 'character', start + bad);
  }
  if (trimmed.length !== 48) {
    const reason = `has ${trimmed.length} characters, not the 48 of a user-friendly address`;
    throw addressInvalidError(text, reason, 'length', start + Math.min(trimmed.length, 48));
  }
  const bytes = Buffer.from(trimmed, 'base64');
  if (crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
    const reason = 'has a wrong checksum: a character was mistyped or its case changed';
    throw addressInvalidError(text, reason, 'checksum', start);
  }
  const tag = bytes.readUInt8(0);
  const kind = tag & ~testOnlyFlag;
  if (kind !== bounceableTag && kind !== nonBounceableTag) {
    const reason = `begins with the unknown flag byte 0x${tag.toString(16).padStart(2, '0')}`;
    throw addressInvalidError(text, reason, 'flags', start);
  }
  return {
    workchain: bytes.readInt8(1),
    hash: bytes.toString('hex', 2, 34),
    form: 'friendly',
    bounceable: kind === bounceableTag,
    testOnly: (tag & testOnlyFlag) !== 0,
  };
}

/** CRC-16/XMODEM, as required by TEP-2. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc = ((crc << 8) & 0xffff) ^ crc16Table[(crc >> 8) ^ byte]!;
  }
  return crc;
}

const crc16Table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) {
    crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  }
  return crc;
});

function addressInvalidError(
  text: string,
  problem: string,
  reason: 'empty' | 'workchain' | 'character' | 'length' | 'checksum' | 'flags',
  offset: number,
): WorkbenchError {
  const shown = text.trim().slice(0, 80);
  return new WorkbenchError({
    code: 'address-invalid',
    kind: 'input',
    message: shown === '' ? 'The address is empty.' : `The address ${JSON.stringify(shown)} ${problem}.`,
    hint: 'Give it raw (0:83df…, 64 hex digits) or user-friendly (EQ…, UQ…, kQ… or 0Q…, 48 characters).',
    details: { reason, offset },
  });
}

/**
 * The user-friendly form of a wallet's address: not bounceable, because the wallet may not be deployed yet.
 * @throws WorkbenchError `address-invalid` (input)
 */
export function friendlyWallet(address: string): string {
  return toFriendlyAddress(readAddressForm(address), { bounceable: false, testOnly: false });
}

/** Few accounts occur in most deliveries, and parsing one costs as much as verifying a signature. */
const known = new Map<string, string | undefined>();
const maximumKnown = 1_000;

/** Raw form of an address in any usual form; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  if (text.length > 100) {
    return readAddress(text);
  }
  if (known.has(text)) {
    return known.get(text);
  }
  const raw = readAddress(text);
  if (known.size >= maximumKnown) {
    known.clear();
  }
  known.set(text, raw);
  return raw;
}

function readAddress(text: string): string | undefined {
  if (text.trim() !== text) {
    return undefined;
  }
  try {
    return toRawAddress(readAddressForm(text));
  } catch {
    return undefined;
  }
}

/** Whether two texts name the same account. Texts that are not addresses are equal only if identical. */
export function sameAddress(left: string, right: string): boolean {
  return left === right || (canonicalAddress(left) ?? left) === (canonicalAddress(right) ?? right);
}

/**
 * A 256-bit hash in hex (with or without 0x), base64 or base64url as 64 lowercase hex digits; undefined for other
 * text.
 */
export function canonicalHash(text: string): string | undefined {
  const hex = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1];
  if (hex !== undefined) {
    return hex.toLowerCase();
  }
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) {
    return undefined;
  }
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : undefined;
}
