import type { GetMethodSignature } from '../abi/getMethodSignature';
import { parseTypedStack } from '../abi/parseTypedStack';
import { WorkbenchError, toWorkbenchError } from '../errors';
import { getMethodFailedError } from '../getMethods/getMethodErrors';
import { isSuccess } from '../getMethods/getMethodResult';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import { runGetMethod } from '../getMethods/runGetMethod';
import type { GetMethodAccess, RunGetMethodOptions } from '../getMethods/runGetMethod';
import { cellToAddress } from '../stack/cellToAddress';
import { parseStackText } from '../stack/parseStackText';
import type { StackTextOptions } from '../stack/stackTextContext';
import type { StackValue } from '../stack/stackValue';
import type { CallSheet, PlacedText, SheetCall } from './callSheet';
import { checkExpectation } from './checkExpectation';

/** A network of a sheet and what is known there. */
export interface SheetNetwork {
  access: GetMethodAccess;
  preferredApi?: 'v2' | 'v3' | undefined;
  /** Names of accounts and their addresses. */
  accounts: ReadonlyMap<string, string>;
}

/** How a call came out. */
export interface CallOutcome {
  call: SheetCall;
  passed: boolean;
  /** Absent where nothing came back. */
  result?: GetMethodResult;
  /** Whole sentences, one per expectation that was not met. */
  failures: string[];
  /** What kept the call from an answer. */
  error?: WorkbenchError;
}

export interface RunCallSheetOptions extends RunGetMethodOptions {
  /** The network of that name, or the default one. */
  network: (name: string | undefined) => Promise<SheetNetwork>;
  /** What is known of a method; its arguments may then be written by their types, and are held to them. */
  signature?:
    | ((address: string, method: string, network: SheetNetwork) => Promise<GetMethodSignature | undefined>)
    | undefined;
  /** Reads the files that values name, relative to the sheet. */
  readFile?: StackTextOptions['readFile'];
  /** Called after each call. */
  onOutcome?: ((outcome: CallOutcome) => void) | undefined;
  /** Which calls to run; all unless said otherwise. */
  only?: ((call: SheetCall) => boolean) | undefined;
}

/**
 * Runs the calls of a sheet one after another. A call passes if its expectations are met; without one about the exit code,
 * it has to succeed too. Only cancelling ends the run early.
 *
 * @throws WorkbenchError `call-sheet-invalid` (input) where the text has problems, `aborted`
 */
export async function runCallSheet(sheet: CallSheet, options: RunCallSheetOptions): Promise<CallOutcome[]> {
  const problem = sheet.problems.find((one) => one.isUntyped !== true || options.signature === undefined);
  if (problem !== undefined) {
    throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
  }
  const outcomes: CallOutcome[] = [];
  for (const call of sheet.calls.filter(options.only ?? (() => true))) {
    const outcome = await runOne(sheet, call, options);
    if (outcome.error?.code === 'aborted') {
      throw outcome.error;
    }
    outcomes.push(outcome);
    options.onOutcome?.(outcome);
  }
  return outcomes;
}

async function runOne(sheet: CallSheet, call: SheetCall, options: RunCallSheetOptions): Promise<CallOutcome> {
  const {
    network: networkOf,
    signature: signatureOf,
    readFile,
    onOutcome: _,
    only: __,
    ...runOptions
  } = options;
  try {
    const network = await networkOf((call.network ?? sheet.network)?.text);
    const names = namesOf(sheet, network.accounts, readFile);
    const address = targetAddress(call.target, names);
    const signature = await signatureOf?.(address, call.method.text, network);
    const stack = read(call.arguments, names, 0, signature);
    const expected = call.expectations.map((expectation) => ({
      expectation,
      value: readOne(expectation.value, names),
    }));
    const { preferredApi } = network;
    const result = await runGetMethod(
      network.access,
      { address, method: call.method.text, stack },
      { ...runOptions, preferredApi },
    );
    const failures = expected.flatMap(
      ({ expectation, value }) => checkExpectation(expectation, value, result) ?? [],
    );
    const asksForExit = call.expectations.some(({ subject }) => subject.kind === 'exit');
    if (!asksForExit && !isSuccess(result)) {
      failures.unshift(getMethodFailedError(result.method, result.exitCode, result.exitMeaning).message);
    }
    return { call, passed: failures.length === 0, result, failures };
  } catch (thrown) {
    const error = toWorkbenchError(thrown);
    return { call, passed: false, failures: [error.message], error };
  }
}

/** Variables stand for their values; they may name accounts and variables above them. */
function namesOf(
  sheet: CallSheet,
  accounts: ReadonlyMap<string, string>,
  readFile: StackTextOptions['readFile'],
): StackTextOptions {
  const variables = new Map<string, StackValue>();
  for (const { name, value } of sheet.variables) {
    variables.set(name.text, readOne(value, { accounts, variables, readFile }));
  }
  return { accounts, variables, readFile };
}

function targetAddress(target: PlacedText, names: StackTextOptions): string {
  const name = target.text.replace(/^@/, '');
  const isNamed = names.variables?.has(name) === true || names.accounts?.has(name) === true;
  const text = isNamed ? `@${name}` : `addr ${target.text}`;
  const value = readOne({ ...target, text }, names, text.length - target.text.length);
  const address = 'cell' in value ? cellToAddress(value.cell) : undefined;
  if (address === undefined) {
    throw callSheetError(target.offset, target.length, `${target.text} is no address of a contract.`);
  }
  return address.toRawString();
}

function readOne(placed: PlacedText, names: StackTextOptions, shift = 0): StackValue {
  const [value, second] = read(placed, names, shift);
  if (value === undefined || second !== undefined) {
    throw callSheetError(placed.offset, placed.length, 'One value is needed here.');
  }
  return value;
}

/** Stack text of the sheet; positions of errors are those in the sheet. */
function read(
  placed: PlacedText,
  names: StackTextOptions,
  shift = 0,
  signature?: GetMethodSignature,
): StackValue[] {
  try {
    return signature === undefined
      ? parseStackText(placed.text, names)
      : parseTypedStack(placed.text, signature.parameters, names).flatMap(({ values }) => values);
  } catch (error) {
    if (!WorkbenchError.is(error, 'stack-text-invalid')) {
      throw error;
    }
    const { offset, length } = error.details as { offset: number; length: number };
    throw callSheetError(placed.offset + Math.max(0, offset - shift), length, error.message, error.hint);
  }
}

function callSheetError(offset: number, length: number, message: string, hint?: string): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-invalid',
    kind: 'input',
    message,
    hint,
    details: { offset, length },
  });
}
