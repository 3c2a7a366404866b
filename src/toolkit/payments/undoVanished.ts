import type { Clock } from '../time';
import type { MockPayment, PaymentProblem } from './mockPayment';
import type { PaymentStore } from './paymentStore';

export interface UndoVanishedOptions {
  store: PaymentStore;
  clock: Pick<Clock, 'now'>;
  /** Those of these transactions that the network knows, as lowercase hex. */
  known: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Payments asked about at once. */
const atOnce = 32;

/**
 * After the network has gone back to an earlier block: a payment whose transaction it does not know any more is open
 * again, and one that it knows again is as it was. Newest first, because what is older than a known one is known, too.
 *
 * @returns those that are as they were
 */
export async function undoVanished({ store, clock, known }: UndoVanishedOptions): Promise<MockPayment[]> {
  const restored: MockPayment[] = [];
  const all = [...store.all()];
  for (let rest = all.filter(hasUndone); rest.length > 0; rest = rest.slice(atOnce)) {
    const some = rest.slice(0, atOnce);
    const found = await known(some.map(({ undone }) => undone.txHash));
    for (const payment of some) {
      if (found.has(payment.undone.txHash)) {
        await restoreUndone(payment, store);
        restored.push(payment);
      }
    }
  }
  const touched = all
    .map((payment) => ({ payment, hashes: hashesOf(payment), time: lastTime(payment) }))
    .filter(({ hashes }) => hashes.length > 0)
    .toSorted((one, other) => other.time.localeCompare(one.time));
  for (let rest = touched; rest.length > 0; rest = rest.slice(atOnce)) {
    const some = rest.slice(0, atOnce);
    const found = await known(some.flatMap(({ hashes }) => hashes));
    const vanished = some.filter(({ hashes }) => hashes.some((hash) => !found.has(hash)));
    for (const { payment } of vanished) {
      await undo(payment, found, { store, clock });
    }
    if (vanished.length === 0) {
      break;
    }
  }
  return restored;
}

/** A payment that is open again. */
type UndonePayment = MockPayment & { undone: NonNullable<MockPayment['undone']> };

/** Whether the network has undone its settlement. */
export function hasUndone(payment: MockPayment): payment is UndonePayment {
  return payment.status === 'pending' && payment.undone != null;
}

/** A payment that was undone is as it was: settled by the same transaction, with the same webhook. */
export async function restoreUndone(payment: UndonePayment, store: PaymentStore): Promise<void> {
  const { at: _at, ...settled } = payment.undone;
  const { webhook } = payment;
  const sent: Partial<MockPayment> =
    webhook?.state === 'undone' ? { webhook: { ...webhook, state: 'sending' } } : {};
  await store.change(payment, { ...settled, ...sent, undone: null }, 'restored');
}

async function undo(
  payment: MockPayment,
  found: ReadonlySet<string>,
  { store, clock }: Pick<UndoVanishedOptions, 'store' | 'clock'>,
): Promise<void> {
  const { status, txHash, traceId, date, settledAt, createdAt, webhook } = payment;
  const problems = payment.problems.filter((problem) => found.has(problem.txHash));
  if (txHash === '' || found.has(txHash)) {
    await store.change(payment, { problems }, 'undone');
    return;
  }
  const at = new Date(clock.now()).toISOString();
  const isOnItsWay = webhook?.state === 'sending' || webhook?.state === 'late';
  await store.change(
    payment,
    {
      ...{ status: 'pending', txHash: '', traceId: '', date: createdAt, problems },
      undone: { at, status, txHash, traceId, date, ...(settledAt === undefined ? {} : { settledAt }) },
      ...(isOnItsWay ? { webhook: { ...webhook, state: 'undone' } } : {}),
    },
    'undone',
  );
}

function hashesOf({ txHash, problems }: MockPayment): string[] {
  return [...(txHash === '' ? [] : [txHash]), ...problems.map((problem) => problem.txHash)];
}

/** Of the newest transaction, by the network's time. */
function lastTime({ status, date, problems }: MockPayment): string {
  const times = [...(status === 'pending' ? [] : [date]), ...problems.map(({ at }: PaymentProblem) => at)];
  return times.toSorted().at(-1) ?? '';
}
