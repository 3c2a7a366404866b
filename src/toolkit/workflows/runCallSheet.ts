import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Network } from '../access/network';
import type { CallSheet, Place, SheetDeploy, SheetStep } from '../callSheet/callSheet';
import { problemsOfStep } from '../callSheet/callSheet';
import { namesUsed } from '../callSheet/textsOfSheet';
import { callSheetError } from '../callSheet/sheetValues';
import { WorkbenchError, abortedError, errorSentences, toWorkbenchError } from '../base/errors';
import { FolderLock } from '../base/journal/folderLock';
import { callControl } from '../localnet/callControl';
import { controlOf } from '../localnet/controlOf';
import { visibleText } from '../base/text';
import { systemClock } from '../base/time';
import { checkWholeSheet, isSending, requireSendable } from './checkWholeSheet';
import type {
  RunCallSheetOptions,
  SheetMessages,
  SheetNetwork,
  SheetPlan,
  StepOutcome,
} from './sheetRunTypes';
import { SheetSteps } from './sheetSteps';

/**
 * Runs the steps of a sheet in order: calls, messages, deployments. A step passes if its expectations are
 * met; steps that use a contract whose deployment failed are skipped. Unless one of the expectations is about the exit code, it must also succeed. Only cancellation ends the run early.
 * Everything in the scope of `@restore` is undone at its end, even after an error.
 *
 * If a step sends something, everything that can be known before is checked first: names, accounts, types, data.
 *
 * @throws WorkbenchError `call-sheet-invalid` (input) if the sheet has errors, `compose-local-only` (input),
 * `call-sheet-busy`, `aborted`, and the errors of restoring the state
 */
export async function runCallSheet<Opened extends SheetNetwork>(
  sheet: CallSheet,
  options: RunCallSheetOptions<Opened>,
): Promise<StepOutcome[]> {
  const isTold = options.signature !== undefined;
  const problem =
    options.isTolerant === true ? undefined : sheet.problems.find((one) => one.isUntyped !== true || !isTold);
  if (problem !== undefined) {
    throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
  }
  return new SheetRun(sheet, options).run();
}

class SheetRun<Opened extends SheetNetwork> {
  readonly #sheet: CallSheet;
  readonly #options: RunCallSheetOptions<Opened>;
  readonly #steps: SheetSteps<Opened>;
  readonly #signal: AbortSignal;
  readonly #releases = new Map<string, () => void>();
  /** How to restore the state, by `@restore` line and network; the latest first. */
  readonly #ways = new Map<Place, Map<string, () => Promise<void>>>();

  /** The steps that should have deployed contracts, and did not, by name. */
  readonly #undeployed = new Map<string, SheetDeploy>();
  /** The step after which nothing more is tried: what the user's own wallet has signed cannot be undone. */
  #stopped: SheetStep | undefined;
  /** Whether the run sends anything. */
  #sends = false;
  /** The errors of a sheet that is not run as it is, by step: then nothing is sent. */
  #wrong: ReadonlyMap<SheetStep, WorkbenchError> = new Map();

  constructor(sheet: CallSheet, given: RunCallSheetOptions<Opened>) {
    const options = { ...given, messages: given.messages && withBuildsKept(given.messages) };
    this.#sheet = sheet;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#steps = new SheetSteps(sheet, options, this.#signal);
  }

  async run(): Promise<StepOutcome[]> {
    const { only = () => true, onStep, onOutcome } = this.#options;
    const steps = this.#sheet.steps.filter(only);
    const outcomes: StepOutcome[] = [];
    await this.#check(steps);
    try {
      for (const [index, step] of steps.entries()) {
        onStep?.(step);
        const outcome = await this.#runStep(step, steps);
        if (outcome.error?.code === 'aborted') {
          throw outcome.error;
        }
        outcomes.push(outcome);
        await onOutcome?.(outcome);
        if (steps[index + 1]?.scenario !== step.scenario) {
          await this.#goBack(step.restore);
        }
      }
    } finally {
      await this.#end();
    }
    return outcomes;
  }

  /**
   * Checks everything before the first message leaves.
   * @throws WorkbenchError (input) the first error, unless the run is tolerant
   */
  async #check(steps: readonly SheetStep[]): Promise<void> {
    this.#sends = steps.some(isSending);
    if (!this.#sends) {
      return;
    }
    const wrong = await checkWholeSheet(this.#sheet, steps, this.#options);
    const [first] = wrong;
    if (first !== undefined && this.#options.isTolerant !== true) {
      throw first.error;
    }
    // The first problem of each step.
    this.#wrong = new Map(wrong.reverse().map(({ step, error }) => [step, error]));
  }

