import type { CallSheet, SheetSend, SheetStep } from '../callSheet/callSheet';
import { callSheetError } from '../callSheet/sheetValues';
import { WorkbenchError, errorSentences } from '../base/errors';
import { groupBy } from '../base/collections';
import type { Clock } from '../base/time';
import type { AccountState } from '../explore/deliverMessage';
import { MessageDelivery } from '../explore/deliverMessage';
import type {
  Exploration,
  LostCoins,
  OrderBounds,
  OrderStep,
  OrdersToExplore,
} from '../explore/exploreOrders';
import { exploreOrders, followOrder } from '../explore/exploreOrders';
import { parseOrder } from '../explore/printOrder';
import type { Network } from '../access/network';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { checkWholeSheet, isSending } from './checkWholeSheet';
import type { OrderRow } from './orderRows';
import { orderRows } from './orderRows';
import type { SheetFault } from './sheetJudge';
import { SheetJudge } from './sheetJudge';
import type { RunCallSheetOptions, SheetMessages, SheetNetwork } from './sheetRunTypes';
import { SheetSteps } from './sheetSteps';
import type { HeldMessage } from './sheetWorld';
import { SheetWorld } from './sheetWorld';

/** What the orders of one scenario's messages did. */
export interface ExploredScenario {
  title: string;
  sends: readonly SheetSend[];
  /** Undefined if one given order was followed. */
  exploration: Omit<Exploration<SheetFault>, 'finding'> | undefined;
  fault: SheetFault | LostCoins | undefined;
  /** The order that the fault is in, or that was given; otherwise empty. */
  order: readonly OrderStep[];
  rows: readonly OrderRow[];
  /** Names of accounts whose exit codes nobody can judge, because their source is not known. */
  unjudged: readonly string[];
}

export interface ExploreSheetOptions<Opened extends SheetNetwork> extends Omit<
  RunCallSheetOptions<Opened>,
  'network' | 'onStep' | 'onOutcome' | 'only' | 'isTolerant'
> {
  messages: SheetMessages<Opened>;
  /** Opens the network that the sheet runs on; it lasts as long as the exploration. */
  open: (network: Network) => Promise<Opened>;
  /** Bounds of all scenarios together. */
  bounds: Omit<OrderBounds, 'clock' | 'signal'>;
  clock: Clock;
  /** The state to begin with: what control/dump wrote; default: a new network. */
  load?: string | undefined;
  /** The one order to follow, instead of all; a sheet may have its own. */
  order?: string | undefined;
  /** Exit codes that are as good as named. */
  accepted?: ReadonlySet<number> | undefined;
  /** Called after each scenario. */
  onScenario?: ((scenario: ExploredScenario) => void) | undefined;
}

/**
 * Runs a sheet on a local network of its own, with the messages of each `@concurrent` scenario in every order of
 * deliveries that the chain permits. A concurrent scenario leaves nothing behind but what it deploys; scenarios that
 * `@restore` undoes are left out. Ends at the first fault.
 *
 * @throws WorkbenchError `call-sheet-invalid`, `order-invalid`, `concurrent-missing` (input), `concurrent-unprepared`
 * (failed) if a step above the messages fails, `message-rejected` (failed), `emulator-failed`, `aborted`
 */
export async function exploreSheet<Opened extends SheetNetwork>(
  sheet: CallSheet,
  options: ExploreSheetOptions<Opened>,
): Promise<ExploredScenario[]> {
  const problem = sheet.problems.find((one) => one.isUntyped !== true || options.signature === undefined);
  if (problem !== undefined) {
    throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
  }
  const scenarios = groupBy(stepsToRun(sheet), ({ scenario }) => scenario);
  const marked = [...scenarios.values()].filter(([first]) => first?.concurrent !== undefined);
  checkMarks(marked, options.order);
  const world = await SheetWorld.open(options.clock, options.load);
  try {
    return await new SheetExploration(sheet, options, world, await options.open(world.network)).run([
      ...scenarios.values(),
    ]);
  } finally {
    await world.close();
  }
}

/** All up to the last concurrent scenario, except what is undone or only looks. */
function stepsToRun({ steps }: CallSheet): SheetStep[] {
  const last = steps.findLast(({ concurrent }) => concurrent !== undefined)?.scenario ?? 0;
  return steps.filter(
    (step) =>
      step.concurrent !== undefined ||
      (step.scenario < last && step.restore === undefined && isSending(step)),
  );
}

function checkMarks(marked: readonly (readonly SheetStep[])[], order: string | undefined): void {
  if (marked.length === 0) {
    throw new WorkbenchError({
      code: 'concurrent-missing',
      kind: 'input',
      message: 'No scenario of this sheet has concurrent messages.',
      hint: 'Write @concurrent below a ### line, and two or more send lines below that.',
    });
  }
  if (order !== undefined && marked.length > 1) {
    throw new WorkbenchError({
      code: 'order-invalid',
      kind: 'input',
      message: `This sheet has ${marked.length} concurrent scenarios, so an order could be of any of them.`,
      hint: 'Write it below its ### line: @concurrent 2.1.3.',
    });
  }
}

