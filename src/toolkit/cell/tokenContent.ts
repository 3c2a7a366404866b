import type { Cell, Slice } from '@ton/core';
import { createHash } from 'node:crypto';
import { WorkbenchError } from '../base/errors';
import { WorkBudget } from '../base/limits';

/** Token data by TEP-64: on-chain attributes, or the URL of an off-chain document as `uri`. */
export interface TokenContent {
  layout: 'onchain' | 'offchain';
  attributes: Record<string, string>;
  /** There is more than the limit `tokenContent` allows: attributes may be missing. */
  isCut?: true;
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

/**
 * The content of a cell that cannot be anything else: on-chain attributes of which one has a well-known name, or the
 * URL of an off-chain document. Undefined for any other cell, which the lenient {@link readTokenContent} would read too.
 */
export function evidentTokenContent(cell: Cell): TokenContent | undefined {
  if (cell.isExotic || cell.bits.length < 8) {
    return undefined;
  }
  const tag = cell.beginParse().preloadUint(8);
  if (tag === 0 ? cell.bits.length !== 9 || cell.refs.length !== 1 : tag !== 1) {
    return undefined;
  }
  const content = readTokenContent(cell);
  const isEvident =
    content.layout === 'onchain'
      ? names.some((name) => Object.hasOwn(content.attributes, name))
      : /^[a-z][a-z0-9+.-]*:\/\/[^\s\p{C}\ufffd]+$/iu.test(content.attributes.uri ?? '');
  return isEvident ? content : undefined;
}

/** Unreadable parts are skipped; never throws. */
export function readTokenContent(cell: Cell): TokenContent {
  const budget = new WorkBudget('tokenContent');
  const attributes: Record<string, string> = {};
  let layout: TokenContent['layout'] = 'offchain';
  try {
    const slice = cell.beginParse();
    if (slice.remainingBits >= 8 && slice.preloadUint(8) === 0) {
      readAttributes(slice.skip(8), attributes, budget, () => (layout = 'onchain'));
      return { layout, attributes };
    }
    if (slice.remainingBits >= 8 && slice.preloadUint(8) === 1) {
      slice.skip(8);
    }
    attributes.uri = readSnake(slice, budget);
    return { layout, attributes };
  } catch (error) {
    return WorkbenchError.is(error, 'over-limit')
      ? { layout, attributes, isCut: true }
      : { layout: 'offchain', attributes: {} };
  }
}

function readAttributes(
  slice: Slice,
  into: Record<string, string>,
  budget: WorkBudget,
  onDictionary: () => void,
): void {
  const dictionary = slice.loadMaybeRef();
  onDictionary();
  if (dictionary === null) {
    return;
  }
  readDictionary(dictionary, 256, budget, (key, value) => {
    const hex = key.toString(16).padStart(64, '0');
    const text = value.remainingRefs === 0 ? undefined : readAttribute(value.loadRef(), budget);
    if (text !== undefined) {
      into[nameOf.get(hex) ?? hex] = text;
    }
  });
}

function readAttribute(cell: Cell, budget: WorkBudget): string | undefined {
  try {
    const slice = cell.beginParse();
    const tag = slice.remainingBits >= 8 ? slice.preloadUint(8) : undefined;
    if (tag === 1) {
      return readChunks(slice.skip(8), budget);
    }
    return readSnake(tag === 0 ? slice.skip(8) : slice, budget);
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      throw error;
    }
    return undefined;
  }
}

/** `chunks#01 (HashmapE 32 ^SnakeData)`: the parts in the order of their numbers; a letter may be cut between two. */
function readChunks(slice: Slice, budget: WorkBudget): string {
  const dictionary = slice.loadMaybeRef();
  const parts: Buffer[] = [];
  if (dictionary !== null) {
    readDictionary(dictionary, 32, budget, (_, value) =>
      parts.push(snakeBytes(value.loadRef().beginParse(), budget)),
    );
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Bytes of a cell and its continuation cells, as UTF-8. */
export function readSnake(slice: Slice, budget = new WorkBudget('tokenContent')): string {
  return snakeBytes(slice, budget).toString('utf8');
}

function snakeBytes(slice: Slice, budget: WorkBudget): Buffer {
  const parts: Buffer[] = [];
  for (let part = slice; ; part = part.loadRef().beginParse()) {
    budget.spend();
    parts.push(part.loadBuffer(Math.floor(part.remainingBits / 8)));
    if (part.remainingRefs === 0) {
      return Buffer.concat(parts);
    }
  }
}

/**
 * Calls `visit` with every entry of a dictionary (HashmapE without its first bit, block.tlb), in the order of the
 * keys read as unsigned numbers. Exotic (pruned) branches are skipped.
 *
 * Dictionaries from the chain must be read with this and not with `Dictionary.load` of @ton/core: n cells that share
 * references can hold 2^n entries. Each visit of a cell spends one unit of `budget`.
 *
 * @param keyBits bits of a key
 * @param visit is given the value, and the cell that it is the rest of
 * @throws WorkbenchError `over-limit` if the budget is used up; Error if the cell is not a dictionary with such keys
 */
export function readDictionary(
  root: Cell,
  keyBits: number,
  budget: WorkBudget,
  visit: (key: bigint, value: Slice, cell: Cell) => void,
): void {
  const waiting = [{ cell: root, prefix: 0n, left: keyBits }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    budget.spend();
    if (next.cell.isExotic && next.cell !== root) {
      continue;
    }
    const slice = next.cell.beginParse();
    const label = readLabel(slice, next.left);
    const prefix = (next.prefix << BigInt(label.bits)) | label.value;
    const left = next.left - label.bits;
    if (left === 0) {
      visit(prefix, slice, next.cell);
      continue;
    }
    const [zero, one] = [slice.loadRef(), slice.loadRef()];
    waiting.push({ cell: one, prefix: (prefix << 1n) | 1n, left: left - 1 });
    waiting.push({ cell: zero, prefix: prefix << 1n, left: left - 1 });
  }
}

/**
 * HmLabel of block.tlb: the label of a dictionary's edge.
 *
 * @param most bits that it may have
 * @throws Error if it is longer, or if the slice has none
 */
export function readLabel(slice: Slice, most: number): { value: bigint; bits: number } {
  const lengthBits = 32 - Math.clz32(most);
  let bits = 0;
  let value = 0n;
  if (!slice.loadBit()) {
    while (slice.loadBit()) {
      bits++;
    }
    value = bits > most ? 0n : slice.loadUintBig(bits);
  } else if (!slice.loadBit()) {
    bits = slice.loadUint(lengthBits);
    value = bits > most ? 0n : slice.loadUintBig(bits);
  } else {
    const isOnes = slice.loadBit();
    bits = slice.loadUint(lengthBits);
    value = isOnes && bits <= most ? (1n << BigInt(bits)) - 1n : 0n;
  }
  if (bits > most) {
    throw new Error('the label is longer than the key');
  }
  return { value, bits };
}