  async #runStep(step: SheetStep, steps: readonly SheetStep[]): Promise<StepOutcome> {
    const wrong = this.#wrong.get(step);
    const [other] = this.#wrong.keys();
    if (wrong !== undefined || (other !== undefined && isSending(step))) {
      const error = wrong ?? notSentError(other?.lineNumber ?? 0);
      return {
        ...{ step, passed: false, failures: [errorSentences(error)], checks: [], error, elapsedMs: 0 },
        ...(wrong === undefined ? { isSkipped: true } : {}),
      };
    }
    if (this.#stopped !== undefined) {
      const error = stoppedError(this.#stopped.lineNumber);
      return {
        ...{ step, passed: false, failures: [error.message], checks: [], error, elapsedMs: 0 },
        isSkipped: true,
      };
    }
    const used = namesUsed(this.#sheet, [step]);
    const own = step.kind === 'deploy' ? step.name.text : undefined;
    const [needed] = [...this.#undeployed].filter(([name]) => name !== own && used.has(name));
    if (needed !== undefined) {
      const error = notDeployedError(needed[0], needed[1].lineNumber);
      return {
        ...{ step, passed: false, failures: [error.message], checks: [], error, elapsedMs: 0 },
        isSkipped: true,
      };
    }
    const outcome = await this.#tryStep(step, steps);
    if (step.kind === 'deploy') {
      if (outcome.error === undefined) {
        this.#undeployed.delete(step.name.text);
      } else {
        this.#undeployed.set(step.name.text, step);
      }
    }
    return outcome;
  }

  async #tryStep(step: SheetStep, steps: readonly SheetStep[]): Promise<StepOutcome> {
    const isTold = this.#options.signature !== undefined;
    const [problem] = problemsOfStep(this.#sheet, step).filter((one) => one.isUntyped !== true || !isTold);
    const began = systemClock.monotonic();
    let plan: SheetPlan<Opened> | undefined;
    try {
      if (problem !== undefined) {
        throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
      }
      refuseKeptOrder(step);
      const network = await this.#options.network((step.network ?? this.#sheet.network)?.text);
      plan = this.#planOf(network);
      if (plan?.isDone(step, network) === true) {
        // Later steps use its name, and only the chain says whether it is there. What it expects was true when it was done.
        const { deployed } =
          step.kind === 'deploy'
            ? await this.#steps.run({ ...step, expectations: [] }, network, steps)
            : { deployed: undefined };
        const known = deployed === undefined ? {} : { deployed };
        return { step, passed: true, failures: [], checks: [], ...known, wasDone: true, elapsedMs: 0 };
      }
      if (isSending(step)) {
        await this.#prepare(step, network);
      }
      const done = await this.#steps.run(step, network, steps);
      if (done.passed) {
        plan?.done(step, network);
      } else {
        plan?.failed(step, network);
        this.#stopped = plan && step;
      }
      return { ...done, step, elapsedMs: systemClock.monotonic() - began };
    } catch (thrown) {
      this.#stopped ??= plan && step;
      // A signal's reason can be anything, such as a DOMException.
      const told = toWorkbenchError(thrown);
      const error =
        this.#signal.aborted && told.code !== 'aborted' ? abortedError(this.#signal.reason) : told;
      const elapsedMs = systemClock.monotonic() - began;
      return { step, passed: false, failures: [errorSentences(error)], checks: [], error, elapsedMs };
    }
  }

  /**
   * Before the first message, reserves the network for this run, and remembers its state if the sheet asks
   * for that.
   */
  async #prepare(step: SheetStep, opened: Opened): Promise<void> {
    const { network } = opened.access;
    await requireSendable(step, this.#sheet, opened, this.#options.messages);
    if (this.#planOf(opened) !== undefined) {
      return;
    }
    const key = network.v2 ?? network.v3 ?? network.name;
    if (!this.#releases.has(key)) {
      this.#releases.set(key, await takeNetwork(network, this.#signal));
    }
    for (const place of [this.#sheet.restore, step.restore]) {
      if (place !== undefined) {
        const ways = this.#ways.get(place) ?? new Map<string, () => Promise<void>>();
        this.#ways.set(place, ways);
        ways.set(key, ways.get(key) ?? (await rememberState(network, this.#signal)));
      }
    }
  }

  /** How messages leave on a network where the user's own wallet signs; undefined where nothing is sent by it. */
  #planOf(network: Opened): SheetPlan<Opened> | undefined {
    const plan = this.#sends ? this.#options.messages?.plan : undefined;
    return plan?.isFor(network) === true ? plan : undefined;
  }

  async #goBack(place: Place | undefined): Promise<void> {
    const ways = place === undefined ? undefined : this.#ways.get(place);
    if (place === undefined || ways === undefined) {
      return;
    }
    this.#ways.delete(place);
    for (const restore of ways.values()) {
      await restore();
    }
  }

  async #end(): Promise<void> {
    try {
      // The state at the sheet's beginning is the oldest.
      for (const place of [...this.#ways.keys()].sort((a, b) => b.offset - a.offset)) {
        await this.#goBack(place);
      }
    } finally {
      this.#releases.forEach((release) => release());
      this.#releases.clear();
    }
  }
}

/** The same messages; what was built for the check is not built again for its step. */
function withBuildsKept<Opened extends SheetNetwork>(messages: SheetMessages<Opened>): SheetMessages<Opened> {
  const built = new Map<string, ReturnType<typeof messages.build>>();
  return {
    ...messages,
    build: (file) => {
      const known = built.get(file) ?? messages.build(file);
      built.set(file, known);
      return known;
    },
  };
}

/**
 * A run sends one message after another, so it cannot keep an order of deliveries.
 * @throws WorkbenchError `call-sheet-invalid` (input)
 */
function refuseKeptOrder({ concurrent }: SheetStep): void {
  const { order } = concurrent ?? {};
  if (order !== undefined) {
    throw callSheetError(
      order.offset,
      order.length,
      'Only ton-workbench explore repeats an order of deliveries.',
      'Write ton-workbench explore FILE, or remove the order to run the messages one after another.',
    );
  }
}

function notSentError(lineNumber: number): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-invalid',
    kind: 'input',
    message: `Skipped: nothing is sent, because line ${lineNumber} is wrong.`,
  });
}

function stoppedError(lineNumber: number): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-stopped',
    kind: 'failed',
    message: `Not tried: line ${lineNumber} failed, and your wallet is asked for nothing more.`,
  });
}

