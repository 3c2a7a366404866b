import { WorkbenchError, withoutTrailing } from '../base/errors';

/**
 * A 256-bit hash in any usual form as 64 lowercase hex digits: hex, hex after `0x`, base64 or base64url, with or
 * without padding. White space around it is ignored.
 * @throws WorkbenchError `hash-invalid` (input) with details {reason, offset}: the position in the given text
 */
export function parseHashInput(text: string): string {
  const trimmed = text.trim();
  const start = text.length - text.trimStart().length;
  const prefix = /^0x/i.test(trimmed) && trimmed.length !== 44 && trimmed.length !== 43 ? 2 : 0;
  const body = trimmed.slice(prefix);
  if (body.length === 64 || prefix > 0) {
    return readHex(text, body, start + prefix);
  }
  const bad = findNonBase64(body);
  if (bad >= 0) {
    const shown = JSON.stringify(body.charAt(bad));
    throw hashInvalidError(text, `has ${shown}, which is not base64`, 'character', start + bad);
  }
  const unpadded = withoutTrailing(body, '=');
  const bytes = Buffer.from(unpadded, 'base64');
  if (unpadded.length !== 43 || bytes.length !== 32) {
    const problem = `has ${body.length} characters, not the 64 of hex or the 43 or 44 of base64`;
    throw hashInvalidError(text, problem, 'length', start + Math.min(body.length, 64));
  }
  // The last of 43 characters carries two meaningless bits: anything but zero is a typo.
  if (bytes.toString('base64url') !== unpadded.replaceAll('+', '-').replaceAll('/', '_')) {
    throw hashInvalidError(text, 'ends in a character that 32 bytes cannot end in', 'character', start + 42);
  }
  return bytes.toString('hex');
}

/** The standard base64 form (44 characters) of a hash in hex. */
export function hashToBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

function readHex(text: string, body: string, start: number): string {
  const bad = body.search(/[^0-9a-fA-F]/);
  if (bad >= 0) {
    const shown = JSON.stringify(body.charAt(bad));
    throw hashInvalidError(text, `has ${shown} instead of a hex digit`, 'character', start + bad);
  }
  if (body.length !== 64) {
    const problem = `has ${body.length} hex digits, not 64`;
    throw hashInvalidError(text, problem, 'length', start + Math.min(body.length, 64));
  }
  return body.toLowerCase();
}

function hashInvalidError(
  text: string,
  problem: string,
  reason: 'character' | 'length',
  offset: number,
): WorkbenchError {
  const shown = text.trim().slice(0, 90);
  return new WorkbenchError({
    code: 'hash-invalid',
    kind: 'input',
    message: shown === '' ? 'The hash is empty.' : `The hash ${JSON.stringify(shown)} ${problem}.`,
    hint: 'Give 32 bytes as 64 hex digits, or as 44 characters of base64 or base64url.',
    details: { reason, offset },
  });
}

/** Index of the first character that is neither base64 nor base64url (padding allowed only at the end), or -1. */
export function findNonBase64(text: string): number {
  const body = text.replace(/={1,2}$/, '');
  return body.search(/[^A-Za-z0-9+/_-]/);
}

/**
 * Hex digits, or a raw address, in uppercase: how the services write addresses and the bytes of decoded bodies.
 * Inside the program both are lowercase.
 */
export function upperHex(text: string): string {
  return text.toUpperCase();
}
