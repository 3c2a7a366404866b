import type { ContractRef } from '../contracts/abi/projectContract';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { bareName, domainsIn } from '../address/resolveAccount';
import { parseComposeLine } from '../send/parseComposeLine';
import { readInitialText } from '../contracts/layouts/readStorageText';
import { withOwnIds } from '../contracts/layouts/parseTypedStack';
import { typeAtPath } from './answerValue';
import type {
  CallSheet,
  Expectation,
  MethodCall,
  Place,
  PlacedText,
  SheetDeploy,
  SheetSend,
  SheetStep,
} from './callSheet';
import { placedError } from './callSheet';
import { isExitName, namesIn, textsOfSheet } from './textsOfSheet';
import type { KnownMethod, StepChecking } from './sheetValues';
import { SheetValues } from './sheetValues';

/** What is known about a step's surroundings. */
interface Here extends StepChecking {
  network: string | undefined;
  values: SheetValues;
  /** Contracts that the sheet deploys, by their placeholder addresses. */
  deployed: ReadonlyMap<string, SheetDeploy>;
  /** The placeholder addresses of domains that are not looked up yet. */
  domains: ReadonlySet<string>;
  /** Whether a text refers to a value that is known only during the run. */
  isOpen: (text: PlacedText) => boolean;
}

/**
 * The accounts of a network, the contracts that the sheet deploys, and the domains that it uses. Before the run, the
 * latter two have no known address, so placeholders are used.
 */
export function accountsOfSheet(
  sheet: CallSheet,
  accounts: ReadonlyMap<string, string>,
): Pick<Here, 'deployed' | 'domains'> & { accounts: ReadonlyMap<string, string> } {
  const deploys = sheet.steps.filter((step) => step.kind === 'deploy');
  const deployed = new Map(deploys.map((step, index) => [placeholder('0', index), step]));
  const names = [...deployed].map(([address, { name }]) => [name.text, address] as const);
  const domains = domainsIn(textsOfSheet(sheet))
    .filter((domain) => !accounts.has(domain))
    .map((domain, index) => [domain, placeholder('d', index)] as const);
  return {
    accounts: new Map([...accounts, ...domains, ...names]),
    deployed,
    domains: new Set(domains.map(([, address]) => address)),
  };
}

function placeholder(kind: string, index: number): string {
  return `0:${kind}${(index + 1).toString(16).padStart(63, '0')}`;
}

/** Checks a step by the known names and types; false if accounts or variables are unknown. */
export function checkStep(checking: StepChecking, step: SheetStep): boolean {
  const { sheet, knowledge } = checking;
  const network = (step.network ?? sheet.network)?.text;
  const known = knowledge.accounts(network);
  if (known === undefined) {
    return false;
  }
  const { accounts, deployed, domains } = accountsOfSheet(sheet, known);
  const values = new SheetValues({
    accounts,
    codes: knowledge.codes?.(textsOfSheet(sheet)),
    readFile: knowledge.readFile,
  });
  const isReadable = attempt(() => {
    values.readVariables(sheet);
    return true;
  });
  if (isReadable === undefined) {
    return false;
  }
  const answers = new Set(
    sheet.variables.filter(({ answer }) => answer !== undefined).map(({ name }) => name.text),
  );
  const here: Here = {
    ...checking,
    ...{ network, values, deployed, domains },
    isOpen: (text) =>
      [text.text.trim(), ...namesIn(text).map((name) => name.text)].some((one) => answers.has(bareName(one))),
  };
  const signature = checkOwn(here, step);
  step.expectations.forEach((expectation) => checkExpected(here, expectation, signature));
  return true;
}

function checkOwn(here: Here, step: SheetStep): GetMethodSignature | undefined {
  switch (step.kind) {
    case 'call':
      return checkMethodCall(here, step, expectsNoMethod(step.expectations));
    case 'send':
      checkSend(here, step);
      return undefined;
    case 'deploy':
      checkDeploy(here, step);
      return undefined;
    case 'replay':
    case 'check':
      return undefined;
  }
}

/** The method's types, if they are known and the call is correct. */
function checkMethodCall(
  { values, deployed, domains, knowledge, network, isOpen, add }: Here,
  call: MethodCall,
  mayBeAbsent: boolean,
): GetMethodSignature | undefined {
  if (isOpen(call.target)) {
    return undefined;
  }
  const address = attempt(
    () => values.address(call),
    (problem) => add({ ...problem, name: bareName(call.target.text) }),
  );
  if (address === undefined) {
    return undefined;
  }
  const file = deployed.get(address)?.file.text;
  const name = call.method.text;
  const method: KnownMethod | undefined = domains.has(address)
    ? undefined
    : file === undefined
      ? knowledge.method(address, name, network)
      : knowledge.source?.(file)?.method(name);
  if (method?.kind === 'absent' && !mayBeAbsent) {
    add({
      ...placeOf(call.method),
      message: `The contract has no get-method ${name}.`,
      suggestion: `It has: ${method.others.join(', ') || 'none'}.`,
      isWarning: true,
    });
  }
  const signature = method?.kind === 'known' ? method.signature : undefined;
  if (!isOpen(call.arguments)) {
    attempt(
      () => values.stack(call, signature && withOwnParameterIds(signature)),
      (problem) => {
        // The types of a contract that does not exist yet are not known.
        if (method !== undefined || !mayBeTyped(call, problem)) {
          add(problem);
        }
      },
    );
  }
  return signature;
}

