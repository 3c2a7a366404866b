import { WorkbenchError, withoutTrailing } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import type { Boc } from './boc';
import { bocMagics, isBocHex } from './bocMagics';
import { readBoc } from './readBoc';

/**
 * A BoC from text in any usual form: base64, base64url or hex, with white space, quotes, a `0x`, Fift's `B{…}` or a
 * leading `cell`/`slice` word around it.
 *
 * @throws WorkbenchError `boc-text-invalid` with `details.offset` in characters, and the errors of `readBoc`.
 */
export function parseBocInput(text: string): Boc {
  return readBoc(bocTextToBytes(text));
}

/** A BoC from the bytes of a file: the binary form, or any form that {@link parseBocInput} reads. */
export function readBocInput(bytes: Uint8Array): Boc {
  if (bytes.length > limits.bocText.most) {
    throw overLimitError('bocText');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const binary =
    bytes.length < 4 || Object.values<number>(bocMagics).includes(view.getUint32(0)) || !isAscii(bytes);
  return binary ? readBoc(bytes) : parseBocInput(Buffer.from(bytes).toString('latin1'));
}

/** Whether `text` looks like a BoC, for hovers and clipboard offers; cheap, and no guarantee that it is valid. */
export function looksLikeBoc(text: string): boolean {
  const { body } = unwrap(text);
  return (
    /^(te6cc|aP9l8|rMOnK)[A-Za-z0-9+/_=\s-]+$/.test(body) ||
    (isBocHex(body.replace(/^0x/i, '')) && /^(0x)?[0-9a-f]{8}[0-9a-f\s]+$/i.test(body))
  );
}

/** The bytes encoded by `text`; see {@link parseBocInput}. */
export function bocTextToBytes(text: string): Buffer {
  const { body, start } = unwrap(text);
  const prefix = /^0x/i.test(body) ? 2 : 0;
  const digits = body.slice(prefix).replace(/\s+/g, '');
  if (digits === '') {
    throw textError('There is no BoC in this text.', 0);
  }
  if (prefix > 0 || isBocHex(digits) || /^[0-9a-f]+$/i.test(digits)) {
    requireAll(body, start, prefix, /[^0-9a-f\s]/i, 'hex');
    if (digits.length % 2 === 1) {
      throw textError('The hex text has an odd number of digits.', start + body.length);
    }
    return Buffer.from(digits, 'hex');
  }
  requireAll(body, start, 0, /[^A-Za-z0-9+/_\s=-]|=(?=\s*[^=\s])/, 'base64');
  if (withoutTrailing(digits, '=').length % 4 === 1) {
    throw textError('The base64 text ends in the middle of a byte.', start + body.length);
  }
  return Buffer.from(digits, 'base64');
}

function requireAll(body: string, start: number, from: number, wrong: RegExp, form: string): void {
  const at = body.slice(from).search(wrong);
  if (at >= 0) {
    const character = JSON.stringify(body[from + at]);
    throw textError(`${character} is not allowed in ${form}.`, start + from + at);
  }
}

function unwrap(text: string): { body: string; start: number } {
  const start = /^\s*(?:(?:cell|slice|builder)\s+)?(?:B\{|["'`])?\s*/.exec(text)?.[0].length ?? 0;
  const body = withoutOne(withoutOne(text.slice(start).trimEnd(), ',;'), '}"\'`').trimEnd();
  return { body, start };
}

/** `text` without its last character if that is one of `characters`. */
function withoutOne(text: string, characters: string): string {
  return text !== '' && characters.includes(text.charAt(text.length - 1)) ? text.slice(0, -1) : text;
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 128);
}

function textError(message: string, offset: number): WorkbenchError {
  return new WorkbenchError({
    code: 'boc-text-invalid',
    kind: 'input',
    message,
    hint: 'A BoC is written in base64 (te6cc…), base64url or hex (b5ee9c72…).',
    details: { offset },
  });
}
