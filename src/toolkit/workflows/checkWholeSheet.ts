import type { CallSheet, SheetStep } from '../callSheet/callSheet';
import { checkCallSheet } from '../callSheet/checkCallSheet';
import type { CheckedProblem, KnownMethod, KnownSource, SheetKnowledge } from '../callSheet/sheetChecking';
import { methodNamed } from '../abi/methodNamed';
import type { GetMethodSignature } from '../abi/getMethodSignature';
import { WorkbenchError } from '../errors';
import { requireLocalNetwork } from './sheetMessages';
import type { RunCallSheetOptions, SheetMessages, SheetNetwork } from './sheetRunTypes';

/** A question that the check has asked about a method, and the answer. */
interface AskedMethod {
  address: string;
  method: string;
  network: string | undefined;
  known?: KnownMethod | undefined;
}

/**
 * What is wrong with the steps of a run, by all that is known before it: names, accounts, wallets, types, messages, and
 * data. What only the run can tell, such as the answers in variables, is left to it.
 *
 * @param steps those of the run
 * @throws WorkbenchError `compose-local-only` (input) if a message is for a network that is not local, and the errors of a
 * network's name
 */
export async function checkWholeSheet<Opened extends SheetNetwork>(
  sheet: CallSheet,
  steps: readonly SheetStep[],
  options: RunCallSheetOptions<Opened>,
): Promise<CheckedProblem[]> {
  const { messages, signature, readFile } = options;
  if (messages === undefined) {
    return [];
  }
  const networks = await openNetworks(sheet, steps, options);
  const [layouts, sources] = await Promise.all([messages.layouts(), readSources(steps, messages)]);
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
  const own = { ...sheet, steps: [...steps], problems: sheet.problems.filter((one) => one.isUntyped === true) };
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
  return check();
}

/** The networks of the steps, by the names that the sheet gives them. */
async function openNetworks<Opened extends SheetNetwork>(
  sheet: CallSheet,
  steps: readonly SheetStep[],
  { network }: RunCallSheetOptions<Opened>,
): Promise<ReadonlyMap<string | undefined, Opened>> {
  const opened = new Map<string | undefined, Opened>();
  for (const step of steps) {
    const name = (step.network ?? sheet.network)?.text;
    try {
      const known = opened.get(name) ?? (await network(name));
      opened.set(name, known);
      if (step.kind === 'send' || step.kind === 'deploy') {
        await requireLocalNetwork(known.access);
      }
    } catch (error) {
      // One that does not answer is told by the step that needs it.
      if (!WorkbenchError.is(error) || error.kind === 'input' || error.code === 'aborted') {
        throw error;
      }
    }
  }
  return opened;
}

/** What the steps deploy, by file; what cannot be built is told by its step. */
async function readSources<Opened extends SheetNetwork>(
  steps: readonly SheetStep[],
  messages: SheetMessages<Opened>,
): Promise<ReadonlyMap<string, KnownSource>> {
  const sources = new Map<string, KnownSource>();
  for (const step of steps) {
    if (step.kind === 'deploy' && !sources.has(step.file.text)) {
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
