import type { CallSheet, SheetStep } from '../callSheet/callSheet';
import { checkCallSheet } from '../callSheet/checkCallSheet';
import type { CheckedProblem, KnownMethod, KnownSource, SheetKnowledge } from '../callSheet/sheetChecking';
import { methodNamed } from '../abi/methodNamed';
import type { GetMethodSignature } from '../abi/getMethodSignature';
import { toWorkbenchError } from '../errors';
import type { WorkbenchError } from '../errors';
import { callSheetError } from '../callSheet/sheetValues';
import { requireLocalNetwork } from './sheetMessages';
import type { RunCallSheetOptions, SheetMessages, SheetNetwork } from './sheetRunTypes';

/** A question that the check has asked about a method, and the answer. */
interface AskedMethod {
  address: string;
  method: string;
  network: string | undefined;
  known?: KnownMethod | undefined;
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
  const { messages, signature, readFile } = options;
  const [first] = steps;
  if (messages === undefined || first === undefined) {
    return [];
  }
  const { networks, wrong } = await openNetworks(sheet, steps, options);
  const [layouts, sources] = await Promise.all([messages.layouts(), readSources(steps, messages, wrong)]);
  const asked: AskedMethod[] = [];
  const knowledge: SheetKnowledge = {
    accounts: (name) => networks.get(name)?.accounts,
    // One that there is not was an error when it was opened.
    hasNetwork: () => true,
    method: (address, method, network) => {
      const before = asked.find(
        (one) => one.address === address && one.method === method && one.network === network,
      );
      if (before === undefined) {
        asked.push({ address, method, network });
      }
      return before?.known;
    },
    source: (file) => sources.get(file),
    layouts: () => layouts,
    wallets: (name) => networks.get(name)?.wallets?.map((wallet) => wallet.name),
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
  for (const one of asked) {
    const opened = networks.get(one.network);
    const known: GetMethodSignature | undefined =
      opened === undefined
        ? undefined
        : await signature?.(one.address, one.method, opened).catch(() => undefined);
    one.known = known === undefined ? undefined : { kind: 'known', signature: known };
  }
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
        await requireLocalNetwork(opened.access);
        messages?.allow?.(opened);
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
        const { storage, methods } = built;
        sources.set(step.file.text, {
          storage,
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
