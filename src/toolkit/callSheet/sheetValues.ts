import type { AbiType } from '../contracts/abi/abiType';
import type { ContractRef } from '../contracts/abi/projectContract';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { bareName } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import type { LayoutSet, StorageLayout } from '../contracts/layouts/layoutSet';
import { parseStackText } from '../stack/parseStackText';
import type { StackValue } from '../stack/stackValue';
import { cellToAddress } from '../stack/stackValue';
import type { StackTextOptions } from '../stack/stackTextContext';
import { closestWord, visibleText } from '../base/text';
import { parseTypedStack, withOwnIds } from '../contracts/layouts/parseTypedStack';
import { readTyped } from '../contracts/layouts/readTyped';
import type { TypedValue } from '../contracts/layouts/typedValue';
import type { CallSheet, CallSheetProblem, MethodCall, PlacedText, SheetVariable } from './callSheet';
import { placedError, plainType } from './callSheet';

/** The names that values of a sheet may use. */
export interface SheetNames {
  /** Names of accounts and their addresses. */
  accounts: ReadonlyMap<string, string>;
  /** Codes of the project's contracts by the names that values give them. */
  codes?: StackTextOptions['codes'];
  /** Reads the files that values refer to, relative to the sheet. */
  readFile?: StackTextOptions['readFile'];
}

/**
 * Evaluates a sheet's texts. Variables may refer to accounts and to the variables above them; they are read in order
 * by `readVariables`, or one by one.
 *
 * Every method throws WorkbenchError `call-sheet-invalid` (input) with `details.offset` and `details.length` in the
 * sheet.
 */
export class SheetValues {
  private readonly variables = new Map<string, StackValue>();
  private readonly names: StackTextOptions;

  constructor({ accounts, codes, readFile }: SheetNames) {
    this.names = { accounts, codes, variables: this.variables, readFile };
  }

  /**
   * Those of answers are set by {@link setVariable} during the run.
   * @param isPartial skips those that cannot be read yet
   */
  readVariables({ variables }: Pick<CallSheet, 'variables'>, isPartial = false): void {
    for (const variable of variables.filter(({ answer }) => answer === undefined)) {
      try {
        this.readVariable(variable);
      } catch (error) {
        if (!isPartial) {
          throw error;
        }
      }
    }
  }

  setVariable(name: string, value: StackValue): void {
    this.variables.set(name, value);
  }

  /** Everything that may stand for an address: accounts, and variables that are addresses. */
  accounts(): ReadonlyMap<string, string> {
    const addresses = [...this.variables].flatMap(([name, value]): [string, string][] => {
      const address = 'cell' in value ? cellToAddress(value.cell) : undefined;
      return address === undefined ? [] : [[name, address.toRawString()]];
    });
    return new Map([...(this.names.accounts ?? []), ...addresses]);
  }

  /** Options for texts outside of calls: messages and initial data. */
  options(): StackTextOptions {
    return { ...this.names, accounts: this.accounts() };
  }

  readVariable({ name, value }: SheetVariable): StackValue {
    const read = readOne(value, this.names);
    this.variables.set(name.text, read);
    return read;
  }

  /** The address of the called contract: raw, lowercase. */
  address({ target }: Pick<MethodCall, 'target'>): string {
    const name = bareName(target.text);
    const names = [...this.variables.keys(), ...(this.names.accounts?.keys() ?? [])];
    const isNamed = names.includes(name);
    const closest = closestWord(name, names);
    if (!isNamed && !/^(?:[\w+/-]{40,}=*|-?\d+:.*)$/.test(target.text)) {
      throw callSheetError(
        target.offset,
        target.length,
        `“${visibleText(target.text)}” is neither an address nor a known name.`,
        closest === undefined
          ? `Set it above the calls: @${visibleText(name)} = EQ….`
          : `Did you mean ${closest}?`,
      );
    }
    const text = isNamed ? `@${name}` : `addr ${target.text}`;
    const value = readOne({ ...target, text }, this.names, text.length - target.text.length);
    const address = 'cell' in value ? cellToAddress(value.cell) : undefined;
    if (address === undefined) {
      throw callSheetError(target.offset, target.length, `${target.text} is not a contract address.`);
    }
    return address.toRawString();
  }

  /** A call's arguments, by the types of its method if known. */
  stack({ arguments: text }: Pick<MethodCall, 'arguments'>, signature?: GetMethodSignature): StackValue[] {
    return read(text, this.names, 0, signature);
  }

  /** A text with exactly one value, as in an expectation. */
  one(text: PlacedText): StackValue {
    return readOne(text, this.names);
  }

