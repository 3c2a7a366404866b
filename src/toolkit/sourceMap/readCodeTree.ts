import { Cell, Slice } from '@ton/core';
import { readDictionary } from '../cell/tokenContent';
import { limits, overLimitError, WorkBudget } from '../base/limits';

/** An instruction of a code cell, with its place there. */
export interface CodeInstruction {
  /** Name of its encoding, such as `PUSHINT_4` or `XCHG_0I`. */
  name: string;
  operands: readonly CodeOperand[];
  /** Hash of its cell, lowercase hex. */
  cell: string;
  /** Bit offset in the cell. */
  offset: number;
  /** The continuations in it, in the order in which they are encoded. */
  bodies: readonly CodeBody[];
}

/** Numbers and control registers are numbers, slices and cells in references are cells. */
export type CodeOperand = bigint | Cell;

/** Instructions that run one after another; undefined if they cannot be read. */
export type CodeBody = readonly CodeInstruction[] | undefined;

/** A method in the dictionary of a code. */
export interface CodeEntry {
  id: number;
  body: CodeBody;
  /** Hashes of all its cells, lowercase hex. */
  cells: () => string[];
}

/** A whole code: what selects the method, and the methods. */
export interface CodeTree {
  /** Empty for a code without a dictionary of methods. */
  entries: readonly CodeEntry[];
  /** What runs first; of a code without methods, all that runs. */
  root: CodeBody;
}

/** What the disassembler makes of an instruction; the arguments are `arg0`, `arg1` … */
type Loaded = Readonly<Record<string, unknown>> & { $: string };

/** Its encoding is read here: the disassembler would read the whole dictionary as code. */
const dictionaryPrefix = { bits: 13, value: 0xf4a4 >> 3, length: 24, keyBits: 10 };
const methodKeyBits = 19;

/** References of these instructions hold data, not code. */
const dataReferences = new Set(['PUSHREF', 'PUSHREFSLICE', 'STREFCONST', 'STREF2CONST']);
const inlineCode = new Set(['PUSHCONT', 'PUSHCONT_SHORT']);

/**
 * Reads a contract's code as instructions with their places.
 * @throws WorkbenchError `over-limit`
 */
export async function readCodeTree(code: Cell): Promise<CodeTree> {
  const { instr } = await import('../cell/tvmAssembly');
  return new CodeReader((slice) => instr.load(slice) as unknown as Loaded).read(code);
}

class CodeReader {
  /** Cells are shared, so each is read once. */
  readonly #read = new Map<string, CodeBody>();
  #entries: CodeEntry[] | undefined;

  constructor(private readonly load: (slice: Slice) => Loaded) {}

  read(code: Cell): CodeTree {
    const root = this.#cell(code);
    return { entries: [...this.#selected(root ?? []), ...(this.#entries ?? [])], root };
  }

  /** The methods that Tact's codes select before they look into the dictionary: those that receive messages. */
  #selected(root: readonly CodeInstruction[]): CodeEntry[] {
    const found: CodeEntry[] = [];
    let tested = '';
    let pushed: CodeBody;
    for (const { name, bodies } of root) {
      if (/^PUSH(?:REF)?CONT/.test(name)) {
        [pushed] = bodies;
        continue;
      }
      // The first of its instructions drops the method's number.
      const body = /^IFNOTJMP/.test(name) ? (bodies[0] ?? pushed) : undefined;
      const id = /\bDUP$/.test(tested) ? 0 : /\bDUP INC$/.test(tested) ? -1 : undefined;
      if (id !== undefined && body?.[0]?.name === 'DROP') {
        found.push({ id, body: body.slice(1), cells: () => cellsIn(body) });
      }
      tested = `${tested} ${name}`;
    }
    return found;
  }

  #cell(cell: Cell): CodeBody {
    const hash = cell.hash().toString('hex');
    if (!this.#read.has(hash)) {
      if (this.#read.size >= limits.codeCells.most) {
        throw overLimitError('codeCells', { what: 'The code' });
      }
      this.#read.set(hash, undefined);
      this.#read.set(hash, this.#body(cell, hash, { from: 0, to: cell.bits.length }, cell.refs));
    }
    return this.#read.get(hash);
  }

