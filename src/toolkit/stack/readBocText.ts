import { Cell } from '@ton/core';
import { withoutTrailing } from '../base/errors';
import { isBocHex } from '../cell/bocMagics';

/** A cell, or why the text is not one; `index` and `length` are the position in the text. */
export type BocReading =
  { cell: Cell } | { problem: string; index: number; length: number; suggestion?: string | undefined };

/** Reads a bag of cells with one root, written in hex, base64 or base64url. */
export function readBocText(text: string): BocReading {
  const whole = { index: 0, length: text.length };
  const isHex = /^[0-9a-f]+$/i.test(text) && isBocHex(text);
  if (isHex && text.length % 2 !== 0) {
    return { problem: 'a hex digit is missing: the number of digits is odd', ...whole };
  }
  const problem = isHex ? undefined : base64Problem(text);
  if (problem !== undefined) {
    return problem;
  }
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (!isBocHex(bytes.subarray(0, 4).toString('hex'))) {
    return {
      problem: 'this is not a bag of cells: its first bytes are wrong',
      suggestion: 'a bag of cells starts with te6cc in base64 or b5ee9c72 in hex; bits are written x{…}',
      ...whole,
    };
  }
  return parseRoot(bytes, whole);
}

function parseRoot(bytes: Buffer, whole: { index: number; length: number }): BocReading {
  try {
    const roots = Cell.fromBoc(bytes);
    const root = roots[0];
    return roots.length === 1 && root !== undefined
      ? { cell: root }
      : { problem: `the bag has ${roots.length} roots; it must have one`, ...whole };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
    return {
      problem: `the bag of cells is damaged (${reason})`,
      suggestion: 'a part of it is missing or mistyped: copy all of it again',
      ...whole,
    };
  }
}

function base64Problem(text: string): BocReading | undefined {
  const wrong = /[^A-Za-z0-9+/=_-]/u.exec(text) ?? /=(?!=?$)/.exec(text);
  if (wrong !== null) {
    return {
      problem: `“${wrong[0]}” is not allowed here in base64`,
      index: wrong.index,
      length: wrong[0].length,
    };
  }
  const digits = withoutTrailing(text, '=').length;
  const isPadded = text.length !== digits;
  if (digits % 4 === 1 || (isPadded && text.length % 4 !== 0)) {
    return {
      problem: `base64 of ${text.length} characters is incomplete`,
      suggestion: 'a part of it is missing: copy all of it again',
      index: 0,
      length: text.length,
    };
  }
  return undefined;
}