  /**
   * A value of the type that it is compared with: `1ton`, `true`, `bob`, `{a: 1}`, `LIMIT`.
   * @param constants of the source that declares the type
   */
  typed(text: PlacedText, type: AbiType, constants?: GetMethodSignature['constants']): TypedValue {
    const plain = withOwnIds(plainType(type));
    const whole = text.text.trim();
    if (whole === 'null') {
      return { kind: 'null' };
    }
    const named = whole.startsWith('@') ? this.variables.get(bareName(whole)) : undefined;
    if (named !== undefined) {
      const values = named.type === 'tuple' && plain.kind === 'struct' ? named.items : [named];
      return readTyped(values, plain) ?? plainValue(named);
    }
    if (['unknown', 'named'].includes(plain.kind)) {
      return plainValue(this.one(text));
    }
    const values = read(text, this.names, 0, {
      name: '',
      parameters: [{ name: 'value', type: plain }],
      result: plain,
      origin: 'known interface',
      ...(constants === undefined ? {} : { constants }),
    });
    return readTyped(values, plain) ?? plainValue(values[0] ?? { type: 'null' });
  }
}

function plainValue(value: StackValue): TypedValue {
  return { kind: 'plain', type: { kind: 'unknown' }, value };
}

function readOne(placed: PlacedText, names: StackTextOptions, shift = 0): StackValue {
  const [value, second] = read(placed, names, shift);
  if (value === undefined || second !== undefined) {
    throw callSheetError(placed.offset, placed.length, 'One value is needed here.');
  }
  return value;
}

/** Reads stack text in the sheet; error positions are positions in the sheet. */
function read(
  placed: PlacedText,
  names: StackTextOptions,
  shift = 0,
  signature?: GetMethodSignature,
): StackValue[] {
  try {
    return signature === undefined
      ? parseStackText(placed.text, names)
      : parseTypedStack(placed.text, signature.parameters, {
          ...names,
          constants: signature.constants,
        }).flatMap(({ values }) => values);
  } catch (error) {
    const { offset, length, error: found } = placedError(error);
    throw callSheetError(placed.offset + Math.max(0, offset - shift), length, found.message, found.hint);
  }
}

/** An error in the sheet's text. */
export function callSheetError(
  offset: number,
  length: number,
  message: string,
  hint?: string,
): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-invalid',
    kind: 'input',
    message,
    hint,
    details: { offset, length },
  });
}

/** What is known while a sheet is being written. */
export interface SheetKnowledge {
  /**
   * Accounts of a network (undefined: the default one); if undefined, they are unknown and any name may be
   * valid.
   */
  accounts: (network: string | undefined) => ReadonlyMap<string, string> | undefined;
  /** Whether there is a network with that name. */
  hasNetwork: (name: string) => boolean;
  /** The method, if known; `absent` if the contract's methods are known and do not include it. */
  method: (address: string, method: string, network: string | undefined) => KnownMethod | undefined;
  /** What is known about the contract that a `deploy` step builds from a file; undefined if nothing is. */
  source?: (file: string) => KnownSource | undefined;
  /** Which contract of the project is at an address; undefined if it is not known. */
  contract?: (address: string, network: string | undefined) => ContractRef | undefined;
  /** The messages that a `send` step may use; undefined if not known yet. */
  layouts?: () => readonly LayoutSet[] | undefined;
  /** The wallets that can sign on a network; undefined if not known yet. */
  wallets?: (network: string | undefined) => readonly string[] | undefined;
  /** Stand for the codes of the project's contracts that a text uses by name. */
  codes?: (text: string) => SheetNames['codes'];
  readFile?: SheetNames['readFile'];
}

/** What is known about a contract from its source. */
export interface KnownSource {
  /** Undefined if its methods are not known. */
  method: (name: string) => KnownMethod | undefined;
  /** Which contract of the project it is. */
  contract?: ContractRef;
  storage: StorageLayout | undefined;
}

/** What is known about a contract's method. */
export type KnownMethod =
  { kind: 'known'; signature?: GetMethodSignature | undefined } | { kind: 'absent'; others: string[] };

/** A problem that need not keep `runCallSheet` from running: a missing method answers with exit 11. */
export interface CheckedProblem extends CallSheetProblem {
  isWarning?: true;
  /** The unknown target. */
  name?: string;
}

/** The inputs for checking a sheet's steps. */
export interface StepChecking {
  sheet: CallSheet;
  knowledge: SheetKnowledge;
  add: (problem: CheckedProblem) => void;
}
