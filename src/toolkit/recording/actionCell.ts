import { beginCell } from '@ton/core';
import type { Builder, Cell } from '@ton/core';
import { actionTags } from '../opcodes/actionTags';
import type { VmValue } from './vmValue';
import { readTopValues } from './vmValue';

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
