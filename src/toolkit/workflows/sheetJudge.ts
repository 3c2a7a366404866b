import type { SheetSend, SheetStep } from '../callSheet/callSheet';
import type { OrderJudge, OrderStep } from '../explore/exploreOrders';
import type { WorldState } from '../explore/worldState';
import type { TraceContext } from '../trace/traceContext';
import type { UnnamedExit } from './exitJudge';
import { ExitJudge } from './exitJudge';
import { flowTrace } from './flowTraces';
import type { SheetNetwork, StepOutcome } from './sheetRunTypes';
import type { SheetSteps } from './sheetSteps';
import type { HeldMessage, SheetWorld } from './sheetWorld';

/** What an order of deliveries breaks. */
export type SheetFault =
  /** Unmet expectations of one step, one sentence each. */
  | { kind: 'expect'; step: SheetStep; failures: readonly string[] }
  /** `step`: the message whose flow this is. */
  | ({ kind: 'exit'; step: SheetSend } & UnnamedExit<'compute' | 'action'>);

/** What a section is judged by. */
export interface JudgedSection<Opened extends SheetNetwork> {
  /** The concurrent messages: flow 0 is the first. */
  sends: readonly SheetSend[];
  held: readonly HeldMessage[];
  /** The steps below the messages. */
  ends: readonly SheetStep[];
  /** All steps of the run. */
  chosen: readonly SheetStep[];
  /** As they were once all messages were sent. */
  steps: SheetSteps<Opened>;
  network: Opened;
  world: SheetWorld;
  describe: (model: TraceContext['model']) => Promise<TraceContext>;
  /** Exit codes that are as good as named. */
  accepted: ReadonlySet<number>;
}

/** Judges orders of deliveries by what a sheet expects, and by the exit codes that sources name. */
export class SheetJudge<Opened extends SheetNetwork> implements OrderJudge<SheetFault> {
  readonly #exits: ExitJudge;
  readonly #sends = new Map<string, SheetFault | undefined>();

  constructor(private readonly section: JudgedSection<Opened>) {
    this.#exits = new ExitJudge(section.describe, section.accepted);
  }

  /** Accounts (raw) whose exit codes nobody can judge. */
  get unjudged(): ReadonlySet<string> {
    return this.#exits.unjudged;
  }

  async delivery(order: readonly OrderStep[]): Promise<SheetFault | undefined> {
    const last = order.at(-1);
    const step = this.section.sends[last?.message.flow ?? 0];
    if (last === undefined || step === undefined) {
      return undefined;
    }
    const unnamed = await this.#exits.delivery(last, (code) => isExpected(step, code));
    return unnamed && { kind: 'exit', ...unnamed, step };
  }

  async end(state: WorldState, order: readonly OrderStep[]): Promise<SheetFault | undefined> {
    const { sends, ends } = this.section;
    const isAboutAnswer = (step: SheetStep): boolean =>
      step.expectations.some(({ subject }) => subject.kind === 'answer');
    for (const [flow, send] of sends.entries()) {
      const fault = isAboutAnswer(send) ? undefined : await this.#knownSend(send, flow, state, order);
      if (fault !== undefined) {
        return fault;
      }
    }
    const asked = [...sends.filter(isAboutAnswer), ...ends];
    return asked.length === 0 ? undefined : this.#askWorld(asked, state, order);
  }

  /** Expectations about the message alone depend only on what its flow did. */
  async #knownSend(
    send: SheetSend,
    flow: number,
    { facts }: WorldState,
    order: readonly OrderStep[],
  ): Promise<SheetFault | undefined> {
    if (send.expectations.length === 0) {
      return undefined;
    }
    const key = JSON.stringify([flow, facts.filter((fact) => fact.startsWith(`${flow} `))]);
    if (!this.#sends.has(key)) {
      this.#sends.set(key, await this.#check(send, this.section.steps.branch(), order));
    }
    return this.#sends.get(key);
  }

  /** Checks on the network, with the accounts as the order leaves them. */
  async #askWorld(
    asked: readonly SheetStep[],
    { accounts }: WorldState,
    order: readonly OrderStep[],
  ): Promise<SheetFault | undefined> {
    const { world, steps } = this.section;
    const { seqno } = world;
    await world.setAccounts(
      [...accounts].map(([address, { shardAccount }]) => [address, shardAccount] as const),
    );
    try {
      const branch = steps.branch();
      for (const step of asked) {
        const fault = await this.#check(step, branch, order);
        if (fault !== undefined) {
          return fault;
        }
      }
      return undefined;
    } finally {
      await world.goBack(seqno);
    }
  }

  async #check(
    step: SheetStep,
    steps: SheetSteps<Opened>,
    order: readonly OrderStep[],
  ): Promise<SheetFault | undefined> {
    const { network, chosen, sends, held } = this.section;
    if (step.kind !== 'send') {
      const { failures } = await steps.run(step, network, chosen);
      return failures.length === 0 ? undefined : { kind: 'expect', step, failures };
    }
    const flow = sends.indexOf(step);
    const own = held[flow];
    if (own === undefined) {
      throw new Error('each message was sent');
    }
    const outcome = await steps.checkSend(step, flowTrace(own, flow, order), network, chosen);
    const failures = failuresOfChecks(outcome);
    return failures.length === 0 ? undefined : { kind: 'expect', step, failures };
  }
}

/** A failure that the sheet says nothing about depends on the order, and may be right. */
function failuresOfChecks({ checks }: Pick<StepOutcome, 'checks'>): string[] {
  return checks.flatMap(({ failure }) => failure ?? []);
}

function isExpected({ expectations }: SheetSend, code: number): boolean {
  return expectations.some(
    ({ subject, value }) =>
      subject.kind === 'fails' || (subject.kind === 'exit' && Number(value.text) === code),
  );
}
