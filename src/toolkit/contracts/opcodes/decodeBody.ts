import type { Slice } from '@ton/core';
import { Address, Cell } from '@ton/core';
import { isReadableText } from '../../base/text';
import type { BodyValue, DecodedBody } from './decodedBody';
import { decodeExtensionAction, decodeSigned } from './decodedBody';
import type { FieldType } from './opcodes';
import { opcodeHex, opcodes } from './opcodes';
import { readRichBounce, richBounceTag } from './richBounce';
import { walletTags } from './walletCodes';

/** Helps to read a body that does not identify itself. */
export interface BodyContext {
  /** Interfaces of the receiver, for example `wallet_v4r2`: signed external bodies carry no opcode. */
  interfaces?: readonly string[] | undefined;
  external?: boolean | undefined;
}

const maximumNesting = 4;

/** The first 32 bits of the body of a bounced message. */
export const bouncedTag = 0xffffffff;

/** Name of a bounced body unknown to the table. */
export const unknownBody = 'unknown';

/**
 * Decodes a body with the built-in opcode table; undefined if no layout is known.
 *
 * @param body a bag of cells in base64
 */
export function decodeBody(body: string, context: BodyContext = {}): DecodedBody | undefined {
  let cell: Cell;
  try {
    cell = Cell.fromBase64(body);
  } catch {
    return undefined;
  }
  return decodeBodyCell(cell, context, 0);
}

/** Whether a layout gave a body's contents, not just its name. */
export function isReadBody(body: DecodedBody | undefined): boolean {
  return (
    body !== undefined &&
    !body.broken &&
    body.name !== unknownBody &&
    (body.fields.length > 0 || body.left.bits + body.left.refs === 0)
  );
}

/** {@link decodeBody} for a cell. */
export function decodeBodyCell(cell: Cell, context: BodyContext, nesting: number): DecodedBody | undefined {
  if (cell.isExotic) {
    return undefined;
  }
  const slice = cell.beginParse();
  if (slice.remainingBits < 32) {
    return slice.remainingBits === 0 && slice.remainingRefs === 0 ? emptyBody() : undefined;
  }
  const code = slice.preloadUint(32);
  if (context.external === true || code === walletTags.signedExternal || code === walletTags.signedInternal) {
    const signed = decodeSigned(cell, context.interfaces ?? []);
    if (signed !== undefined || context.external === true) {
      return signed;
    }
  }
  if (code === bouncedTag) {
    return bouncedBody(slice.skip(32), nesting);
  }
  if (code === richBounceTag) {
    return richBounceBody(cell, nesting);
  }
  if (code === walletTags.extensionAction) {
    return decodeExtensionAction(cell) ?? named(code, slice.skip(32));
  }
  const known = opcodes.get(code);
  if (known?.fields === undefined) {
    return named(code, slice.skip(32));
  }
  const result = bare(known.name, code, known.source);
  readFields(slice.skip(32), known.fields, result, nesting);
  return result;
}

/** What has a name in the table, and no layout. */
function named(code: number, left: Slice): DecodedBody | undefined {
  const known = opcodes.get(code);
  return known === undefined ? undefined : { ...bare(known.name, code, known.source), left: leftOf(left) };
}

