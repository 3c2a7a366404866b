import type { CallSheet, SheetSend, SheetStep } from '../callSheet/callSheet';
import { WorkbenchError } from '../base/errors';
import { groupBy } from '../base/collections';
import type { AccountState, DeliveryGround } from '../explore/deliverMessage';
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
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { isSending } from './checkWholeSheet';
import type { OrderRow } from './orderRows';
import { orderRows } from './orderRows';
import { orderTrace } from './flowTraces';
import type { OrderTrace } from './flowTraces';
import type { SheetFault } from './sheetJudge';
import { SheetJudge } from './sheetJudge';
import type { SheetInWorldOptions } from './sheetInWorld';
import { SheetInWorld, requireReadable } from './sheetInWorld';
import type { SheetNetwork } from './sheetRunTypes';
import type { HeldMessage } from './sheetWorld';

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
  /** That order as one trace; undefined without an order. */
  trace: ({ context: TraceContext } & Omit<OrderTrace, 'model'>) | undefined;
  /** Names of accounts whose exit codes nobody can judge, because their source is not known. */
  unjudged: readonly string[];
}

export interface ExploreSheetOptions<Opened extends SheetNetwork> extends SheetInWorldOptions<Opened> {
  /** Bounds of all scenarios together. */
  bounds: Omit<OrderBounds, 'clock' | 'signal'>;
  /** The one order to follow, instead of all; a sheet may have its own. */
  order?: string | undefined;
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
  requireReadable(sheet, options);
  const scenarios = groupBy(stepsToRun(sheet), ({ scenario }) => scenario);
  const marked = [...scenarios.values()].filter(([first]) => first?.concurrent !== undefined);
  checkMarks(marked, options.order);
  return SheetInWorld.use(sheet, options, (own) =>
    new SheetExploration(options, own).run([...scenarios.values()]),
  );
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
  readonly #until: number;
  #orders = 0;

  constructor(
    private readonly options: ExploreSheetOptions<Opened>,
    private readonly own: SheetInWorld<Opened>,
  ) {
    this.#until = options.clock.monotonic() + options.bounds.seconds * 1000;
  }

  async run(scenarios: readonly (readonly SheetStep[])[]): Promise<ExploredScenario[]> {
    const chosen = scenarios.flat();
    await this.own.check(chosen);
    const explored: ExploredScenario[] = [];
    for (const scenario of scenarios) {
      const first = scenario.findIndex(({ kind }) => kind === 'send');
      const isConcurrent = scenario[0]?.concurrent !== undefined;
      const unprepared = {
        code: 'concurrent-unprepared',
        before: 'before there are concurrent messages',
      } as const;
      await this.own.prepare(isConcurrent ? scenario.slice(0, first) : scenario, chosen, unprepared);
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

  async #explore(scenario: readonly SheetStep[], chosen: readonly SheetStep[]): Promise<ExploredScenario> {
    const { options } = this;
    const { world, network, steps } = this.own;
    const sends = scenario.filter((step): step is SheetSend => step.kind === 'send');
    const { seqno } = world;
    const held: HeldMessage[] = [];
    const accounts = new Map<string, AccountState>();
    const describe = (model: TraceModel): Promise<TraceContext> => options.messages.describe(model, network);
    try {
      for (const [flow, step] of sends.entries()) {
        held.push(await world.hold(await steps.prepareSend(step, network, chosen), flow));
      }
      const judge = new SheetJudge({
        ...{ sends, held, chosen, network, world, steps: steps.branch() },
        ends: scenario.filter(({ offset }) => offset > (sends.at(-1)?.offset ?? 0)),
        describe,
        accepted: options.accepted ?? new Set<number>(),
      });
      const ground = world.ground();
      const given = {
        ...{ ground, delivery: new MessageDelivery(ground), judge },
        messages: held.map(({ message }) => message),
        account: (address: string) =>
          accounts.get(address) ?? keepIn(accounts, address, world.account(address)),
      };
      const { fault, order, exploration } = await this.#run(given, scenario);
      const rows = await orderRows(order, held, describe);
      const trace = await this.#trace(held, order, given, describe);
      const names = new Map([...network.accounts].map(([name, address]) => [address, name]));
      return {
        ...{ title: scenario[0]?.scenarioTitle ?? '', sends, exploration, fault, order, rows, trace },
        unjudged: [...judge.unjudged].map((address) => names.get(address) ?? address),
      };
    } finally {
      await world.goBack(seqno);
    }
  }

  async #trace(
    held: readonly HeldMessage[],
    order: readonly OrderStep[],
    { ground, account }: Pick<OrdersToExplore<SheetFault>, 'account'> & { ground: DeliveryGround },
    describe: (model: TraceModel) => Promise<TraceContext>,
  ): Promise<ExploredScenario['trace']> {
    if (order.length === 0) {
      return undefined;
    }
    const network = 'an explored call sheet';
    const { model, ...of } = await orderTrace(held, order, { network, ground, account });
    return { context: await describe(model), ...of };
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
      ...{ clock, signal: this.own.signal, onOrder: bounds.onOrder },
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