function notDeployedError(name: string, lineNumber: number): WorkbenchError {
  return new WorkbenchError({
    code: 'contract-not-deployed',
    kind: 'failed',
    message: `Skipped: ${visibleText(name)} is not deployed, because line ${lineNumber} failed.`,
  });
}

/** Maximum seconds to wait until no message is in transit. */
const idleSeconds = 10;

/** This process's latest run on each network, by the origin of its control API. */
const turns = new Map<string, Promise<void>>();

/**
 * Reserves a local network for one run that changes it: runs of this process take turns; a run of another
 * process is an error.
 *
 * @returns releases the network
 * @throws WorkbenchError `call-sheet-busy` (failed), `aborted`
 */
async function takeNetwork(network: Network, signal: AbortSignal): Promise<() => void> {
  const control = controlOf(network) ?? '';
  const before = turns.get(control) ?? Promise.resolve();
  let end = (): void => undefined;
  const turn = new Promise<void>((resolve) => (end = resolve));
  const all = before.then(() => turn);
  turns.set(control, all);
  try {
    await Promise.race([before, aborted(signal)]);
    const lock = await FolderLock.take(await sheetLockFolder(control), { inUse: () => busyError(network) });
    return () => {
      lock.release();
      end();
    };
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Remembers a local network's current state.
 *
 * @returns restores that state
 * @throws WorkbenchError the errors of the control API
 */
async function rememberState(network: Network, signal: AbortSignal): Promise<() => Promise<void>> {
  const control = controlOf(network) ?? '';
  const { seqno } = await callControl(control, 'status', { wait: idleSeconds }, signal);
  return async () => {
    await callControl(control, 'restore', { seqno });
  };
}

/**
 * The folder of a lock for runs of sheets, per user.
 * @param what the network's control API, as ports belong to the machine, and so does the lock; or what else is locked
 */
async function sheetLockFolder(what: string): Promise<string> {
  const { uid } = os.userInfo();
  const id = createHash('sha256').update(what).digest('hex').slice(0, 16);
  const folder = path.join(os.tmpdir(), `ton-workbench-sheets-${uid}`, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Keeps all others from carrying out a sheet whose messages the user's own wallet signs: commands and windows alike.
 * @param sheet its path in the project
 * @throws WorkbenchError the one of `inUse`
 */
export async function lockPlan(
  project: string,
  sheet: string,
  inUse: () => WorkbenchError,
): Promise<FolderLock> {
  return FolderLock.take(await sheetLockFolder(`${project} ${sheet}`), { inUse });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      stop();
    }
    signal.addEventListener('abort', stop, { once: true });
  });
}

function busyError({ name }: Network): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-busy',
    kind: 'failed',
    message: `Another process is running a call sheet on ${name}.`,
    hint: 'Run it again once the other one has ended, or on a separate local network.',
  });
}
