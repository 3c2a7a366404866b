import type { CallSheet, SheetStep } from '../callSheet/callSheet';
import { checkCallSheet } from '../callSheet/checkCallSheet';
import type { CheckedProblem, KnownSource, SheetKnowledge } from '../callSheet/sheetValues';
import type { Cell } from '@ton/core';
import type { ContractRef } from '../contracts/abi/projectContract';
import { methodNamed } from '../contracts/abi/methodNamed';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { toWorkbenchError } from '../base/errors';
import type { WorkbenchError } from '../base/errors';
import { textsOfSheet } from '../callSheet/textsOfSheet';
import { callSheetError } from '../callSheet/sheetValues';
import { requireLocalNetwork, walletNames } from './sheetMessages';
import type { RunCallSheetOptions, SheetMessages, SheetNetwork } from './sheetRunTypes';

/** The questions of a check that the network answers: it is checked again when they are answered. */
class Questions<Answer> {
  readonly #answers = new Map<string, Answer | undefined>();
  readonly #open = new Map<string, () => Promise<Answer | undefined>>();

  answer(key: string, ask: () => Promise<Answer | undefined> | undefined): Answer | undefined {
    if (!this.#answers.has(key) && !this.#open.has(key)) {
      this.#open.set(key, async () => ask());
    }
    return this.#answers.get(key);
  }

  /** What cannot be read is not known. */
  async ask(): Promise<void> {
    for (const [key, ask] of this.#open) {
      this.#answers.set(key, await ask().catch(() => undefined));
    }
    this.#open.clear();
  }
}

/** A step that cannot do what it says, and why. */
export interface WrongStep {
  step: SheetStep;
  error: WorkbenchError;
}

/**
 * What is wrong with the steps of a run, by all that is known before it: networks, names, accounts, wallets, types,
 * messages, and data. What only the run can tell, such as the answers in variables, is left to it.
 *
 * @param steps those of the run
 * @returns one error a problem: `call-sheet-invalid`, `compose-local-only`, and those of a network's name (input)
 */
export async function checkWholeSheet<Opened extends SheetNetwork>(
  sheet: CallSheet,
  steps: readonly SheetStep[],
  options: RunCallSheetOptions<Opened>,
): Promise<WrongStep[]> {
  const { messages, signature, readFile, signal = new AbortController().signal } = options;
  const [first] = steps;
  if (messages === undefined || first === undefined) {
    return [];
  }
  const { networks, wrong } = await openNetworks(sheet, steps, options);
  const [layouts, sources] = await Promise.all([messages.layouts(), readSources(steps, messages, wrong)]);
  const codes = await codesOf(sheet, steps, options, wrong);
  const methods = new Questions<GetMethodSignature>();
  const contracts = new Questions<ContractRef>();
  const knowledge: SheetKnowledge = {
    accounts: (name) => networks.get(name)?.accounts,
    // One that there is not was an error when it was opened.
    hasNetwork: () => true,
    method: (address, method, name) => {
      const opened = networks.get(name);
      const known = methods.answer(
        `${name} ${address} ${method}`,
        () => opened && signature?.(address, method, opened),
      );
      return known && { kind: 'known', signature: known };
    },
    contract: (address, name) => {
      const opened = networks.get(name);
      return contracts.answer(
        `${name} ${address}`,
        () => opened && messages.contractAt?.(address, opened, signal),
      );
    },
    source: (file) => sources.get(file),
    codes: () => codes,
    layouts: () => layouts,
    wallets: (name) => {
      const opened = networks.get(name);
      return opened?.wallets === undefined ? undefined : walletNames(opened, messages);
    },
    readFile,
  };
  const own = {
    ...sheet,
    steps: [...steps],
    problems: sheet.problems.filter((one) => one.isUntyped === true),
  };
  const check = (): CheckedProblem[] =>
    checkCallSheet(own, knowledge).filter(({ isWarning }) => isWarning !== true);
  check();
  await methods.ask();
  await contracts.ask();
  const problems = check().map(({ offset, length, message, suggestion }) => ({
    step: steps.findLast((one) => Math.min(one.header.offset, one.offset) <= offset) ?? first,
    error: callSheetError(offset, length, message, suggestion),
  }));
  return [...wrong, ...problems].sort((a, b) => a.step.offset - b.step.offset);
}

