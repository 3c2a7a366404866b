import type { AbiType } from '../abi/abiType';
import type { GetMethodSignature } from '../abi/getMethodSignature';
import { readTyped } from '../typed/readTyped';
import type { TypedValue } from '../typed/typedValue';
import { parseTypedStack } from '../typed/parseTypedStack';
import { withOwnIds } from '../typed/withOwnIds';
import { bareName } from '../address/resolveAccount';
import { closestWord } from '../closestWord';
import { WorkbenchError } from '../errors';
import { placedError } from './placedError';
import { cellToAddress } from '../stack/cellToAddress';
import { parseStackText } from '../stack/parseStackText';
import type { StackTextOptions } from '../stack/stackTextContext';
import type { StackValue } from '../stack/stackValue';
import { visibleText } from '../text';
import type { CallSheet, MethodCall, PlacedText, SheetVariable } from './callSheet';
import { plainType } from './typeParts';

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
