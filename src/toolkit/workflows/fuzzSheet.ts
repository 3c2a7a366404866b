import * as fc from 'fast-check';
import { WorkbenchError, abortedError } from '../base/errors';
import type { CallSheet, SheetStep } from '../callSheet/callSheet';
import type { ReplayInputs } from '../replay/replayInputs';
import { isSending } from './checkWholeSheet';
import type { FuzzFault, FuzzRunOutcome, FuzzedLine } from './fuzzRun';
import { FuzzRun } from './fuzzRun';
import type { FuzzLine, FuzzedContract } from './fuzzTargets';
import { fuzzTargets } from './fuzzTargets';
import type { SheetInWorldOptions } from './sheetInWorld';
import { SheetInWorld, requireReadable } from './sheetInWorld';
import type { SheetNetwork } from './sheetRunTypes';

/** What was found. */
export interface FuzzFinding {
  fault: FuzzFault;
  /** The shortest lines that lead to it; empty if the sheet alone does. */
  lines: readonly FuzzedLine[];
  /** How many lines it took before they were shortened. */
  foundWith: number;
  /** The run that it was found in, from 1. */
  run: number;
  /** The last transaction; undefined if a get-method failed. */
  replay: ReplayInputs | undefined;
}

/** What was run. */
export interface FuzzedSheet {
  seed: number;
  /** Random sequences that were run, without those that shortened a finding. */
  runs: number;
  /** Messages and calls in these. */
  lines: number;
  /** What was sent and called, such as `Pot Take`. */
  targets: readonly string[];
  /** What has values of a type that cannot be written. */
  leftOut: readonly string[];
  finding: FuzzFinding | undefined;
  /** Whether the time was over first. */
  stoppedBy: 'seconds' | undefined;
  /** Names of accounts whose exit codes nobody can judge, because their source is not known. */
  unjudged: readonly string[];
  /** Where the lines of a finding belong in the sheet: below the line that ends here, or begins here if it expects. */
  place: number;
  /** Names of accounts by their raw addresses. */
  accountNames: ReadonlyMap<string, string>;
}

export interface FuzzSheetOptions<Opened extends SheetNetwork> extends SheetInWorldOptions<Opened> {
  /** What everything random follows from: a 32-bit integer. */
  seed: number;
  /** Maximum random sequences. */
  runs: number;
  /** Maximum lines in one. */
  length: number;
  seconds: number;
  /** The name of one message or get-method; default: all. */
  target?: string | undefined;
  /** Called after each sequence with the number of those so far. */
  onRun?: ((runs: number, isShortening: boolean) => void) | undefined;
}

/**
 * Runs a sheet on a local network of its own, then random messages and calls to the contracts that it deploys, with
 * values by the types in their sources. After each, what the last scenario expects of answers below its last message or
 * deployment must hold. Ends at the first fault, and shortens what leads to it.
 *
 * Scenarios above the last one run first, except those that `@restore` undoes, and concurrent ones.
 *
 * @throws WorkbenchError `call-sheet-invalid`, `fuzz-nothing-deployed`, `fuzz-target-unknown` (input), `fuzz-unprepared`
 * (failed) if a step fails before, `emulator-failed`, `aborted`
 */
export async function fuzzSheet<Opened extends SheetNetwork>(
  sheet: CallSheet,
  options: FuzzSheetOptions<Opened>,
): Promise<FuzzedSheet> {
  requireReadable(sheet, options);
  return SheetInWorld.use(sheet, options, (own) => new SheetFuzz(sheet, options, own).run());
}

class SheetFuzz<Opened extends SheetNetwork> {
  #runs = 0;
  #lines = 0;
  #isOver = false;
  #found: { outcome: FuzzRunOutcome; key: string; foundWith: number; run: number } | undefined;

  constructor(
    private readonly sheet: CallSheet,
    private readonly options: FuzzSheetOptions<Opened>,
    private readonly own: SheetInWorld<Opened>,
  ) {}

