import { WorkbenchError } from '../base/errors';
import { limits, overLimitError } from '../base/limits';

/** A line of a source, as a listing quotes it. */
export interface QuotedLine {
  /** Number of the line, from 1. */
  line: number;
  /** The text as it is quoted: without its indent, and perhaps without its end. */
  text: string;
}

/** An instruction of a listing; those that take blocks, such as `IF:<{`, are named without the brackets. */
export interface ListingInstruction {
  op: string;
  operands: readonly string[];
  blocks: readonly (readonly ListingInstruction[])[];
  /** The line that it was compiled from; undefined if the listing does not say. */
  quoted: QuotedLine | undefined;
  /** Names of the stack's slots before it, the top last; undefined if the listing does not say. */
  names: readonly string[] | undefined;
}

/** Name of text that is not read as instructions: its operand is the text, which stands for any number of them. */
export const unreadText = 'TEXT';

/** A function of a listing. */
export interface ListingProcedure {
  name: string;
  kind: 'PROC' | 'PROCREF' | 'PROCINLINE';
  body: readonly ListingInstruction[];
}

/** Fift assembly as the compilers of Tolk and FunC write it. */
export interface FiftListing {
  procedures: ReadonlyMap<string, ListingProcedure>;
  /** Method ids by name. */
  ids: ReadonlyMap<string, number>;
  /** Numbers of global variables by name. */
  globals: ReadonlyMap<string, number>;
}

/** Names with ids of their own: they are not numbered. */
const fixedIds = new Map([
  ['main', 0],
  ['recv_internal', 0],
  ['recv_external', -1],
  ['run_ticktock', -2],
  ['split_prepare', -3],
  ['split_install', -4],
]);

const mnemonic = /^[2-]?[A-Z][A-Z0-9_#]*$/;
/** Operands of these are names, which can look like instructions. */
const namedOperand =
  /^(\S.*) (INLINECALLDICT|INLINECALL|CALLDICT|CALL|JMPDICT|JMP|PREPAREDICT|PREPARE|GETGLOB|SETGLOB)$/;
const opens = /^(?:([A-Z]+):<\{|<\{)$/;
const closes = /^\}>(?:CONT|[A-Z]+<\{)?$/;
const token = /[xbB]\{[^}]*\}|"[^"]*"|\S+/g;
/** What an operand can be: a number, a register, a slice, a text, or a code; others are words of Fift. */
const operandWord =
  /^(?:-?(?:\d+|0x[0-9A-Fa-f]+|0b[01]+)|[sc]-?\d+|s\(-?\d+\)|[xbB]\{[^}]*\}|"[^"]*"|<b .*|B>boc|<s|\$>s|\$>B)$/s;

/**
 * Reads a listing.
 * @throws WorkbenchError `over-limit`; `source-map-unreadable` if it is not a listing of this form
 */
export function readFiftListing(text: string): FiftListing {
  if (text.length > limits.listing.most) {
    throw overLimitError('listing');
  }
  return new ListingReader().read(text);
}

/** A block that is being read, and what encloses it. */
interface OpenBlock {
  /** Undefined for the body of a procedure. */
  instruction: { op: string; blocks: ListingInstruction[][] } | undefined;
  list: ListingInstruction[];
}

class ListingReader {
  readonly #procedures = new Map<string, ListingProcedure>();
  readonly #ids = new Map<string, number>();
  readonly #globals = new Map<string, number>();
  readonly #open: OpenBlock[] = [];
  #numbered = 0;
  #quoted: QuotedLine | undefined;
  #names: readonly string[] | undefined;
  /** A text whose blocks have not ended. */
  #unread: { text: string; depth: number } | undefined;

  read(text: string): FiftListing {
    const lines = withoutSelector(text)
      .split('\n')
      .map((line) => line.trim());
    const next = nextCode(lines);
    lines.forEach((line, index) =>
      this.#line(line, /^(?:.+ (?:PROC|PROCREF|PROCINLINE):<\{|\}END>cd?)$/.test(lines[next[index]!] ?? '')),
    );
    if (this.#open.length > 0) {
      throw unreadable('it ends inside a block');
    }
    return { procedures: this.#procedures, ids: this.#ids, globals: this.#globals };
  }

  /** @param isLast whether the next line begins another function, so that a bracket here ends this one */
  #line(line: string, isLast: boolean): void {
    if (line.startsWith('//')) {
      this.#comment(line);
      return;
    }
    const at = line.search(/\/\/(?: |$)/);
    const code = at < 0 ? line : line.slice(0, at).trimEnd();
    const comment = at < 0 ? undefined : line.slice(at).trim();
    if (code === '' || this.#declaration(code)) {
      return;
    }
    if (this.#open.length === 0) {
      this.#procedure(code);
    } else if (code === '}>' && isLast) {
      this.#open.length = 0;
      this.#unread = undefined;
    } else {
      this.#code(code);
    }
    this.#names = comment?.slice(2).trim().split(/\s+/).filter(Boolean);
  }

