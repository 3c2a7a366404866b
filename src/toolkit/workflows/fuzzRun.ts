import { WorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import { callSheetError } from '../callSheet/sheetValues';
import { parseCallSheet } from '../callSheet/parseCallSheet';
import type { SheetSend, SheetStep } from '../callSheet/callSheet';
import type { AccountState, DeliveryGround } from '../explore/deliverMessage';
import { MessageDelivery, digest } from '../explore/deliverMessage';
import type { LostCoins, OrderStep } from '../explore/exploreOrders';
import { followOrder } from '../explore/exploreOrders';
import type { ReplayInputs } from '../replay/replayInputs';
import type { UnnamedExit } from './exitJudge';
import { ExitJudge, deliveryFailure } from './exitJudge';
import type { FuzzLine } from './fuzzTargets';
import type { RunCallSheetOptions, SheetMessages, SheetNetwork } from './sheetRunTypes';
import type { SheetSteps } from './sheetSteps';
import { groundInputs } from './flowTraces';
import type { HeldMessage, SheetWorld } from './sheetWorld';

/** What random messages break. */
export type FuzzFault =
  | ({ kind: 'exit' } & UnnamedExit)
  | LostCoins
  /** What must hold after each message, and does not; `step` is that of the sheet. */
  | { kind: 'expect'; step: SheetStep; failures: readonly string[] };

/** A line that was run, and how it ended. */
export interface FuzzedLine {
  /** As a sheet has it. */
  text: string;
  /** Of the first failure, or of the receiver's code; null if none ran. */
  exitCode: number | null;
}

/** What one sequence of lines did. */
export interface FuzzRunOutcome {
  fault: FuzzFault | undefined;
  /** Those that were run: none after the fault. */
  lines: readonly FuzzedLine[];
  /** The transaction that the fault is in, or that came before it; undefined if a get-method failed. */
  last: OrderStep | undefined;
}

/** What sequences start from. */
export interface FuzzStart<Opened extends SheetNetwork> {
  world: SheetWorld;
  network: Opened;
  /** All steps of the sheet that are run. */
  chosen: readonly SheetStep[];
  /** What must hold after each line. */
  holds: readonly SheetStep[];
  /** As they were once the sheet had run. */
  steps: SheetSteps<Opened>;
  messages: SheetMessages<Opened>;
  exits: RunCallSheetOptions<Opened>['exits'];
  /** Exit codes that are as good as named. */
  accepted: ReadonlySet<number>;
  signal: AbortSignal;
  /** Where the lines stand in the sheet: they know the variables above. */
  offset: number;
}

interface CallOutcome {
  exitCode: number | null;
  fault: FuzzFault | undefined;
}

/** Runs sequences of lines, each from the same start, and judges what they do. */
export class FuzzRun<Opened extends SheetNetwork> {
  readonly #ground: DeliveryGround;
  readonly #delivery: MessageDelivery;
  readonly #exits: ExitJudge;
  /** Messages by their lines, since equal ones are executed once. */
  readonly #held = new Map<string, HeldMessage>();
  readonly #start = new Map<string, AccountState>();
  /** Hashes of the accounts that the network has other than at the start, or had. */
  readonly #shown = new Map<string, string>();
  readonly #answered = new Map<string, CallOutcome>();
  /** States (by the contents of the accounts) in which everything holds that must. */
  readonly #good = new Set<string>();

  constructor(private readonly given: FuzzStart<Opened>) {
    const { world, messages, network, accepted } = given;
    this.#ground = world.ground();
    this.#delivery = new MessageDelivery(this.#ground);
    this.#exits = new ExitJudge((model) => messages.describe(model, network), accepted);
  }

  /** Raw addresses of accounts whose exit codes nobody can judge. */
  get unjudged(): ReadonlySet<string> {
    return this.#exits.unjudged;
  }

  /**
   * Runs the lines, up to the first fault.
   * @throws WorkbenchError `emulator-failed`, `aborted`
   */
  async run(lines: readonly FuzzLine[]): Promise<FuzzRunOutcome> {
    const { signal } = this.given;
    const accounts = new Map<string, AccountState>();
    const done: FuzzedLine[] = [];
    let last: OrderStep | undefined;
    const broken = await this.#broken(accounts);
    if (broken !== undefined) {
      return { fault: broken, lines: done, last };
    }
    for (const line of lines) {
      signal.throwIfAborted();
      if (line.kind === 'call') {
        const { exitCode, fault } = await this.#call(line, accounts);
        done.push({ text: line.text, exitCode });
        if (fault !== undefined) {
          return { fault, lines: done, last: undefined };
        }
      } else {
        const { fault, order } = await this.#send(line, accounts);
        last = order.at(-1) ?? last;
        done.push({
          text: `send ${line.text} from ${line.sender}`,
          exitCode: exitOf(order),
        });
        order.forEach((step) => accounts.set(step.address, step.after));
        const found = fault ?? (await this.#broken(accounts));
        if (found !== undefined) {
          return { fault: found, lines: done, last };
        }
      }
    }
    return { fault: undefined, lines: done, last };
  }

  /** What is needed to run a transaction again; undefined if it may have used a library. */
  replayOf({ address, transaction, before }: OrderStep): ReplayInputs | undefined {
    return groundInputs(
      { network: 'a fuzzed call sheet', account: address, transaction, before: before.shardAccount },
      this.#ground,
    );
  }

  async #send(
    line: FuzzLine,
    accounts: ReadonlyMap<string, AccountState>,
  ): Promise<{ fault: FuzzFault | undefined; order: readonly OrderStep[] }> {
    const { message } = await this.#hold(line);
    const { finding, order } = await followOrder<UnnamedExit>(
      {
        delivery: this.#delivery,
        messages: [message],
        account: (address) => accounts.get(address) ?? this.#account(address),
        judge: {
          delivery: async (steps) => {
            const last = steps.at(-1);
            return last && this.#exits.delivery(last, () => false);
          },
          end: () => Promise.resolve(undefined),
        },
      },
      [],
    );
    const fault = finding?.fault;
    return {
      order,
      fault: fault === undefined || 'kind' in fault ? fault : { kind: 'exit', ...fault },
    };
  }

  /** In the wallet's name, without its signature: only the message counts. */
  async #hold(line: FuzzLine): Promise<HeldMessage> {
    const { world, steps, network, chosen } = this.given;
    const text = `send ${line.text} as ${line.sender}`;
    const known = this.#held.get(text);
    if (known !== undefined) {
      return known;
    }
    const step = this.#step(text) as SheetSend;
    const message = await steps.prepareSend(step, network, chosen).catch((error: unknown) => {
      throw unwritableError(text, error);
    });
    const held = await world.hold(message, 0);
    this.#held.set(text, held);
    return held;
  }

  #account(address: string): AccountState {
    const known = this.#start.get(address) ?? this.given.world.account(address);
    this.#start.set(address, known);
    return known;
  }

  /** A line as a step of the sheet. */
  #step(text: string): SheetStep {
    const { steps, problems } = parseCallSheet(text);
    const [step] = steps;
    const problem = problems.find((one) => one.isUntyped !== true);
    if (step === undefined || problem !== undefined) {
      throw callSheetError(this.given.offset, 0, problem?.message ?? `This is not a step: ${text}`);
    }
    return { ...step, offset: this.given.offset };
  }

  /** Equal calls in equal states are made once. */
  async #call(line: FuzzLine, accounts: ReadonlyMap<string, AccountState>): Promise<CallOutcome> {
    const key = `${stateKeyOf(accounts)} ${line.text}`;
    const outcome = this.#answered.get(key) ?? (await this.#ask(line, accounts));
    this.#answered.set(key, outcome);
    return outcome;
  }

  async #ask(line: FuzzLine, accounts: ReadonlyMap<string, AccountState>): Promise<CallOutcome> {
    const { network, chosen, steps, exits } = this.given;
    const step = this.#step(line.text);
    const { result } = await this.#inState(accounts, () =>
      steps
        .branch()
        .run(step, network, chosen)
        .catch((error: unknown) => {
          throw unwritableError(line.text, error);
        }),
    );
    if (result === undefined) {
      throw new Error('a call has an answer');
    }
    const { exitCode, address } = result;
    const unnamed =
      exitCode === null
        ? undefined
        : this.#exits.getMethod(address, exitCode, await exits?.(address, network));
    return { exitCode, fault: unnamed && { kind: 'exit', ...unnamed } };
  }

  /** What does not hold in a state. */
  async #broken(accounts: ReadonlyMap<string, AccountState>): Promise<FuzzFault | undefined> {
    const { holds, network, chosen, steps } = this.given;
    const key = stateKeyOf(accounts);
    if (holds.length === 0 || this.#good.has(key)) {
      return undefined;
    }
    const fault = await this.#inState(accounts, async (): Promise<FuzzFault | undefined> => {
      const branch = steps.branch();
      for (const step of holds) {
        const { failures } = await branch.run(step, network, chosen);
        if (failures.length > 0) {
          return { kind: 'expect', step, failures };
        }
      }
      return undefined;
    });
    if (fault === undefined) {
      this.#good.add(key);
    }
    return fault;
  }

  /** Asks the network with accounts as they are in a sequence. What others have changed is as at the start again. */
  async #inState<Answer>(
    accounts: ReadonlyMap<string, AccountState>,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const wanted = new Map([...this.#shown.keys()].map((address) => [address, this.#account(address)]));
    accounts.forEach((state, address) => wanted.set(address, state));
    const changed = [...wanted].filter(
      ([address, { hash }]) => hash !== (this.#shown.get(address) ?? this.#account(address).hash),
    );
    if (changed.length > 0) {
      await this.given.world.setAccounts(
        changed.map(([address, { shardAccount }]) => [address, shardAccount] as const),
      );
      changed.forEach(([address, { hash }]) => this.#shown.set(address, hash));
    }
    return ask();
  }
}

/** Equal for accounts that are the same but for the times of their transactions. */
function stateKeyOf(accounts: ReadonlyMap<string, AccountState>): string {
  return digest(
    [...accounts]
      .map(([address, { content }]) => `${address} ${content}`)
      .sort()
      .join('\n'),
  );
}

function exitOf(order: readonly OrderStep[]): number | null {
  const [failure] = order.flatMap((step) => deliveryFailure(step) ?? []);
  return failure?.code ?? order[0]?.exitCode ?? null;
}

/** An error of a random line: it stands nowhere in the sheet. */
function unwritableError(line: string, error: unknown): unknown {
  return WorkbenchError.is(error, 'call-sheet-invalid')
    ? new WorkbenchError({
        code: 'call-sheet-invalid',
        kind: 'input',
        message: `“${visibleText(line)}” cannot be run: ${error.message}`,
        hint: 'Name another message or get-method after the file.',
        cause: error,
      })
    : error;
}