/** A contract that is not deployed yet has no ids; its arguments are checked all the same. */
function withOwnParameterIds(signature: GetMethodSignature): GetMethodSignature {
  const parameters = signature.parameters.map((one) => ({ ...one, type: withOwnIds(one.type) }));
  return { ...signature, parameters };
}

function checkSend(here: Here, { line }: SheetSend): void {
  const { values, knowledge, network, deployed, isOpen, add } = here;
  const wallets = knowledge.wallets?.(network);
  const layouts = knowledge.layouts?.();
  if (wallets === undefined || layouts === undefined || isOpen(line)) {
    return;
  }
  const target = { ...line, text: line.text.split(/\s/)[0] ?? '' };
  if (!isOpen(target)) {
    const contractAt = (address: string): ContractRef | undefined => {
      const step = deployed.get(address);
      return step === undefined
        ? knowledge.contract?.(address, network)
        : knowledge.source?.(step.file.text)?.contract;
    };
    const options = { ...values.options(), wallets, layouts, contractAt };
    attempt(() => parseComposeLine(line.text, options), addIn(line, add));
  }
}

function checkDeploy({ values, knowledge, isOpen, add }: Here, { file, data }: SheetDeploy): void {
  const storage = knowledge.source?.(file.text)?.storage;
  if (data !== undefined && storage !== undefined && !isOpen(data)) {
    attempt(() => readInitialText(data.text, storage, values.options()), addIn(data, add));
  }
}

function checkExpected(here: Here, expectation: Expectation, own: GetMethodSignature | undefined): void {
  const { subject, value } = expectation;
  if (subject.kind !== 'answer' && subject.kind !== 'field') {
    checkCount(here, expectation);
    return;
  }
  const { values, isOpen, add } = here;
  const signature = subject.kind === 'answer' ? checkMethodCall(here, subject.call, false) : own;
  if (signature === undefined || signature.result.kind === 'unknown') {
    return;
  }
  const type = attempt(() => typeAtPath(signature.name, signature.result, subject.path), add);
  if (type !== undefined && type.kind !== 'unknown' && !isOpen(value)) {
    attempt(() => values.typed(value, type, signature.constants), add);
  }
}

/** Checks the value of an expectation that needs no types. */
function checkCount({ values, isOpen, add }: Here, { subject, comparison, value }: Expectation): void {
  const isNumber = subject.kind === 'gas' || (subject.kind === 'exit' && !isExitName(value.text));
  if ((!isNumber && subject.kind !== 'entry') || isOpen(value)) {
    return;
  }
  const read = attempt(() => values.one(value), add);
  const isOrder = comparison !== '==' && comparison !== '!=';
  if (read !== undefined && read.type !== 'int' && (isNumber || isOrder)) {
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
export function mayBeTyped({ arguments: { text, offset } }: MethodCall, problem: Place): boolean {
  const wrong = text.slice(problem.offset - offset, problem.offset - offset + problem.length);
  return /^(?:[a-z_][\w.+/=-]*|["'].*)$/is.test(wrong);
}

/** A contract reports an unknown method with exit code 11. */
function expectsNoMethod(expectations: readonly Expectation[]): boolean {
  return expectations.some(({ subject, value }) => subject.kind === 'exit' && value.text === '11');
}

/**
 * Adds problems found in a part of the sheet, at their positions there. A misspelled word is marked as a
 * whole.
 */
function addIn({ text, offset }: PlacedText, add: StepChecking['add']): StepChecking['add'] {
  return (problem) => {
    const word = /^[\w.]+/.exec(text.slice(problem.offset))?.[0] ?? '';
    const length = problem.length > 1 ? problem.length : Math.max(problem.length, word.length);
    add({ ...problem, offset: offset + problem.offset, length });
  };
}

/** The value; or undefined, after reporting the problem. */
export function attempt<T>(read: () => T, add?: StepChecking['add']): T | undefined {
  try {
    return read();
  } catch (error) {
    const { offset, length, error: found } = placedError(error);
    add?.({ offset, length, message: found.message, suggestion: found.hint });
    return undefined;
  }
}

function placeOf({ offset, length }: Place): Place {
  return { offset, length };
}
