import type { GetMethodSignature } from '../abi/getMethodSignature';
import { WorkbenchError } from '../errors';
import type { CallSheet, CallSheetProblem, Expectation, Place, SheetCall } from './callSheet';
import { isExitName, namesIn } from './readSheetValues';
import { SheetValues } from './sheetValues';
import type { SheetNames } from './sheetValues';

/** What is known when a sheet is written. */
export interface SheetKnowledge {
  /** Accounts of a network (undefined: the default one); undefined if unknown, so that any name may be valid. */
  accounts: (network: string | undefined) => ReadonlyMap<string, string> | undefined;
  /** Whether there is a network with that name. */
  hasNetwork: (name: string) => boolean;
  /** The method, if known; `absent` if the contract's methods are known and do not include it. */
  method: (address: string, method: string, network: string | undefined) => KnownMethod | undefined;
  readFile?: SheetNames['readFile'];
}

/** What is known about a contract's method. */
export type KnownMethod =
  { kind: 'known'; signature?: GetMethodSignature | undefined } | { kind: 'absent'; others: string[] };

/** A problem that `runCallSheet` may survive: a missing method answers with exit 11. */
export interface CheckedProblem extends CallSheetProblem {
  isWarning?: true;
}

/** Checks a sheet without running it: parser errors, unknown networks, and values against known names and types. */
export function checkCallSheet(sheet: CallSheet, knowledge: SheetKnowledge): CheckedProblem[] {
  const problems: CheckedProblem[] = sheet.problems.filter((problem) => problem.isUntyped !== true);
  const add = (problem: CheckedProblem): void => {
    // Problems at a position that is already wrong are most likely consequences.
    if (!problems.some((one) => overlaps(one, problem))) {
      problems.push(problem);
    }
  };
  for (const placed of [sheet.network, ...sheet.calls.map(({ network }) => network)]) {
    if (placed !== undefined && !knowledge.hasNetwork(placed.text)) {
      add({ ...placeOf(placed), message: `There is no network “${placed.text}”.` });
    }
  }
  const check: Check = { sheet, knowledge, add };
  checkVariables(check);
  sheet.calls.forEach((call) => checkCall(check, call));
  return problems.sort((a, b) => a.offset - b.offset);
}

interface Check {
  sheet: CallSheet;
  knowledge: SheetKnowledge;
  add: (problem: CheckedProblem) => void;
}

function checkVariables({ sheet, knowledge, add }: Check): void {
  const accounts = knowledge.accounts(sheet.network?.text);
  if (accounts === undefined) {
    sheet.variables.forEach(({ value }) => untypedIn(sheet, value).forEach(add));
    return;
  }
  const values = new SheetValues({ accounts, readFile: knowledge.readFile });
  const broken = new Set<string>();
  for (const variable of sheet.variables) {
    const isConsequence =
      variable.value.text === '' || namesIn(variable.value).some(({ text }) => broken.has(text));
    const read = attempt(() => values.readVariable(variable), isConsequence ? undefined : add);
    if (read === undefined) {
      broken.add(`@${variable.name.text}`);
    }
  }
}

function checkCall({ sheet, knowledge, add }: Check, call: SheetCall): void {
  const network = (call.network ?? sheet.network)?.text;
  const accounts = knowledge.accounts(network);
  const values = new SheetValues({ accounts: accounts ?? new Map(), readFile: knowledge.readFile });
  const isReady =
    accounts !== undefined &&
    sheet.variables.every((variable) => attempt(() => values.readVariable(variable)) !== undefined);
  if (!isReady) {
    // Their own problems are reported at their own positions.
    untypedIn(sheet, call.arguments)
      .filter((problem) => !mayBeTyped(call, problem))
      .forEach(add);
    call.expectations.forEach(({ value }) => untypedIn(sheet, value).forEach(add));
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
  if (address !== undefined) {
    attempt(
      () => values.stack(call, signature),
      (problem) => {
        // The types of a contract that does not exist yet are unknown.
        if (method !== undefined || !mayBeTyped(call, problem)) {
          add(problem);
        }
      },
    );
  }
  call.expectations.forEach((expectation) => checkExpected(values, expectation, add));
}

/** The value of an expectation that needs no types. */
function checkExpected(
  values: SheetValues,
  { subject, comparison, value }: Expectation,
  add: Check['add'],
): void {
  if (
    subject.kind !== 'gas' &&
    subject.kind !== 'entry' &&
    (subject.kind !== 'exit' || isExitName(value.text))
  ) {
    return;
  }
  const read = attempt(() => values.one(value), add);
  const isOrder = comparison !== '==' && comparison !== '!=';
  if (read !== undefined && read.type !== 'int' && (subject.kind !== 'entry' || isOrder)) {
    const path = subject.kind === 'entry' ? subject.path.join('.') : '';
    const [name, what] = {
      exit: ['exit', 'The exit code'],
      gas: ['gas', 'Gas'],
      entry: [path, `What is compared with ${comparison}`],
    }[subject.kind];
    add({
      ...placeOf(value),
      message: `${what} is a number.`,
      suggestion: `Write expect ${name} ${comparison} 0.`,
    });
  }
}

/** Bare names, texts, and BoCs are valid if the parameter's type expects one. */
function mayBeTyped({ arguments: { text, offset } }: SheetCall, problem: Place): boolean {
  const wrong = text.slice(problem.offset - offset, problem.offset - offset + problem.length);
  return /^(?:[a-z_][\w.+/=-]*|["'].*)$/is.test(wrong);
}

function untypedIn({ problems }: CallSheet, { offset, length }: Place): CallSheetProblem[] {
  return problems.filter(
    (problem) => problem.isUntyped === true && problem.offset >= offset && problem.offset <= offset + length,
  );
}

function overlaps(a: Place, b: Place): boolean {
  return a.offset < b.offset + Math.max(1, b.length) && b.offset < a.offset + Math.max(1, a.length);
}

/** A contract reports an unknown method with exit code 11. */
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
