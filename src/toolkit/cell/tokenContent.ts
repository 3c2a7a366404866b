import { createHash } from 'node:crypto';
import type { Cell, Slice } from '@ton/core';
import { Dictionary } from '@ton/core';

/** Token data by TEP-64: on-chain attributes, or the URI of an off-chain document as `uri`. */
export interface TokenContent {
  layout: 'onchain' | 'offchain';
  attributes: Record<string, string>;
}

const names = [
  'uri',
  'name',
  'description',
  'image',
  'image_data',
  'symbol',
  'decimals',
  'amount_style',
  'render_type',
];
const nameOf = new Map(names.map((name) => [createHash('sha256').update(name).digest('hex'), name]));

/** What cannot be read is left out; never throws. */
export function readTokenContent(cell: Cell): TokenContent {
  try {
    const slice = cell.beginParse();
    if (slice.remainingBits >= 8 && slice.preloadUint(8) === 0) {
      return { layout: 'onchain', attributes: readAttributes(slice.skip(8)) };
    }
    if (slice.remainingBits >= 8 && slice.preloadUint(8) === 1) {
      slice.skip(8);
    }
    return { layout: 'offchain', attributes: { uri: readSnake(slice) } };
  } catch {
    return { layout: 'offchain', attributes: {} };
  }
}

function readAttributes(slice: Slice): Record<string, string> {
  const dictionary = slice.loadDict(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const result: Record<string, string> = {};
  for (const [key, value] of dictionary) {
    const hex = key.toString(16).padStart(64, '0');
    const name = nameOf.get(hex) ?? hex;
    const text = readAttribute(value);
    if (text !== undefined) {
      result[name] = text;
    }
  }
  return result;
}

function readAttribute(cell: Cell): string | undefined {
  try {
    const slice = cell.beginParse();
    if (slice.remainingBits >= 8 && slice.preloadUint(8) === 0) {
      slice.skip(8);
    }
    return readSnake(slice);
  } catch {
    return undefined;
  }
}

/** Bytes of a cell and of the cells that continue it, as UTF-8. */
export function readSnake(slice: Slice): string {
  const parts: Buffer[] = [];
  for (let part = slice; ; part = part.loadRef().beginParse()) {
    parts.push(part.loadBuffer(Math.floor(part.remainingBits / 8)));
    if (part.remainingRefs === 0) {
      return Buffer.concat(parts).toString('utf8');
    }
  }
}
