import { formOfCode } from './instructionForms';
import type { InstructionForm } from './instructionForms';
import type { CodeInstruction } from './readCodeTree';

/** Comparisons and arithmetic with a number that needs more than 8 bits: PUSHINT, then this. */
const withPushedNumber: Readonly<Record<string, string>> = {
  ...{ ADDINT: 'ADD', MULINT: 'MUL', EQINT: 'EQUAL', LESSINT: 'LESS', GTINT: 'GREATER', NEQINT: 'NEQ' },
};
/** Instructions with a slice that is too long for them: PUSHSLICE, then this. */
const withPushedSlice: Readonly<Record<string, string>> = {
  ...{ STSLICECONST: 'STSLICER', SDBEGINS: 'SDBEGINSX', SDBEGINSQ: 'SDBEGINSXQ' },
};
/** What calls a method by its number, if that has more than 14 bits. */
const callsByNumber: Readonly<Record<string, readonly string[]>> = {
  ...{ CALLDICT: ['EXECUTE'], JMPDICT: ['JMPX'], PREPAREDICT: [] },
};

/** The instructions that one of the listing is assembled to, which depends on sizes that the code shows. */
export function expandedForms(form: InstructionForm, next: CodeInstruction | undefined): InstructionForm[] {
  const { name, operands } = form;
  const first = next === undefined ? undefined : formOfCode(next).name;
  const number = withPushedNumber[name];
  if (number !== undefined && first === 'PUSHINT') {
    return [
      { name: 'PUSHINT', operands },
      { name: number, operands: [] },
    ];
  }
  const slice = withPushedSlice[name];
  if (slice !== undefined && first !== name) {
    return [...expandedForms({ name: 'PUSHSLICE', operands }, next), { name: slice, operands: [] }];
  }
  if (name === 'PUSHSLICE' && first === 'PUSHREFSLICE') {
    return [{ name: 'PUSHREFSLICE', operands }];
  }
  const call = callsByNumber[name];
  if (call !== undefined && first === 'PUSHINT') {
    const rest = call.map((each) => ({ name: each, operands: [] }));
    return [{ name: 'PUSHINT', operands }, { name: 'PUSHCTR', operands: ['3'] }, ...rest];
  }
  if (name === 'PUSHINTX') {
    return pushedNumber(BigInt(operands[0] ?? '0'), next);
  }
  if (name === 'BLKSWAP' && operands.includes('0')) {
    return [];
  }
  if (name === 'XCHG' && operands[0] !== '0' && Number(operands[1]) > 15) {
    return [operands[0], operands[1], operands[0]].map((each) => ({ name: 'XCHG', operands: ['0', each!] }));
  }
  return name === 'XCHG' && operands[0] === operands[1] ? [] : [form];
}

/** A number as PUSHINTX encodes it: as it is, or from a power of two. */
function pushedNumber(value: bigint, next: CodeInstruction | undefined): InstructionForm[] {
  const { name, operands } = next === undefined ? { name: '', operands: [] } : formOfCode(next);
  const operand = /^-?\d+$/.test(operands[0] ?? '') ? BigInt(operands[0]!) : 0n;
  const power = operand >= 0n && operand <= 256n ? 2n ** operand : 0n;
  const isPower =
    (name === 'PUSHPOW2' && value === power) ||
    (name === 'PUSHPOW2DEC' && value === power - 1n) ||
    (name === 'PUSHNEGPOW2' && value === -power);
  if (isPower) {
    return [{ name, operands }];
  }
  const shift = name === 'PUSHINT' && operand !== 0n ? trailingZeros(value) - trailingZeros(operand) : 0;
  return shift > 0 && operand << BigInt(shift) === value
    ? [
        { name, operands },
        { name: 'LSHIFT', operands: [String(shift)] },
      ]
    : [{ name: 'PUSHINT', operands: [String(value)] }];
}

function trailingZeros(value: bigint): number {
  const bits = value.toString(2);
  return bits.length - 1 - bits.lastIndexOf('1');
}
