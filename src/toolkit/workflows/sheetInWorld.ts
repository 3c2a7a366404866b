import { WorkbenchError, errorSentences } from '../base/errors';
import type { ErrorCode } from '../base/errorCodes';
import type { Clock } from '../base/time';
import type { CallSheet, SheetStep } from '../callSheet/callSheet';
import { callSheetError } from '../callSheet/sheetValues';
import type { Network } from '../access/network';
import { checkWholeSheet } from './checkWholeSheet';
import type { RunCallSheetOptions, SheetMessages, SheetNetwork } from './sheetRunTypes';
import { SheetSteps } from './sheetSteps';
import { SheetWorld } from './sheetWorld';

/** What a sheet on a network of its own needs. */
export interface SheetInWorldOptions<Opened extends SheetNetwork> extends Omit<
  RunCallSheetOptions<Opened>,
  'network' | 'onStep' | 'onOutcome' | 'only' | 'isTolerant'
> {
  messages: SheetMessages<Opened>;
  /** Opens the network that the sheet runs on; it lasts as long as what is tried there. */
  open: (network: Network) => Promise<Opened>;
  clock: Clock;
  /** The state to begin with: what control/dump wrote; default: a new network. */
  load?: string | undefined;
  /** Exit codes that are as good as named. */
  accepted?: ReadonlySet<number> | undefined;
}

/** @throws WorkbenchError `call-sheet-invalid` (input) */
export function requireReadable({ problems }: CallSheet, { signature }: { signature?: unknown }): void {
  const problem = problems.find((one) => one.isUntyped !== true || signature === undefined);
  if (problem !== undefined) {
    throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
  }
}

/** A call sheet on a local network of its own: some of its steps run there, then something is tried. */
export class SheetInWorld<Opened extends SheetNetwork> {
  readonly signal: AbortSignal;
  readonly steps: SheetSteps<Opened>;
  readonly #sheet: CallSheet;
  readonly #opened: Opened;
  readonly #runOptions: RunCallSheetOptions<Opened>;

  private constructor(
    sheet: CallSheet,
    options: SheetInWorldOptions<Opened>,
    readonly world: SheetWorld,
    opened: Opened,
  ) {
    const { messages, signal = new AbortController().signal } = options;
    let layouts: ReturnType<SheetMessages<Opened>['layouts']> | undefined;
    this.#sheet = sheet;
    this.#opened = opened;
    this.#runOptions = {
      ...options,
      messages: {
        ...messages,
        layouts: () => (layouts ??= messages.layouts()),
        deliver: (message) => world.deliver(message),
      },
      network: () => Promise.resolve(this.network),
    };
    this.signal = signal;
    this.steps = new SheetSteps(sheet, this.#runOptions, signal);
  }

  /**
   * Opens the network for `use`, and closes it.
   * @throws WorkbenchError `localnet-dump-invalid` (input), and what `use` throws
   */
  static async use<Own extends SheetNetwork, Result>(
    sheet: CallSheet,
    options: SheetInWorldOptions<Own>,
    use: (own: SheetInWorld<Own>) => Promise<Result>,
  ): Promise<Result> {
    const world = await SheetWorld.open(options.clock, options.load);
    try {
      return await use(new SheetInWorld(sheet, options, world, await options.open(world.network)));
    } finally {
      await world.close();
    }
  }

  /** With the names of what is deployed by now. */
  get network(): Opened {
    return { ...this.#opened, accounts: new Map([...this.#opened.accounts, ...this.world.names()]) };
  }

  /** @throws WorkbenchError the first mistake in the chosen steps */
  async check(chosen: readonly SheetStep[]): Promise<void> {
    const [wrong] = await checkWholeSheet(this.#sheet, chosen, this.#runOptions);
    if (wrong !== undefined) {
      throw wrong.error;
    }
  }

  /**
   * Runs what comes before something is tried.
   *
   * @param what the code of the error if a step fails, and before what: `before anything random is sent`
   */
  async prepare(
    steps: readonly SheetStep[],
    chosen: readonly SheetStep[],
    { code, before }: { code: ErrorCode; before: string },
  ): Promise<void> {
    for (const step of steps) {
      this.signal.throwIfAborted();
      const { passed, failures, error } = await this.steps.run(step, this.network, chosen);
      if (!passed) {
        throw new WorkbenchError({
          code,
          kind: 'failed',
          message: `Line ${step.lineNumber} fails ${before}: ${error === undefined ? failures.join(' ') : errorSentences(error)}`,
        });
      }
    }
  }
}
