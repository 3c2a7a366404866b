import type { GetMethodSignature } from '../abi/getMethodSignature';
import type { ExitSource } from '../exitCodes';
import { toWorkbenchError, WorkbenchError } from '../errors';
import { withExits } from '../getMethods/exitExplanation';
import { getMethodFailedError } from '../getMethods/getMethodErrors';
import { isSuccess } from '../getMethods/getMethodResult';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import type { RunGetMethodOptions } from '../getMethods/runGetMethod';
import type { StackTextOptions } from '../stack/stackTextContext';
import { answerOf, callContract } from './callContract';
import type { CallContractParameters } from './callContract';
import type { CallSheet, Expectation, SheetCall } from '../callSheet/callSheet';
import { actualText, checkExpectation } from '../callSheet/checkExpectation';
import { printStackValue } from '../stack/printStackValue';
import type { StackValue } from '../stack/stackValue';
import { visibleText } from '../text';
import { callSheetError, SheetValues } from '../callSheet/sheetValues';

/** A sheet's network and what is known there. */
export interface SheetNetwork {
  access: CallContractParameters['access'];
  preferredApi?: 'v2' | 'v3' | undefined;
  /** Names of accounts and their addresses. */
  accounts: ReadonlyMap<string, string>;
}

/** An expectation and its result. */
interface CheckedExpectation {
  expectation: Expectation;
  /** Why it is not met: a whole sentence. */
  failure?: string;
  /** Both as stack text; `actual` is absent if the answer has no such entry. */
  expected: string;
  actual?: string;
}

/** A call's outcome. */
export interface CallOutcome {
  call: SheetCall;
  passed: boolean;
  /** Absent without an answer. */
  result?: GetMethodResult;
  /** Whole sentences, one per unmet expectation. */
  failures: string[];
  /** Each expectation in order; empty without an answer. */
  checks: CheckedExpectation[];
  /** The error that prevented an answer. */
  error?: WorkbenchError;
}

export interface RunCallSheetOptions<Opened extends SheetNetwork = SheetNetwork> extends RunGetMethodOptions {
  /** The network of that name, or the default one. */
  network: (name: string | undefined) => Promise<Opened>;
  /** What is known about a method; arguments can then use its types, and are checked against them. */
  signature?:
    | ((address: string, method: string, network: Opened) => Promise<GetMethodSignature | undefined>)
    | undefined;
  /** Whether there is a contract at an address; used if arguments cannot be parsed without its types. */
  isDeployed?: ((address: string, network: Opened) => Promise<boolean | undefined>) | undefined;
  /** What is known about the exit codes of a contract; asked where a method has failed. */
  exits?: ((address: string, network: Opened) => Promise<ExitSource | undefined>) | undefined;
  /** Reads the files that values refer to, relative to the sheet. */
  readFile?: StackTextOptions['readFile'];
  /** Called after each call. */
  onOutcome?: ((outcome: CallOutcome) => void) | undefined;
  /** Which calls to run; default: all. */
  only?: ((call: SheetCall) => boolean) | undefined;
}

/**
 * Runs the calls of a sheet one after another. A call passes if its expectations are met; unless one is about the
 * exit code, it must also succeed. Only cancellation ends the run early.
 *
 * @throws WorkbenchError `call-sheet-invalid` (input) if the text has errors, `aborted`
 */
export async function runCallSheet<Opened extends SheetNetwork>(
  sheet: CallSheet,
  options: RunCallSheetOptions<Opened>,
): Promise<CallOutcome[]> {
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

async function runOne<Opened extends SheetNetwork>(
  sheet: CallSheet,
  call: SheetCall,
  options: RunCallSheetOptions<Opened>,
): Promise<CallOutcome> {
  const {
    network: networkOf,
    signature: signatureOf,
    isDeployed,
    exits,
    readFile,
    onOutcome: _,
    only: __,
    ...runOptions
  } = options;
  try {
    const network = await networkOf((call.network ?? sheet.network)?.text);
    const values = new SheetValues({ accounts: network.accounts, readFile });
    values.readVariables(sheet);
    const { access, accounts, preferredApi } = network;
    const method = call.method.text;
    let expected: { expectation: Expectation; value: StackValue }[] = [];
    const events = callContract({
      ...runOptions,
      ...{ access, accounts, preferredApi, method },
      address: values.address(call),
      signature: async (address) => signatureOf?.(address, method, network),
      stack: async (signature, address) => {
        const stack = await readStack(
          () => values.stack(call, signature),
          async () =>
            signature === undefined && (await isDeployed?.(address, network)) === false
              ? contractMissingError(call.target.text, address, access.network.name)
              : undefined,
        );
        // Unreadable values are found before anything is sent.
        expected = call.expectations.map((expectation) => ({
          expectation,
          value: values.one(expectation.value),
        }));
        return stack;
      },
    });
    const answer = await answerOf(events);
    const result = isSuccess(answer.result)
      ? answer.result
      : withExits(answer.result, await exits?.(answer.result.address, network));
    const checks = expected.map(({ expectation, value }): CheckedExpectation => {
      const failure = checkExpectation(expectation, value, result);
      const actual = actualText(expectation, result);
      return {
        expectation,
        expected: printStackValue(value),
        ...(failure === undefined ? {} : { failure }),
        ...(actual === undefined ? {} : { actual }),
      };
    });
    const failures = failuresOf(checks, result);
    return { call, passed: failures.length === 0, result, failures, checks };
  } catch (thrown) {
    const error = toWorkbenchError(thrown);
    return { call, passed: false, failures: [error.message], checks: [], error };
  }
}

/** If arguments need the contract's types and there is no contract, that is the cause to report. */
async function readStack(
  read: () => StackValue[],
  cause: () => Promise<WorkbenchError | undefined>,
): Promise<StackValue[]> {
  try {
    return read();
  } catch (error) {
    throw (await cause()) ?? error;
  }
}

function contractMissingError(target: string, address: string, network: string): WorkbenchError {
  const name = target === address ? '' : ` (${visibleText(target)})`;
  return new WorkbenchError({
    code: 'contract-missing',
    kind: 'failed',
    message: `There is no contract at ${address}${name} on ${network}.`,
    hint: 'Deploy it first, or check the address and the network.',
    details: { address },
  });
}

/** A failed method has no entries, so missing ones are not reported individually. */
function failuresOf(checks: readonly CheckedExpectation[], result: GetMethodResult): string[] {
  const exits = checks.filter(({ expectation }) => expectation.subject.kind === 'exit');
  const isUnexpected = !isSuccess(result) && exits.every(({ failure }) => failure !== undefined);
  const told = checks.filter(({ actual }) => !isUnexpected || actual !== undefined);
  const failures = told.flatMap(({ failure }) => failure ?? []);
  return isUnexpected && exits.length === 0
    ? [getMethodFailedError(result.method, result.exitCode, result.exitMeaning).message, ...failures]
    : failures;
}
