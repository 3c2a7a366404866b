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
    return [pushedNumber(BigInt(operands[0] ?? '0'), first)];
  }
  if (name === 'BLKSWAP' && operands.includes('0')) {
    return [];
  }
  if (name === 'XCHG' && operands[0] !== '0' && Number(operands[1]) > 15) {
    return [operands[0], operands[1], operands[0]].map((each) => ({ name: 'XCHG', operands: ['0', each!] }));
  }
  return name === 'XCHG' && operands[0] === operands[1] ? [] : [form];
}

/** A number as PUSHINTX encodes it. */
function pushedNumber(value: bigint, first: string | undefined): InstructionForm {
  const power = (from: bigint): string => String(from.toString(2).length - 1);
  switch (first) {
    case 'PUSHPOW2':
      return {
        name: 2n ** BigInt(power(value)) === value ? 'PUSHPOW2' : 'PUSHINT',
        operands: [power(value)],
      };
    case 'PUSHPOW2DEC':
      return {
        name: 2n ** BigInt(power(value + 1n)) === value + 1n ? 'PUSHPOW2DEC' : 'PUSHINT',
        operands: [power(value + 1n)],
      };
    default:
      return { name: 'PUSHINT', operands: [String(value)] };
  }
}
