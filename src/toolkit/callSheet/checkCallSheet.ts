import type { GetMethodSignature } from '../abi/getMethodSignature';
import { WorkbenchError } from '../errors';
import type { CallSheet, CallSheetProblem, Place, SheetCall } from './callSheet';
import { SheetValues } from './sheetValues';
import type { SheetNames } from './sheetValues';

/** What is known where a sheet is written. */
export interface SheetKnowledge {
  /** Accounts of a network (undefined: the default one); undefined where they are not known, so that any name may be right. */
  accounts: (network: string | undefined) => ReadonlyMap<string, string> | undefined;
  /** Whether there is a network of that name. */
  hasNetwork: (name: string) => boolean;
  /** The method, if it is known; `absent` where the contract's methods are known and it is none of them. */
  method: (address: string, method: string, network: string | undefined) => KnownMethod | undefined;
  readFile?: SheetNames['readFile'];
}

/** What is known of a method of a contract. */
export type KnownMethod =
  { kind: 'known'; signature?: GetMethodSignature | undefined } | { kind: 'absent'; others: string[] };

/** A problem that `runCallSheet` may still get past: a method that is missing answers with exit 11. */
export interface CheckedProblem extends CallSheetProblem {
  isWarning?: true;
}

/**
 * Everything that can be said of a sheet without running it: what its parser found, unknown networks, and the values held
 * to the names and types that are known.
 */
export function checkCallSheet(sheet: CallSheet, knowledge: SheetKnowledge): CheckedProblem[] {
  const problems: CheckedProblem[] = sheet.problems.filter((problem) => problem.isUntyped !== true);
  const add = (problem: CheckedProblem): void => {
    const covers = problems.some((one) => one.offset === problem.offset && one.length === problem.length);
    if (!covers) {
      problems.push(problem);
    }
  };
  for (const placed of [sheet.network, ...sheet.calls.map(({ network }) => network)]) {
    if (placed !== undefined && !knowledge.hasNetwork(placed.text)) {
      add({ ...placeOf(placed), message: `There is no network “${placed.text}”.` });
    }
  }
  const known = knowledge.accounts(sheet.network?.text);
  if (known !== undefined) {
    checkVariables(sheet, { accounts: known, readFile: knowledge.readFile }, add);
  }
  sheet.calls.forEach((call) => checkCall(sheet, call, knowledge, add));
  return problems.sort((a, b) => a.offset - b.offset);
}

function checkVariables(sheet: CallSheet, names: SheetNames, add: (problem: CheckedProblem) => void): void {
  const values = new SheetValues(names);
  sheet.variables.forEach((variable) => attempt(() => values.readVariable(variable), add));
}

function checkCall(
  sheet: CallSheet,
  call: SheetCall,
  knowledge: SheetKnowledge,
  add: (problem: CheckedProblem) => void,
): void {
  const untyped = sheet.problems.filter(
    ({ isUntyped, offset }) =>
      isUntyped === true &&
      offset >= call.arguments.offset &&
      offset <= call.arguments.offset + call.arguments.length,
  );
  const network = (call.network ?? sheet.network)?.text;
  const accounts = knowledge.accounts(network);
  if (accounts === undefined) {
    untyped.forEach(add);
    return;
  }
  const values = new SheetValues({ accounts, readFile: knowledge.readFile });
  const isReady = sheet.variables.every(
    (variable) => attempt(() => values.readVariable(variable)) !== undefined,
  );
  if (!isReady) {
    // Their own problems are told where they stand.
    untyped.forEach(add);
    return;
  }
  const address = attempt(() => values.address(call), add);
  const method = address === undefined ? undefined : knowledge.method(address, call.method.text, network);
  if (method?.kind === 'absent' && !expectsNoMethod(call)) {
    add({
      ...placeOf(call.method),
      message: `The contract has no get-method ${call.method.text}.`,
      suggestion: `It has: ${method.others.join(', ') || 'none'}.`,
      isWarning: true,
    });
  }
  const signature = method?.kind === 'known' ? method.signature : undefined;
  attempt(() => values.stack(call, signature), add);
  call.expectations.forEach(({ value }) => attempt(() => values.one(value), add));
}

/** Exit code 11 is how a contract says that it has no such method. */
function expectsNoMethod({ expectations }: SheetCall): boolean {
  return expectations.some(({ subject, value }) => subject.kind === 'exit' && value.text === '11');
}

function attempt<T>(read: () => T, add?: (problem: CheckedProblem) => void): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!WorkbenchError.is(error, 'call-sheet-invalid')) {
      throw error;
    }
    const { offset, length } = error.details as unknown as Place;
    add?.({ offset, length, message: error.message, suggestion: error.hint });
    return undefined;
  }
}

function placeOf({ offset, length }: Place): Place {
  return { offset, length };
}
