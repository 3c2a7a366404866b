import type { BitString } from '@ton/core';
import { Cell } from '@ton/core';
import type { CodeInstruction } from './readCodeTree';

/** Name and operands in the disassembler's words; an operand that is a cell is written as `x{…}`, with its hash. */
export interface InstructionForm {
  name: string;
  operands: readonly string[];
}

/** The names that instructions of a code can have, in the form that encodings share. */
export async function codeNames(): Promise<ReadonlySet<string>> {
  const { instructions } = await import('../cell/tvmAssembly');
  return new Set(Object.keys(instructions).map((name) => formOfCode({ name, operands: [] }).name));
}

/** What a name of Fift's assembler stands for: an instruction, and operands that the name implies. */
const standsFor: Readonly<Record<string, readonly [name: string, ...operands: number[]]>> = {
  ...{ SWAP: ['XCHG', 0, 1], DUP: ['PUSH', 0], OVER: ['PUSH', 1], DROP: ['POP', 0], NIP: ['POP', 1] },
  ...{ '-ROT': ['ROTREV'], '2SWAP': ['SWAP2'], '2DROP': ['DROP2'], '2DUP': ['DUP2'], '2OVER': ['OVER2'] },
  ...{ '2ROT': ['BLKSWAP', 2, 4], ROT2: ['BLKSWAP', 2, 4], PUSHX: ['PICK'], '-ROLLX': ['ROLLREV'] },
  ...{ NULL: ['PUSHNULL'], NEWDICT: ['PUSHNULL'], DICTEMPTY: ['ISNULL'], COMMA: ['TPUSH'] },
  ...{
    NIL: ['TUPLE', 0],
    SINGLE: ['TUPLE', 1],
    PAIR: ['TUPLE', 2],
    CONS: ['TUPLE', 2],
    TRIPLE: ['TUPLE', 3],
  },
  ...{ FIRST: ['INDEX', 0], CAR: ['INDEX', 0], SECOND: ['INDEX', 1], CDR: ['INDEX', 1], THIRD: ['INDEX', 2] },
  ...{ UNSINGLE: ['UNTUPLE', 1], UNPAIR: ['UNTUPLE', 2], UNCONS: ['UNTUPLE', 2], UNTRIPLE: ['UNTUPLE', 3] },
  ...{ CHKTUPLE: ['UNPACKFIRST', 0], SETFIRST: ['SETINDEX', 0], SETSECOND: ['SETINDEX', 1] },
  ...{ SETTHIRD: ['SETINDEX', 2], FIRSTQ: ['INDEXQ', 0], CARQ: ['INDEXQ', 0], SECONDQ: ['INDEXQ', 1] },
  ...{ CDRQ: ['INDEXQ', 1], THIRDQ: ['INDEXQ', 2], SETFIRSTQ: ['SETINDEXQ', 0] },
  ...{ SETSECONDQ: ['SETINDEXQ', 1], SETTHIRDQ: ['SETINDEXQ', 2] },
  ...{
    CADR: ['INDEX2', 1, 0],
    CDDR: ['INDEX2', 1, 1],
    CADDR: ['INDEX3', 1, 1, 0],
    CDDDR: ['INDEX3', 1, 1, 1],
  },
  ...{ ZERO: ['PUSHINT', 0], FALSE: ['PUSHINT', 0], ONE: ['PUSHINT', 1], TWO: ['PUSHINT', 2] },
  ...{ TEN: ['PUSHINT', 10], TRUE: ['PUSHINT', -1], INT: ['PUSHINT'], INTX: ['PUSHINTX'] },
  ...{ ADDCONST: ['ADDINT'], MULCONST: ['MULINT'], SUBCONST: ['SUBINT'], SLICE: ['PUSHSLICE'] },
  ...{ ISZERO: ['EQINT', 0], ISNZERO: ['NEQINT', 0], ISNEG: ['LESSINT', 0], ISNPOS: ['LESSINT', 1] },
  ...{ ISPOS: ['GTINT', 0], ISNNEG: ['GTINT', -1], CHKBOOL: ['FITS', 1], CHKBIT: ['UFITS', 1] },
  ...{
    INTSORT2: ['MINMAX'],
    STBREFR: ['ENDCST'],
    BCONCAT: ['STBR'],
    BCONCATQ: ['STBRQ'],
    STDICTS: ['STSLICE'],
  },
  ...{ PLDREF: ['PLDREFIDX', 0], STOPTREF: ['STDICT'], SKIPOPTREF: ['SKIPDICT'], LDOPTREF: ['LDDICT'] },
  ...{ PLDOPTREF: ['PLDDICT'], LDVARUINT16: ['LDGRAMS'], STVARUINT16: ['STGRAMS'] },
  ...{ CALLX: ['EXECUTE'], RETTRUE: ['RET'], RETFALSE: ['RETALT'], BRANCH: ['RETBOOL'] },
  ...{ SETCONT: ['SETCONTCTR'], POPCTRSAVE: ['POPSAVE'], SAVE: ['SAVECTR'], SAVEALT: ['SAVEALTCTR'] },
  ...{
    SAVEBOTH: ['SAVEBOTHCTR'],
    COMPOS: ['BOOLAND'],
    COMPOSALT: ['BOOLOR'],
    SETCONTMANY: ['SETCONTCTRMANY'],
  },
  ...{ RANDOMIZE: ['ADDRAND'], SETCP0: ['SETCP', 0], CALL: ['CALLDICT'], JMP: ['JMPDICT'] },
  ...{ PREPARE: ['PREPAREDICT'], LSHIFT: ['LSHIFT_VAR'], RSHIFT: ['RSHIFT_VAR'], 'LSHIFT#': ['LSHIFT'] },
  ...{ QLSHIFT: ['QLSHIFT_VAR'], QRSHIFT: ['QRSHIFT_VAR'], 'QLSHIFT#': ['QLSHIFT'], 'QRSHIFT#': ['QRSHIFT'] },
  ...{ 'RSHIFT#': ['RSHIFT'], STRPRINT: ['STRDUMP'] },
  ...{ HASHEXT_SHA256: ['HASHEXT', 0], HASHEXT_SHA512: ['HASHEXT', 1], HASHEXT_BLAKE2B: ['HASHEXT', 2] },
  ...{ HASHEXT_KECCAK256: ['HASHEXT', 3], HASHEXT_KECCAK512: ['HASHEXT', 4] },
};