function bare(name: string, code: number | undefined, source: string): DecodedBody {
  return {
    name,
    opcode: code === undefined ? undefined : opcodeHex(code),
    source,
    fields: [],
    broken: false,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
}

function emptyBody(): DecodedBody {
  return bare('empty', undefined, 'no bits, no references');
}

function leftOf(slice: Slice): { bits: number; refs: number } {
  return { bits: slice.remainingBits, refs: slice.remainingRefs };
}

/** A bounced message contains {@link bouncedTag} and the first 256 bits of the original body: reads what fits. */
function bouncedBody(slice: Slice, nesting: number): DecodedBody {
  const code = slice.remainingBits >= 32 ? slice.preloadUint(32) : undefined;
  const known = code === undefined ? undefined : opcodes.get(code);
  const result = bare(known?.name ?? unknownBody, code, known?.source ?? 'no layout known');
  result.bounced = true;
  if (code !== undefined && known?.fields !== undefined) {
    readFields(slice.skip(32), known.fields, result, nesting);
  }
  // The bounce itself truncates the body: not a layout mismatch.
  result.broken = false;
  return result;
}

/**
 * A bounced message in the format of TEP-503: the original's fields as in the older format, then why it came back. An
 * original whose layout is unknown is a cell.
 */
function richBounceBody(cell: Cell, nesting: number): DecodedBody | undefined {
  const bounce = readRichBounce(cell);
  if (bounce === undefined) {
    return undefined;
  }
  const { original, fields } = bounce;
  const result =
    original.isExotic || original.bits.length < 32
      ? bare(unknownBody, undefined, 'TEP-503')
      : bouncedBody(original.beginParse(), nesting);
  result.bounced = true;
  const isRead = result.fields.length > 0 || (original.bits.length === 0 && original.refs.length === 0);
  result.fields.push(
    ...(isRead ? [] : [{ name: 'original_body', value: cellValue(original, nesting) }]),
    ...fields,
  );
  return result;
}

function readFields(
  slice: Slice,
  fields: readonly (readonly [string, FieldType])[],
  result: DecodedBody,
  nesting: number,
): void {
  try {
    for (const [name, type] of fields) {
      const remark = type === 'either' ? eitherRemark(name, slice) : undefined;
      const isShifted = remark !== undefined && slice.remainingBits > 0;
      result.fields.push({ name, value: readField(slice, isShifted ? 'payload' : type, nesting) });
      if (remark !== undefined) {
        (result.remarks ??= []).push(remark);
      }
    }
  } catch {
    result.broken = true;
  }
  result.left = leftOf(slice);
}

function readField(slice: Slice, type: FieldType | 'payload', nesting: number): BodyValue {
  switch (type) {
    case 'coins':
      return { type: 'coins', value: slice.loadCoins() };
    case 'jettons':
      return { type: 'coins', value: slice.loadCoins(), isJetton: true };
    case 'address':
      return { type: 'address', value: loadAddress(slice) };
    case 'bool':
      return { type: 'bool', value: slice.loadBit() };
    case 'ref':
      return cellValue(slice.loadRef(), nesting);
    case 'maybeRef':
      return slice.loadBit() ? cellValue(slice.loadRef(), nesting) : { type: 'none' };
    case 'optionalRef':
      return slice.remainingRefs > 0 ? cellValue(slice.loadRef(), nesting) : { type: 'none' };
    case 'either':
      return readEither(slice, nesting);
    case 'payload': {
      const cell = restOf(slice);
      return { type: 'cell', value: cell.toBoc().toString('base64') };
    }
    case 'maybeAddressRef':
      return slice.loadBit()
        ? { type: 'address', value: loadAddress(slice.loadRef().beginParse()) }
        : { type: 'none' };
    case 'bits512':
      return { type: 'bytes', value: slice.loadBuffer(64).toString('hex') };
    case 'text':
      return { type: 'text', value: loadSnake(slice).toString('utf8') };
    case 'rest':
      return { type: 'bytes', value: loadSnake(slice).toString('hex') };
    default:
      return { type: 'int', value: slice.loadUintBig(Number(type.slice(1))) };
  }
}

/** `Either Cell ^Cell`; some senders omit the bit if there is no payload. */
function readEither(slice: Slice, nesting: number): BodyValue {
  if (slice.remainingBits === 0) {
    return { type: 'none' };
  }
  if (slice.loadBit()) {
    return { ...cellValue(slice.loadRef(), nesting), isReferred: true };
  }
  const rest = restOf(slice);
  return rest.bits.length === 0 && rest.refs.length === 0 ? { type: 'none' } : cellValue(rest, nesting);
}

/**
 * What is wrong with the bit of an `Either Cell ^Cell`: contracts that follow the standard fail without it, or read a
 * payload that was written without it from its second bit on.
 */
function eitherRemark(name: string, slice: Slice): string | undefined {
  if (slice.remainingBits === 0) {
    return `the bit of ${name} is missing: a contract that reads it fails with exit code 9`;
  }
  const isComment = slice.remainingBits > 32 && slice.remainingBits % 8 === 0 && slice.preloadUint(32) === 0;
  const text = isComment ? loadSnake(slice.clone().skip(32)).toString('utf8') : '';
  return text !== '' && isReadableText(text)
    ? `the bit before ${name} is missing: it is a comment that a contract reads shifted by one bit`
    : undefined;
}

/** What is left of a slice, which is empty then. */
function restOf(slice: Slice): Cell {
  const rest = slice.asCell();
  slice.skip(slice.remainingBits);
  while (slice.remainingRefs > 0) {
    slice.loadRef();
  }
  return rest;
}

function cellValue(cell: Cell, nesting: number): Extract<BodyValue, { type: 'cell' | 'body' }> {
  const decoded = nesting < maximumNesting ? decodeBodyCell(cell, {}, nesting + 1) : undefined;
  return decoded === undefined || decoded.name === 'empty' || isOnlyNamed(decoded)
    ? { type: 'cell', value: cell.toBoc().toString('base64') }
    : { type: 'body', value: decoded };
}

/** Whether the table has a name for a body and no fields: as a part of another, its bytes say more. */
function isOnlyNamed(body: DecodedBody): boolean {
  return !body.broken && !isReadBody(body);
}

function loadAddress(slice: Slice): string | undefined {
  const address = slice.loadAddressAny();
  if (address === null || address === undefined) {
    return undefined;
  }
  return Address.isAddress(address) ? address.toRawString() : address.toString();
}

/** Whole bytes of a chain of cells (TEP-64 "snake" format). Iterative: the chain may be long. */
export function loadSnake(slice: Slice): Buffer {
  const parts: Buffer[] = [];
  let current: Slice | undefined = slice;
  while (current !== undefined) {
    parts.push(current.loadBuffer(Math.floor(current.remainingBits / 8)));
    current = current.remainingRefs > 0 ? current.loadRef().beginParse() : undefined;
  }
  return Buffer.concat(parts);
}

/** Names of messages by the keys of their prefixes ({@link prefixKey}). */
export type MessageNames = ReadonlyMap<number, string>;

const wholeBits = 32;
/** Shorter prefixes tell parts of data apart: by them alone, too many bodies would have a name. */
const fewestBits = 8;

/** The number that a prefix has in a table of names: one of 32 bits is the opcode. Undefined for one that names nothing. */
export function prefixKey({ value, bits }: { value: bigint | number; bits: number }): number | undefined {
  const number = Number(value);
  return bits < fewestBits || bits > wholeBits || number >= 2 ** bits ? undefined : keyOf(number, bits);
}

/** The name of the message with a body: by the longest prefix that it begins with. */
export function nameOfBody(names: MessageNames, body: Cell): string | undefined {
  if (body.isExotic) {
    return undefined;
  }
  const bits = Math.min(wholeBits, body.bits.length);
  return nameOfHead(names, body.beginParse().preloadUint(bits), bits);
}

/** The name of the message whose body begins with these 32 bits. */
export function nameOfOpcode(names: MessageNames, opcode: number): string | undefined {
  return nameOfHead(names, opcode, wholeBits);
}

function nameOfHead(names: MessageNames, head: number, length: number): string | undefined {
  // A bounced body begins with a tag of its own.
  const fewest = length === wholeBits && head === bouncedTag ? wholeBits : fewestBits;
  for (let bits = length; bits >= fewest; bits -= 1) {
    const name = names.get(keyOf(Math.floor(head / 2 ** (length - bits)), bits));
    if (name !== undefined) {
      return name;
    }
  }
  return undefined;
}

/** Above all opcodes for shorter prefixes, so that leading zeros count. */
function keyOf(value: number, bits: number): number {
  return bits === wholeBits ? value : (bits + 1) * 2 ** wholeBits + value;
}
