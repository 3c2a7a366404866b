import { readTransaction } from '../cell/light/bitCursor';
import { readLightCell } from '../cell/light/lightCell';
import type { ExecutedTransaction } from '../execution/encodeRun';
import { asHappened, encodeRun } from '../execution/encodeRun';
import type { AccountState, DeliveryGround } from '../explore/deliverMessage';
import { MessageDelivery } from '../explore/deliverMessage';
import type { OrderStep } from '../explore/exploreOrders';
import type { MessageUnderWay } from '../explore/messageUnderWay';
import type { ReplayInputs } from '../replay/replayInputs';
import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';
import type { HeldMessage } from './sheetWorld';

/** The trace of one flow in an order of deliveries: its wallet's transaction, and all that followed from it. */
export function flowTrace(held: HeldMessage, flow: number, order: readonly OrderStep[]): TraceModel {
  const own = order.filter(({ message }) => message.flow === flow);
  return buildTrace(encodeRun(...executedIn([held], own)));
}

/** The trace of one delivery alone. */
export function stepTrace(step: OrderStep): TraceModel {
  return buildTrace(encodeRun([executedOf(step)], new Map([[step.address, step.before.shardAccount]])));
}

/** A whole order of deliveries as one trace: each flow is a tree of it. */
export interface OrderTrace {
  model: TraceModel;
  /** Hash of the last delivery's transaction, lowercase hex. */
  last: string;
  /** What a transaction depended on, by its hash (lowercase hex); undefined if it may have used a library. */
  inputsOf: (hash: string) => ReplayInputs | undefined;
}

/**
 * The trace of all flows in an order of deliveries. The deliveries run once more, each a moment of logical time after the
 * one before: so the trace tells their order. If logical times make a difference, they stay as they were found.
 *
 * @param network what the deliveries happened on, for people
 * @param account an account before the first delivery
 */
export async function orderTrace(
  held: readonly HeldMessage[],
  order: readonly OrderStep[],
  {
    network,
    ground,
    account,
  }: { network: string; ground: DeliveryGround; account: (address: string) => AccountState },
): Promise<OrderTrace> {
  const steps = (await oneAfterAnother(held, order, ground, account)) ?? order;
  const model = buildTrace(asHappened(encodeRun(...executedIn(held, steps))));
  const inputs = new Map<string, ReplayInputs | undefined>();
  let last = '';
  const keep = (boc: Buffer, address: string, before: string, on: DeliveryGround): void => {
    const past = { network, account: address, transaction: boc.toString('base64'), before };
    last = readTransaction(readLightCell(boc)).hash;
    inputs.set(last, groundInputs(past, on));
  };
  for (const { sender, before, ground: own } of held) {
    if (sender !== undefined && before !== undefined && own !== undefined) {
      keep(sender.boc, sender.address, before, own);
    }
  }
  for (const { address, transaction, before } of steps) {
    keep(Buffer.from(transaction, 'base64'), address, before.shardAccount, ground);
  }
  // Several trees are no gap in an answer here.
  const problems = model.problems.filter(({ code }) => code !== 'several-roots');
  return { model: { ...model, problems }, last, inputsOf: (hash) => inputs.get(hash) };
}

/** More than a transaction and its messages need. */
const momentLt = 1_000_000n;

/** The same deliveries with ascending logical times; undefined if one of them then does something else. */
async function oneAfterAnother(
  held: readonly HeldMessage[],
  order: readonly OrderStep[],
  ground: DeliveryGround,
  account: (address: string) => AccountState,
): Promise<OrderStep[] | undefined> {
  const messages = new Map<number, MessageUnderWay>(
    held.map(({ message }, index): [number, MessageUnderWay] => [index + 1, message]),
  );
  const accounts = new Map<string, AccountState>();
  const steps: OrderStep[] = [];
  for (const [index, step] of order.entries()) {
    const message = messages.get(step.number);
    if (message === undefined) {
      return undefined;
    }
    const startLt = ground.context.startLt + momentLt * BigInt(index);
    const delivery = new MessageDelivery({ ...ground, context: { ...ground.context, startLt } });
    const done = await delivery.deliver(message, accounts.get(step.address) ?? account(step.address));
    const isSame =
      done.exitCode === step.exitCode &&
      done.actionCode === step.actionCode &&
      done.after.content === step.after.content &&
      done.sent.length === step.sent.length;
    if (!isSame) {
      return undefined;
    }
    done.sent.forEach((one, place) => messages.set(step.sentNumbers[place] ?? 0, one));
    accounts.set(step.address, done.after);
    steps.push({ ...step, ...done, message });
  }
  return steps;
}

/** A transaction that ran on a network of our own. */
interface PastExecution {
  /** For people. */
  network: string;
  /** Raw address. */
  account: string;
  /** BoC, base64. */
  transaction: string;
  /** ShardAccount, BoC in base64. */
  before: string;
}

/** What a transaction depended on; undefined if it may have used a library. */
export function groundInputs(
  { network, account, transaction, before }: PastExecution,
  { rules, context }: DeliveryGround,
): ReplayInputs | undefined {
  return rules.libraries === null
    ? {
        ...{ network, account },
        target: { boc: transaction, seed: context.seed.toString('hex') },
        state: { shardAccount: before, fidelity: 'exact' },
        ...{ earlier: [], libraries: [], missingLibraries: [], config: rules.config.base64 },
      }
    : undefined;
}

/** Transactions in the order of execution, and the accounts before the first of each. */
function executedIn(
  held: readonly HeldMessage[],
  order: readonly OrderStep[],
): [executed: ExecutedTransaction[], before: Map<string, string>] {
  const before = new Map<string, string>();
  const note = (address: string, shardAccount: string): unknown =>
    before.has(address) || before.set(address, shardAccount);
  for (const one of held) {
    if (one.sender !== undefined && one.before !== undefined) {
      note(one.sender.address, one.before);
    }
  }
  order.forEach((step) => note(step.address, step.before.shardAccount));
  const senders = held.flatMap(({ sender }) => (sender === undefined ? [] : [sender]));
  return [[...senders, ...order.map(executedOf)], before];
}

function executedOf({ address, transaction, after }: OrderStep): ExecutedTransaction {
  return {
    address,
    boc: Buffer.from(transaction, 'base64'),
    shardAccount: Buffer.from(after.shardAccount, 'base64'),
  };
}