/** The networks of the steps, by the names that the sheet gives them, and the steps that cannot use theirs. */
async function openNetworks<Opened extends SheetNetwork>(
  sheet: CallSheet,
  steps: readonly SheetStep[],
  { network, messages }: RunCallSheetOptions<Opened>,
): Promise<{ networks: ReadonlyMap<string | undefined, Opened>; wrong: WrongStep[] }> {
  const networks = new Map<string | undefined, Opened>();
  const wrong: WrongStep[] = [];
  for (const step of steps) {
    const name = (step.network ?? sheet.network)?.text;
    try {
      const opened = networks.get(name) ?? (await network(name));
      networks.set(name, opened);
      if (isSending(step)) {
        await requireSendable(step, sheet, opened, messages);
      }
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted') {
        throw error;
      }
      // A network that does not answer is told by the step that needs it.
      if (error.kind === 'input') {
        wrong.push({ step, error });
      }
    }
  }
  return { networks, wrong };
}

/**
 * Ensures that a message may leave on a network: signed there if it is local, elsewhere by the user's own wallet.
 * @throws WorkbenchError `compose-local-only`, `call-sheet-invalid` (input), and what the run refuses
 */
export async function requireSendable<Opened extends SheetNetwork>(
  step: SheetStep,
  sheet: Pick<CallSheet, 'restore'>,
  opened: Opened,
  messages: SheetMessages<Opened> | undefined,
): Promise<void> {
  if (messages?.plan?.isFor(opened) !== true) {
    await requireLocalNetwork(opened.access);
    messages?.allow?.(opened);
    return;
  }
  messages.plan.allow(opened);
  const restore = step.restore ?? sheet.restore;
  if (restore !== undefined) {
    throw callSheetError(
      restore.offset,
      restore.length,
      'What your own wallet sends cannot be undone.',
      'Remove @restore, or run the sheet on a local network.',
    );
  }
}

/** The codes that the steps use by the names of contracts. */
async function codesOf<Opened extends SheetNetwork>(
  { variables }: CallSheet,
  steps: readonly SheetStep[],
  { codes }: RunCallSheetOptions<Opened>,
  wrong: WrongStep[],
): Promise<ReadonlyMap<string, Cell>> {
  const found = new Map<string, Cell>();
  for (const step of steps) {
    try {
      const own = await codes?.(textsOfSheet({ variables, steps: [step] }));
      own?.forEach((code, name) => found.set(name, code));
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted') {
        throw error;
      }
      wrong.push({ step, error });
    }
  }
  return found;
}

/** Whether a step sends a message. */
export function isSending({ kind }: SheetStep): boolean {
  return kind === 'send' || kind === 'deploy';
}

/** What the steps deploy, by file; what cannot be built is told by its step. */
async function readSources<Opened extends SheetNetwork>(
  steps: readonly SheetStep[],
  messages: SheetMessages<Opened>,
  wrong: readonly WrongStep[],
): Promise<ReadonlyMap<string, KnownSource>> {
  const sources = new Map<string, KnownSource>();
  for (const step of steps) {
    const isWrong = wrong.some((one) => one.step === step);
    if (step.kind === 'deploy' && !isWrong && !sources.has(step.file.text)) {
      const built = await messages.build(step.file.text).catch(() => undefined);
      if (built !== undefined) {
        const { storage, methods, contract } = built;
        sources.set(step.file.text, {
          storage,
          ...(contract === undefined ? {} : { contract }),
          method: (name) => {
            const found = methods && methodNamed({ methods: [...methods] }, name);
            return found && { kind: 'known', signature: found.signature };
          },
        });
      }
    }
  }
  return sources;
}