/** Encodings of one instruction that differ in the size of their operands only. */
const encodings: Readonly<Record<string, readonly [name: string, ...operands: number[]]>> = {
  ...{ SWAP: ['XCHG', 0, 1], DUP: ['PUSH', 0], OVER: ['PUSH', 1], DROP: ['POP', 0], NIP: ['POP', 1] },
  ...{ PUSHINT_4: ['PUSHINT'], PUSHINT_8: ['PUSHINT'], PUSHINT_16: ['PUSHINT'], PUSHINT_LONG: ['PUSHINT'] },
  ...{ PUSH_LONG: ['PUSH'], POP_LONG: ['POP'], XCHG_0I: ['XCHG', 0], XCHG_0I_LONG: ['XCHG', 0] },
  ...{
    XCHG_IJ: ['XCHG'],
    XCHG3_ALT: ['XCHG3'],
    PUSHSLICE_REFS: ['PUSHSLICE'],
    PUSHSLICE_LONG: ['PUSHSLICE'],
  },
  ...{ THROW_SHORT: ['THROW'], THROWIF_SHORT: ['THROWIF'], THROWIFNOT_SHORT: ['THROWIFNOT'] },
  ...{ CALLDICT_LONG: ['CALLDICT'], SETCP_SHORT: ['SETCP'], CALLXARGS_1: ['CALLXARGS'] },
  ...{
    PUSHCONT_SHORT: ['PUSHCONT'],
    PUSHREFCONT: ['PUSHCONT'],
    INC: ['INC'],
    DEBUG_1: ['DEBUG'],
    DEBUG_2: ['DEBUG'],
  },
};