  #comment(line: string): void {
    const [, number, text] = /^\/\/ (\d+): ?(.*)$/.exec(line) ?? [];
    if (number !== undefined) {
      this.#quoted = { line: Number(number), text: (text ?? '').trim() };
    }
  }

  #declaration(code: string): boolean {
    const [, id, method, procedure, global] =
      /^(?:(-?\d+) DECLMETHOD (.+)|DECLPROC (.+)|DECLGLOBVAR (.+))$/.exec(code) ?? [];
    if (method !== undefined) {
      this.#ids.set(method, Number(id));
    } else if (procedure !== undefined) {
      const fixed = fixedIds.get(procedure);
      this.#numbered += fixed === undefined ? 1 : 0;
      this.#ids.set(procedure, fixed ?? this.#numbered);
    } else if (global !== undefined) {
      this.#globals.set(global, this.#globals.size + 1);
    } else {
      return /^(?:"Asm\.fif" include|PROGRAM\{|\}END>cd?)$/.test(code);
    }
    return true;
  }

  #procedure(code: string): void {
    const [, name, kind] = /^(.+) (PROC|PROCREF|PROCINLINE):<\{$/.exec(code) ?? [];
    if (name === undefined) {
      throw unreadable(`it has ${JSON.stringify(code.slice(0, 40))} outside functions`);
    }
    const body: ListingInstruction[] = [];
    this.#procedures.set(name, { name, kind: kind as ListingProcedure['kind'], body });
    this.#open.push({ instruction: undefined, list: body });
    this.#quoted = undefined;
  }

  #code(code: string): void {
    const [, name, op] = namedOperand.exec(code) ?? [];
    if (name !== undefined && op !== undefined && !/^-?\d+$/.test(name)) {
      this.#add(op, [name]);
      return;
    }
    const tokens = joined(code.match(token) ?? []);
    if (this.#unread !== undefined || !isReadable(tokens)) {
      this.#text(code, tokens);
      return;
    }
    let operands: string[] = [];
    for (let index = 0; index < tokens.length; index += 1) {
      const one = tokens[index]!;
      const opened = opens.exec(one);
      if (opened !== null) {
        this.#begin(opened[1] ?? 'CONT');
      } else if (/^\}>[A-Z]+<\{$/.test(one)) {
        this.#nextBlock();
      } else if (closes.test(one)) {
        this.#end();
        // `<{ … }> PUSHCONT` is what `CONT:<{ … }>` stands for.
        index += tokens[index + 1] === 'PUSHCONT' ? 1 : 0;
      } else if (mnemonic.test(one)) {
        this.#add(one, operands);
        operands = [];
      } else {
        operands.push(one);
      }
    }
  }

  /** Adds a line that is not read; with the lines after it, up to the end of the blocks that it begins. */
  #text(code: string, tokens: readonly string[]): void {
    const begun = this.#unread;
    const depth = (begun?.depth ?? 0) + depthOf(tokens);
    if (begun !== undefined) {
      this.#list().pop();
    }
    const text = begun === undefined ? code : `${begun.text}\n${code}`;
    this.#add(unreadText, [text]);
    this.#unread = depth > 0 ? { text, depth } : undefined;
  }

  #add(op: string, operands: readonly string[], blocks: ListingInstruction[][] = []): void {
    this.#list().push({ op, operands, blocks, quoted: this.#quoted, names: this.#names });
    this.#names = undefined;
  }

  #begin(op: string): void {
    const list: ListingInstruction[] = [];
    const blocks = [list];
    this.#add(op, [], blocks);
    this.#open.push({ instruction: { op, blocks }, list });
  }

  #nextBlock(): void {
    const open = this.#open.at(-1);
    if (open?.instruction === undefined) {
      throw unreadable('it has a second block of nothing');
    }
    open.list = [];
    open.instruction.blocks.push(open.list);
  }

  #end(): void {
    this.#open.pop();
  }

  #list(): ListingInstruction[] {
    const open = this.#open.at(-1);
    if (open === undefined) {
      throw unreadable('it has an instruction outside functions');
    }
    return open.list;
  }
}

/** Operands of several words as one: `17 s()` and `<b … b>`. */
function joined(tokens: readonly string[]): string[] {
  const found: string[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const one = tokens[index]!;
    const last = found.at(-1) ?? '';
    if ((one === 's()' || one === 'c()') && /^-?\d+$/.test(last)) {
      found[found.length - 1] = one === 's()' ? `s(${last})` : `c${last}`;
    } else if (one === '<b') {
      const end = tokens.findIndex((each, at) => at > index && each.startsWith('b>'));
      found.push(tokens.slice(index, end < 0 ? undefined : end + 1).join(' '));
      index = end < 0 ? tokens.length : end;
    } else {
      found.push(one);
    }
  }
  return found;
}

/** Whether a line has only instructions, operands that are known to be some, and brackets of blocks. */
function isReadable(tokens: readonly string[]): boolean {
  let given = 0;
  for (const one of tokens) {
    const isBracket = opens.test(one) || closes.test(one);
    if (!isBracket && !mnemonic.test(one)) {
      if (!operandWord.test(one)) {
        return false;
      }
      given += 1;
    } else if (isBracket && given > 0) {
      return false;
    } else {
      given = 0;
    }
  }
  return given === 0;
}

/** How many more blocks begin than end. */
function depthOf(tokens: readonly string[]): number {
  const [begun, ended] = [
    tokens.filter((one) => opens.test(one)).length,
    tokens.filter((one) => /^\}>(?:[A-Z]*)$/.test(one)).length,
  ];
  return begun - ended;
}

/** By line: the index of the next one that is neither empty nor a comment. */
function nextCode(lines: readonly string[]): number[] {
  const next: number[] = [];
  let after = lines.length;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    next[index] = after;
    after = lines[index] === '' || lines[index]!.startsWith('//') ? after : index;
  }
  return next;
}

/** Tact's selection of methods before the dictionary is written in words of Fift, which make no method. */
function withoutSelector(text: string): string {
  const start = text.indexOf('  __tact_selector_hack PROC:<{\n');
  const end = text.indexOf('\n  }>\n', start);
  return start < 0 || end < 0 ? text : text.slice(0, start) + text.slice(end + '\n  }>\n'.length);
}

function unreadable(why: string): WorkbenchError {
  return new WorkbenchError({
    code: 'source-map-unreadable',
    kind: 'failed',
    message: `The compiler's listing cannot be read: ${why}.`,
  });
}
