import { Address } from '@ton/core';

/** An address, or why the text is none: a clause in lower case, and what to do. */
export type AddressReading = { address: Address } | { problem: string; suggestion?: string };

/**
 * Whether the text has the shape of an address, right or wrong: a problem with it is one of an address. User-friendly
 * ones begin with EQ, UQ, kQ, 0Q, and with f for Q in the masterchain.
 */
export function looksLikeAddress(text: string): boolean {
  return /^-?\d+:\w/.test(text) || /^[EUk0][Qf][\w+/-]{40,50}$/.test(text);
}

/**
 * Reads a raw (`0:hex`) or user-friendly (TEP-2: 48 characters of base64 or base64url) address.
 * The bounceable and testnet flags are dropped.
 */
export function readAddress(text: string): AddressReading {
  const raw = /^(-?\d+):(.*)$/.exec(text);
  return raw === null ? readFriendly(text) : readRaw(raw[1] ?? '', raw[2] ?? '');
}

function readRaw(workchainText: string, hex: string): AddressReading {
  const wrong = /[^0-9a-f]/i.exec(hex);
  if (wrong !== null) {
    return { problem: `“${wrong[0]}” is no hex digit of a raw address` };
  }
  if (hex.length !== 64) {
    return { problem: `a raw address has 64 hex digits after the colon, this one has ${hex.length}` };
  }
  const workchain = Number(workchainText);
  if (workchain < -128 || workchain > 127) {
    return { problem: `the workchain ${workchainText} is out of range`, suggestion: 'use 0 or -1' };
  }
  return { address: new Address(workchain, Buffer.from(hex, 'hex')) };
}

function readFriendly(text: string): AddressReading {
  const wrong = /[^A-Za-z0-9+/_-]/.exec(text);
  if (wrong !== null) {
    return { problem: `“${wrong[0]}” cannot stand in an address` };
  }
  if (text.length !== 48) {
    return {
      problem: `an address has 48 characters, this one has ${text.length}`,
      suggestion: 'copy it again, whole',
    };
  }
  const bytes = Buffer.from(text, 'base64url');
  if (crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
    return {
      problem: 'the checksum of the address is wrong',
      suggestion: 'a character is mistyped: copy the address again',
    };
  }
  const tag = bytes.readUInt8(0) & 0x7f;
  if (tag !== 0x11 && tag !== 0x51) {
    return { problem: `the address starts with an unknown flag 0x${tag.toString(16)}` };
  }
  return { address: new Address(bytes.readInt8(1), bytes.subarray(2, 34)) };
}

/** CRC-16/XMODEM, as TEP-2 asks. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    }
    crc &= 0xffff;
  }
  return crc;
}
