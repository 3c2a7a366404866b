import type { Builder, Slice, TupleItem } from '@ton/core';
import { Cell, Dictionary, beginCell, parseTuple } from '@ton/core';
import { actionTags } from '../contracts/opcodes/walletCodes';
import { cellToAddress } from '../stack/stackValue';

/** The continuation that TRY calls for an exception. */
export interface TryHandler {
  /** Where its code begins: hash (lowercase hex) of the code cell, and bit offset. */
  cell: string;
  offset: number;
  /** The values of c4, c5, and c7 that it brings along, by number; without one, a register stays as it is. */
  saved: ReadonlyMap<number, VmValue>;
}

/**
 * Reads a continuation as the VM's log prints it, `Cont{…}` with a BoC of VmCont (TL-B schema of the VM's stack).
 * Undefined for a kind of continuation other than code, with or without saved registers.
 */
export function readTryHandler(text: string): TryHandler | undefined {
  const [, boc] = /^Cont\{([0-9A-F]+)\}$/.exec(text) ?? [];
  if (boc === undefined) {
    return undefined;
  }
  try {
    return readContinuation(Cell.fromHex(boc).beginParse());
  } catch {
    return undefined;
  }
}

function readContinuation(slice: Slice): TryHandler | undefined {
  const kind = slice.loadUint(2);
  if (kind > 1) {
    return undefined;
  }
  const own = loadControlData(slice);
  const next = slice.loadRef();
  if (kind === 0) {
    // vmc_std$00 cdata code: a cell with the range of its bits
    return { cell: next.hash().toString('hex'), offset: slice.loadUint(10), ...own };
  }
  // vmc_envelope$01 cdata next
  const inner = readContinuation(next.beginParse());
  return inner && { ...inner, saved: new Map([...own.saved, ...inner.saved]) };
}

/** nargs:(Maybe uint13) stack:(Maybe VmStack) save:VmSaveList cp:(Maybe int16) */
function loadControlData(slice: Slice): Pick<TryHandler, 'saved'> {
  if (slice.loadBit()) {
    slice.skip(13);
  }
  if (slice.loadBit() && slice.loadUint(24) > 0) {
    slice.loadRef();
    skipValue(slice);
  }
  const saved = slice.loadDict(Dictionary.Keys.Uint(4), {
    serialize: () => undefined,
    parse: (value) => value.asCell(),
  });
  if (slice.loadBit()) {
    slice.skip(16);
  }
  const values = new Map<number, VmValue>();
  for (const [register, value] of saved) {
    // c4, c5, and c7; the others are continuations.
    if (register >= 4) {
      values.set(register, oneValue(value));
    }
  }
  return { saved: values };
}

/** A value of the stack, read as the only one of a stack. */
function oneValue(value: Cell): VmValue {
  const stack = beginCell().storeUint(1, 24).storeRef(Cell.EMPTY).storeSlice(value.beginParse()).endCell();
  const [item] = parseTuple(stack);
  return item ?? { type: 'null' };
}

/** Skips a VmStackValue. */
function skipValue(slice: Slice): void {
  const tag = slice.loadUint(8);
  switch (tag) {
    case 0:
      return;
    case 1:
      slice.skip(64);
      return;
    case 2:
      // int257 is vm_stk_int#0201_, of 15 bits; NaN is #02ff.
      slice.skip(slice.preloadUint(8) === 0xff ? 8 : 7 + 257);
      return;
    case 3:
    case 5:
      slice.loadRef();
      return;
    case 4:
      slice.loadRef();
      slice.skip(26);
      return;
    case 7: {
      const length = slice.loadUint(16);
      for (let refs = Math.min(length, 2); refs > 0; refs -= 1) {
        slice.loadRef();
      }
      return;
    }
    default:
      throw new Error(`a value of an unknown kind: ${tag}`);
  }
}

/** Flag of SENDMSG: only estimate the fee. */
const estimateOnly = 1024n;

/**
 * The list of actions (c5) after an instruction has added one; the same list if it adds none, undefined for an
 * instruction of another kind.
 *
 * @param stack before the instruction, as the VM's log prints it
 * @throws Error if its operands are of other types
 */
