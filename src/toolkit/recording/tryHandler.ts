import { Cell, Dictionary, parseTuple, beginCell } from '@ton/core';
import type { Slice } from '@ton/core';
import type { VmValue } from './vmValue';

/** The continuation that TRY calls for an exception. */
export interface TryHandler {
  /** Where its code begins: hash (lowercase hex) of the code cell, and bit offset. */
  cell: string;
  offset: number;
  /** The values of c4, c5, and c7 that it brings along, by number; without one, a register stays as it is. */
  saved: ReadonlyMap<number, VmValue>;
  /** All registers that it brings along, continuations too. */
  registers: ReadonlySet<number>;
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
  return (
    inner && {
      ...inner,
      saved: new Map([...own.saved, ...inner.saved]),
      registers: new Set([...own.registers, ...inner.registers]),
    }
  );
}

/** nargs:(Maybe uint13) stack:(Maybe VmStack) save:VmSaveList cp:(Maybe int16) */
function loadControlData(slice: Slice): Pick<TryHandler, 'saved' | 'registers'> {
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
  return { saved: values, registers: new Set(saved.keys()) };
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