  async run(): Promise<FuzzedSheet> {
    const { options, own } = this;
    const { world, signal, steps } = own;
    const { clock, seed, runs } = options;
    const until = clock.monotonic() + options.seconds * 1000;
    const { before, holds, place } = partsOf(this.sheet);
    const chosen = [...before, ...holds];
    await own.check(chosen);
    await own.prepare(before, chosen, { code: 'fuzz-unprepared', before: 'before anything random is sent' });
    const { network } = own;
    const run = new FuzzRun({
      ...{ world, network, chosen, holds, steps, signal },
      ...{ messages: options.messages, exits: options.exits, offset: place },
      accepted: options.accepted ?? new Set<number>(),
    });
    const contracts = await this.#contracts(before);
    const wallets = (network.wallets ?? []).slice(0, 3).map(({ name }) => name);
    const layouts = await options.messages.layouts();
    const { names, leftOut, lines, hasMessages } = fuzzTargets(contracts, layouts, wallets, options.target);
    const first = await run.run([]);
    if (first.fault !== undefined) {
      this.#keep(first, [], 0);
    } else {
      const sequences = fc.array(lines, {
        minLength: 1,
        // Calls change nothing.
        maxLength: hasMessages ? options.length : 1,
        size: 'max',
      });
      const isOver = (): boolean => (this.#isOver ||= clock.monotonic() >= until);
      const holdsFor = (given: readonly FuzzLine[]): Promise<boolean> => this.#holdsFor(run, given, isOver);
      await fc.check(fc.asyncProperty(sequences, holdsFor), { seed, numRuns: runs });
      if (signal.aborted) {
        throw abortedError(signal.reason);
      }
    }
    const accountNames = new Map([...network.accounts].map(([name, address]) => [address, name]));
    return {
      ...{ seed, runs: this.#runs, lines: this.#lines, targets: names, leftOut, place, accountNames },
      finding: this.#found && { ...findingOf(this.#found.outcome, run), ...this.#foundAt },
      stoppedBy: this.#isOver && this.#found === undefined ? 'seconds' : undefined,
      unjudged: [...run.unjudged].map((address) => accountNames.get(address) ?? address),
    };
  }

  get #foundAt(): Pick<FuzzFinding, 'foundWith' | 'run'> {
    const { foundWith = 0, run = 0 } = this.#found ?? {};
    return { foundWith, run };
  }

  /** False if a sequence breaks something; once something is broken, only the same counts. */
  async #holdsFor(run: FuzzRun<Opened>, lines: readonly FuzzLine[], isOver: () => boolean): Promise<boolean> {
    if (this.own.signal.aborted || isOver()) {
      return true;
    }
    const isShortening = this.#found !== undefined;
    const outcome = await run.run(lines);
    if (!isShortening) {
      this.#runs += 1;
      this.#lines += outcome.lines.length;
    }
    this.options.onRun?.(this.#runs, isShortening);
    if (outcome.fault === undefined) {
      return true;
    }
    return !this.#keep(outcome, lines, this.#runs);
  }

  #keep(outcome: FuzzRunOutcome, lines: readonly FuzzLine[], run: number): boolean {
    const key = faultKey(outcome.fault);
    if (this.#found !== undefined && this.#found.key !== key) {
      return false;
    }
    this.#found = { foundWith: lines.length, run, ...this.#found, outcome, key };
    return true;
  }

  async #contracts(steps: readonly SheetStep[]): Promise<FuzzedContract[]> {
    const contracts: FuzzedContract[] = [];
    for (const step of steps) {
      if (step.kind === 'deploy') {
        const { contract, methods = [] } = await this.options.messages.build(step.file.text);
        contracts.push({ name: step.name.text, contract, methods });
      }
    }
    return contracts;
  }
}

/** What runs first, what must hold after each line, and where lines belong. */
function partsOf({ steps }: CallSheet): {
  before: readonly SheetStep[];
  holds: readonly SheetStep[];
  place: number;
} {
  const usual = steps.filter(({ concurrent }) => concurrent === undefined);
  const last = usual.at(-1)?.scenario;
  const own = usual.filter(({ scenario }) => scenario === last);
  const above = usual.filter(
    (step) => step.scenario !== last && step.restore === undefined && isSending(step),
  );
  const end = own.findLastIndex(isSending);
  const sending = own[end];
  const before = [...above, ...own.slice(0, end + 1)];
  if (sending === undefined || !before.some(({ kind }) => kind === 'deploy')) {
    throw new WorkbenchError({
      code: 'fuzz-nothing-deployed',
      kind: 'input',
      message: 'The last scenario of this sheet deploys nothing, and sends nothing.',
      hint: 'Write a line such as deploy counter.tolk {…} as Counter there.',
    });
  }
  const answers = sending.expectations.filter(({ subject }) => subject.kind === 'answer');
  const [first] = answers;
  const check: SheetStep[] =
    first === undefined
      ? []
      : [{ ...sending, kind: 'check', offset: first.offset, length: first.length, expectations: answers }];
  const others = sending.expectations.filter(({ subject }) => subject.kind !== 'answer').at(-1) ?? sending;
  const place = first?.offset ?? others.offset + others.length;
  return { before, holds: [...check, ...own.slice(end + 1)], place };
}

function findingOf<Opened extends SheetNetwork>(
  { fault, lines, last }: FuzzRunOutcome,
  run: FuzzRun<Opened>,
): Omit<FuzzFinding, 'foundWith' | 'run'> {
  if (fault === undefined) {
    throw new Error('only faults are kept');
  }
  return { fault, lines, replay: last && run.replayOf(last) };
}

/** Equal for faults that are the same. */
function faultKey(fault: FuzzFault | undefined): string {
  switch (fault?.kind) {
    case 'exit':
      return `exit ${fault.account} ${fault.phase} ${fault.code}`;
    case 'expect':
      return `expect ${fault.step.offset}`;
    default:
      return fault?.kind ?? '';
  }
}