class SheetExploration<Opened extends SheetNetwork> {
  readonly #steps: SheetSteps<Opened>;
  readonly #signal: AbortSignal;
  readonly #until: number;
  #orders = 0;

  constructor(
    private readonly sheet: CallSheet,
    private readonly options: ExploreSheetOptions<Opened>,
    private readonly world: SheetWorld,
    private readonly opened: Opened,
  ) {
    this.#signal = options.signal ?? new AbortController().signal;
    this.#until = options.clock.monotonic() + options.bounds.seconds * 1000;
    this.#steps = new SheetSteps(sheet, this.#runOptions(), this.#signal);
  }

  /** With the names of what is deployed by now. */
  get #network(): Opened {
    return { ...this.opened, accounts: new Map([...this.opened.accounts, ...this.world.names()]) };
  }

  #runOptions(): RunCallSheetOptions<Opened> {
    const { messages } = this.options;
    return {
      ...this.options,
      messages: { ...messages, deliver: (message) => this.world.deliver(message) },
      network: () => Promise.resolve(this.#network),
    };
  }

  async run(scenarios: readonly (readonly SheetStep[])[]): Promise<ExploredScenario[]> {
    const chosen = scenarios.flat();
    const [wrong] = await checkWholeSheet(this.sheet, chosen, this.#runOptions());
    if (wrong !== undefined) {
      throw wrong.error;
    }
    const explored: ExploredScenario[] = [];
    for (const scenario of scenarios) {
      const first = scenario.findIndex(({ kind }) => kind === 'send');
      const isConcurrent = scenario[0]?.concurrent !== undefined;
      await this.#prepare(isConcurrent ? scenario.slice(0, first) : scenario, chosen);
      if (isConcurrent) {
        const done = await this.#explore(scenario, chosen);
        this.options.onScenario?.(done);
        explored.push(done);
        if (done.fault !== undefined) {
          break;
        }
      }
    }
    return explored;
  }

  /** Runs what comes before concurrent messages. */
  async #prepare(steps: readonly SheetStep[], chosen: readonly SheetStep[]): Promise<void> {
    for (const step of steps) {
      this.#signal.throwIfAborted();
      const { passed, failures, error } = await this.#steps.run(step, this.#network, chosen);
      if (!passed) {
        throw new WorkbenchError({
          code: 'concurrent-unprepared',
          kind: 'failed',
          message: `Line ${step.lineNumber} fails before there are concurrent messages: ${error === undefined ? failures.join(' ') : errorSentences(error)}`,
        });
      }
    }
  }

  async #explore(scenario: readonly SheetStep[], chosen: readonly SheetStep[]): Promise<ExploredScenario> {
    const { world, options } = this;
    const network = this.#network;
    const sends = scenario.filter((step): step is SheetSend => step.kind === 'send');
    const { seqno } = world;
    const held: HeldMessage[] = [];
    const accounts = new Map<string, AccountState>();
    const describe = (model: TraceModel): Promise<TraceContext> => options.messages.describe(model, network);
    try {
      for (const [flow, step] of sends.entries()) {
        held.push(await world.hold(await this.#steps.prepareSend(step, network, chosen), flow));
      }
      const judge = new SheetJudge({
        ...{ sends, held, chosen, network, world, steps: this.#steps.branch() },
        ends: scenario.filter(({ offset }) => offset > (sends.at(-1)?.offset ?? 0)),
        describe,
        accepted: options.accepted ?? new Set<number>(),
      });
      const given: OrdersToExplore<SheetFault> = {
        ...{ delivery: new MessageDelivery(world.ground()), judge },
        messages: held.map(({ message }) => message),
        account: (address) => accounts.get(address) ?? keepIn(accounts, address, world.account(address)),
      };
      const { fault, order, exploration } = await this.#run(given, scenario);
      const rows = await orderRows(order, held, describe);
      const names = new Map([...network.accounts].map(([name, address]) => [address, name]));
      return {
        ...{ title: scenario[0]?.scenarioTitle ?? '', sends, exploration, fault, order, rows },
        unjudged: [...judge.unjudged].map((address) => names.get(address) ?? address),
      };
    } finally {
      await world.goBack(seqno);
    }
  }

  async #run(
    given: OrdersToExplore<SheetFault>,
    [first]: readonly SheetStep[],
  ): Promise<Pick<ExploredScenario, 'fault' | 'order' | 'exploration'>> {
    const { bounds, clock, order = first?.concurrent?.order?.text } = this.options;
    if (order !== undefined) {
      const { finding, order: steps } = await followOrder(given, parseOrder(order));
      return { fault: finding?.fault, order: steps, exploration: undefined };
    }
    const { finding, ...exploration } = await exploreOrders(given, {
      ...{ clock, signal: this.#signal, onOrder: bounds.onOrder },
      orders: bounds.orders - this.#orders,
      seconds: (this.#until - clock.monotonic()) / 1000,
    });
    this.#orders += exploration.orders;
    return { fault: finding?.fault, order: finding?.order ?? [], exploration };
  }
}

function keepIn<Value>(values: Map<string, Value>, key: string, value: Value): Value {
  values.set(key, value);
  return value;
}