export function actionCell(list: Cell, instruction: string, stack: string): Cell | undefined {
  const [name] = instruction.split(' ');
  const operands = (count: number): readonly VmValue[] => readTopValues(stack, count);
  const action = (tag: number): Builder => beginCell().storeRef(list).storeUint(tag, 32);
  switch (name) {
    case 'SENDRAWMSG':
    case 'SENDMSG': {
      const [message, mode] = operands(2);
      const bits = int(mode);
      return name === 'SENDMSG' && (bits & estimateOnly) !== 0n
        ? list
        : action(actionTags.sendMessage).storeUint(bits, 8).storeRef(cell(message)).endCell();
    }
    case 'RAWRESERVE': {
      const [amount, mode] = operands(2);
      return action(actionTags.reserve)
        .storeUint(int(mode), 8)
        .storeCoins(int(amount))
        .storeBit(false)
        .endCell();
    }
    case 'RAWRESERVEX': {
      const [amount, currencies, mode] = operands(3);
      const more = currencies?.type === 'null' ? null : cell(currencies);
      return action(actionTags.reserve)
        .storeUint(int(mode), 8)
        .storeCoins(int(amount))
        .storeMaybeRef(more)
        .endCell();
    }
    case 'SETCODE':
      return action(actionTags.setCode)
        .storeRef(cell(operands(1)[0]))
        .endCell();
    case 'SETLIBCODE': {
      const [code, mode] = operands(2);
      return action(actionTags.changeLibrary)
        .storeUint(int(mode) * 2n + 1n, 8)
        .storeRef(cell(code))
        .endCell();
    }
    case 'CHANGELIB': {
      const [hash, mode] = operands(2);
      return action(actionTags.changeLibrary)
        .storeUint(int(mode) * 2n, 8)
        .storeUint(int(hash), 256)
        .endCell();
    }
    default:
      return undefined;
  }
}

function int(value: VmValue | undefined): bigint {
  if (value?.type !== 'int') {
    throw new Error('an operand is not an integer');
  }
  return value.value;
}

function cell(value: VmValue | undefined): Cell {
  if (value?.type !== 'cell') {
    throw new Error('an operand is not a cell');
  }
  return value.cell;
}

/** A value of the VM: those that get-methods take and return, continuations, and what nothing tells. */
export type VmValue =
  | Exclude<TupleItem, { type: 'tuple' }>
  | { type: 'tuple'; items: readonly VmValue[] }
  | { type: 'continuation'; text: string }
  | { type: 'unknown' };

/** How the VM's log marks its kinds of cells: `CS{…}`. */
export const vmCellTypes: ReadonlyMap<string, 'cell' | 'slice' | 'builder'> = new Map([
  ['C', 'cell'],
  ['CS', 'slice'],
  ['BC', 'builder'],
]);

/**
 * The values of a stack as the VM's log prints them, bottom first.
 *
 * @throws Error if the text is not a stack
 */
export function readVmValues(text: string): VmValue[] {
  return readItems(text).map(readValue);
}

/** The last `count` values of a stack, bottom first; fewer if it has fewer. */
export function readTopValues(text: string, count: number): VmValue[] {
  return readItems(text).slice(-count).map(readValue);
}

/** A value that is printed as one word, or the items of a tuple. */
type Item = string | Item[];

/** `1 C{…} [ 2 [] ]`; words hold no spaces, brackets stand alone or as `[]`. */
function readItems(text: string): Item[] {
  const root: Item[] = [];
  const open = [root];
  for (const [word] of text.matchAll(/\[\]|[[\]]|[^\s[\]]+/g)) {
    const current = open.at(-1);
    if (current === undefined) {
      break;
    }
    if (word === '[') {
      const tuple: Item[] = [];
      current.push(tuple);
      open.push(tuple);
    } else if (word === ']') {
      open.pop();
    } else {
      current.push(word === '[]' ? [] : word);
    }
  }
  if (open.length !== 1) {
    throw new Error('the brackets of the stack do not match');
  }
  return root;
}

function readValue(item: Item): VmValue {
  if (typeof item !== 'string') {
    return { type: 'tuple', items: item.map(readValue) };
  }
  if (item === '()' || item === '(null)') {
    return { type: 'null' };
  }
  if (item === 'NaN') {
    return { type: 'nan' };
  }
  const [, kind = '', boc = ''] = /^(C|CS|BC)\{([0-9A-F]+)\}$/.exec(item) ?? [];
  const type = vmCellTypes.get(kind);
  if (type !== undefined) {
    return { type, cell: Cell.fromHex(boc) };
  }
  return /^-?\d+$/.test(item) ? { type: 'int', value: BigInt(item) } : { type: 'continuation', text: item };
}

/**
 * An entry of a stack, as the VM's log prints it, for people: a number in decimals, a raw address, or a description, such
 * as `cell of 267 bits, 1 reference`.
 */
export function vmWordText(text: string): string {
  const [, kind = '', boc = ''] = /^(CS|C|BC)\{([0-9A-F]+)\}$/.exec(text) ?? [];
  const type = vmCellTypes.get(kind);
  if (type === undefined) {
    return text === '(null)' || text === '()' ? 'null' : text;
  }
  try {
    return vmCellText(type, Cell.fromHex(boc));
  } catch {
    return text.slice(0, 40);
  }
}

/** A raw address, if a slice is one and nothing else; else `cell of 267 bits, 1 reference`. */
export function vmCellText(type: 'cell' | 'slice' | 'builder', cell: Cell): string {
  const address = type === 'slice' ? cellToAddress(cell) : undefined;
  if (address !== undefined) {
    return address.toRawString();
  }
  const refs = cell.refs.length;
  return `${type} of ${cell.bits.length} bits${refs === 0 ? '' : `, ${refs} reference${refs === 1 ? '' : 's'}`}`;
}