/** What the code has, in a form that encodings share. */
export function formOfCode({ name, operands }: Pick<CodeInstruction, 'name' | 'operands'>): InstructionForm {
  const given = operands.map((operand) =>
    operand instanceof Cell ? cellWord(operand.bits, operand.refs) : String(operand),
  );
  if (name === 'XCHG_1I') {
    return { name: 'XCHG', operands: ['1', given.at(-1) ?? ''] };
  }
  if (name === 'ROLL' || name === 'ROLLREV') {
    return given.length === 0
      ? { name, operands: given }
      : { name: 'BLKSWAP', operands: name === 'ROLL' ? ['1', ...given] : [...given, '1'] };
  }
  if (name === 'SETCONTCTRMANY') {
    // The disassembler adds one to the mask of registers.
    return { name, operands: given.map((mask) => plus(mask, -1n)) };
  }
  const [plain, ...implied] = encodings[name] ?? [name];
  return { name: plain, operands: [...implied.map(String), ...given] };
}

/** What an instruction of a listing stands for, before it is known how it was encoded. */
export function formOfListing(op: string, operands: readonly string[]): InstructionForm {
  const given = operands.map(operandWord);
  const [plain, ...implied] = standsFor[op] ?? [op.replaceAll('#', '_')];
  const all = [...implied.map(String), ...given];
  switch (op) {
    case 'XCHG0':
      return { name: 'XCHG', operands: ['0', ...all] };
    case 'XCHG':
      return { name: 'XCHG', operands: all.toSorted((a, b) => Number(a) - Number(b)) };
    case 'PUSH':
    case 'POP':
      return { name: /^c/.test(operands[0] ?? '') ? `${op}CTR` : op, operands: all };
    case 'ROLL':
      return { name: 'BLKSWAP', operands: ['1', ...all] };
    case '-ROLL':
    case 'ROLLREV':
      return { name: 'BLKSWAP', operands: [...all, '1'] };
    case 'LEQINT':
      return { name: 'LESSINT', operands: [plus(all[0], 1n)] };
    case 'GEQINT':
      return { name: 'GTINT', operands: [plus(all[0], -1n)] };
    case 'SUBCONST':
    case 'SUBINT':
      return { name: 'ADDINT', operands: [String(-BigInt(all[0] ?? '0'))] };
    default:
      return { name: plain, operands: all };
  }
}

/** Whether an operand that the listing builds with words of Fift, which are not run here. */
export function isBuilt(word: string): boolean {
  return /^(?:<b |B\{|")/.test(word);
}

/** Whether a form of the listing is that of the code; what words of Fift build is not compared. */
export function isSameForm(listed: InstructionForm, code: InstructionForm): boolean {
  return (
    listed.name === code.name &&
    (listed.operands.some(isBuilt) ||
      (listed.operands.length === code.operands.length &&
        listed.operands.every((operand, index) => operand === code.operands[index])))
  );
}

/** A form in words: `5 PUSHINT`. */
export function wordsOf({ name, operands }: InstructionForm): string {
  return [...operands.map((operand) => operand.slice(0, 40)), name].join(' ');
}

function plus(word: string | undefined, more: bigint): string {
  return String(BigInt(word ?? '0') + more);
}

function operandWord(text: string): string {
  const register = /^(?:s|c)(\d+)$|^s\((-?\d+)\)$/.exec(text);
  if (register !== null) {
    return register[1] ?? register[2] ?? text;
  }
  if (/^-?\d+$|^0b[01]+$|^0x[0-9A-Fa-f]+$/.test(text)) {
    return String(BigInt(text));
  }
  if (/^-0x[0-9A-Fa-f]+$/.test(text)) {
    return String(-BigInt(text.slice(1)));
  }
  const slice = /^([xb])\{([0-9A-Fa-f]*)(_?)\}$/.exec(text);
  const only = /^<b x\{([0-9A-Fa-f]*)(_?)\} s, b>$/.exec(text);
  if (slice !== null) {
    return `x{${bitsOf(slice[2] ?? '', slice[1] === 'b', slice[3] === '_')}}`;
  }
  return only === null ? text : `x{${bitsOf(only[1] ?? '', false, only[2] === '_')}}`;
}

function bitsOf(digits: string, isBinary: boolean, isCompleted: boolean): string {
  const bits = isBinary
    ? digits
    : [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
  return isCompleted ? bits.replace(/10*$/, '') : bits;
}

function cellWord(bits: BitString, refs: readonly Cell[]): string {
  let text = '';
  for (let index = 0; index < bits.length; index += 1) {
    text += bits.at(index) ? '1' : '0';
  }
  return refs.length === 0 ? `x{${text}}` : `x{${text}} with ${refs.length} references`;
}

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