  /** @param refs the references that belong to the body */
  #body(cell: Cell, hash: string, range: { from: number; to: number }, refs: readonly Cell[]): CodeBody {
    if (cell.isExotic) {
      return undefined;
    }
    const bits = cell.bits.substring(range.from, range.to - range.from);
    // The disassembler reads code in references at once, and again on each level; these are empty.
    const slice = new Cell({ bits, refs: refs.map(() => Cell.EMPTY) }).beginParse();
    const offset = (): number => range.to - slice.remainingBits;
    const used = (): number => refs.length - slice.remainingRefs;
    const instructions: CodeInstruction[] = [];
    while (slice.remainingBits > 0) {
      const at = { cell: hash, offset: offset() };
      const firstRef = used();
      const dictionary = readDictionaryPush(slice);
      if (dictionary !== undefined) {
        const root = refs[firstRef];
        if (root !== undefined) {
          slice.loadRef();
          this.#dictionary(root, dictionary);
        }
        instructions.push({ ...at, name: 'DICTPUSHCONST', operands: [BigInt(dictionary)], bodies: [] });
        continue;
      }
      let loaded: Loaded;
      try {
        loaded = this.load(slice);
      } catch {
        return undefined;
      }
      const own = refs.slice(firstRef, used());
      const isInline = inlineCode.has(loaded.$);
      const holdsData = dataReferences.has(loaded.$);
      instructions.push({
        ...at,
        name: loaded.$,
        operands: [...operandsOf(loaded, own), ...(holdsData ? own : [])],
        bodies: isInline
          ? [this.#body(cell, hash, { from: inlineStart(loaded.$, at.offset), to: offset() }, own)]
          : holdsData || /SLICE/.test(loaded.$)
            ? []
            : own.map((one) => this.#cell(one)),
      });
    }
    const next = refs[used()];
    if (next === undefined) {
      return instructions;
    }
    // What does not fit into a cell goes on in a reference: the VM jumps there by itself.
    const rest = this.#cell(next);
    return rest === undefined ? undefined : [...instructions, ...rest];
  }

  #dictionary(root: Cell, keyBits: number): void {
    if (keyBits !== methodKeyBits || this.#entries !== undefined) {
      return;
    }
    const entries: CodeEntry[] = [];
    this.#entries = entries;
    readDictionary(root, keyBits, new WorkBudget('dictionaryCells'), (key, value, cell) => {
      const from = cell.bits.length - value.remainingBits;
      const hash = cell.hash().toString('hex');
      const refs = cell.refs.slice(cell.refs.length - value.remainingRefs);
      entries.push({
        id: Number(BigInt.asIntN(keyBits, key)),
        body: this.#body(cell, hash, { from, to: cell.bits.length }, refs),
        cells: () => [hash, ...cellsBelow(refs)],
      });
    });
  }
}

function cellsIn(body: CodeBody): string[] {
  return [...new Set((body ?? []).flatMap(({ cell, bodies }) => [cell, ...bodies.flatMap(cellsIn)]))];
}

function cellsBelow(roots: readonly Cell[]): string[] {
  const found = new Map(roots.map((cell) => [cell.hash().toString('hex'), cell]));
  for (const cell of found.values()) {
    for (const ref of cell.refs) {
      found.set(ref.hash().toString('hex'), ref);
    }
  }
  return [...found.keys()];
}

/** Reads DICTPUSHCONST without its reference, if it is next; returns the key length. */
function readDictionaryPush(slice: Slice): number | undefined {
  const { bits, value, length, keyBits } = dictionaryPrefix;
  if (slice.remainingBits < length || slice.preloadUint(bits) !== value) {
    return undefined;
  }
  slice.skip(length - keyBits);
  return slice.loadUint(keyBits);
}

function inlineStart(name: string, offset: number): number {
  return offset + (name === 'PUSHCONT' ? 16 : 8);
}

/** @param refs the references of the instruction: those of a slice in it */
function operandsOf(loaded: Loaded, refs: readonly Cell[]): CodeOperand[] {
  return ['arg0', 'arg1', 'arg2'].flatMap((key): CodeOperand[] => {
    const value = loaded[key];
    if (typeof value === 'number' || typeof value === 'bigint') {
      return [BigInt(value)];
    }
    if (value instanceof Slice) {
      const { bits } = value.clone().asCell();
      return [new Cell({ bits, refs: [...refs] })];
    }
    return [];
  });
}
