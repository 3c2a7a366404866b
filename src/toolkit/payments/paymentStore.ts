import type { JournalDisk } from '../base/journal/journalDisk';
import { limits, overLimitError } from '../base/limits';
import { Listeners } from '../base/numberWidths';
import type { Log } from '../base/log';
import type { Clock } from '../base/time';
import type { MockPayment, PaymentChange, PaymentChangeKind, PaymentProblem } from './mockPayment';
import { PaymentJournal } from './paymentJournal';

export interface PaymentStoreOptions {
  directory: string;
  clock: Clock;
  log: Log;
  disk?: JournalDisk | undefined;
  /** A thread of this process has left the folder locked. */
  afterCrash?: boolean | undefined;
}

/** The fields of a payment that change. */
export type PaymentPatch = Partial<
  Pick<
    MockPayment,
    | 'status'
    | 'senderAddr'
    | 'delivery'
    | 'txHash'
    | 'traceId'
    | 'date'
    | 'settledAt'
    | 'undone'
    | 'errorCode'
    | 'errorMessage'
    | 'problems'
    | 'webhook'
  >
>;

/** One entry: a new payment, a change of one, how far the blocks were looked at, or the secret made here. */
type PaymentEntry =
  | { payment: MockPayment; seqno?: number | undefined }
  | { reference: string; set: PaymentPatch }
  | { seqno: number }
  | { secret: string };

/** Blocks that may be looked at again after a kill: looking twice changes nothing. */
const blocksPerEntry = 256;

/** All payments, derived from their journal alone. Every change is written before it counts. */
export class PaymentStore {
  readonly changes = new Listeners<PaymentChange>();
  readonly #payments = new Map<string, MockPayment>();
  /** By hash of the body cell, base64. */
  readonly #byBody = new Map<string, MockPayment>();
  /** By recipient's jetton wallet and forward payload. */
  readonly #byArrival = new Map<string, MockPayment>();
  readonly #jettonWallets = new Set<string>();
  #journal!: PaymentJournal;
  #entries = 0;
  #pending = 0;
  /** How many payments are open, by recipient. */
  readonly #open = new Map<string, number>();
  #creating = 0;
  /** The last masterchain block whose transactions are known to be looked at. */
  #seqno: number | undefined;
  /** As last written. */
  #keptSeqno: number | undefined;
  #secret = '';

  /** @throws WorkbenchError `journal-in-use`, `journal-unusable` (input) */
  static async open(options: PaymentStoreOptions): Promise<PaymentStore> {
    const store = new PaymentStore();
    store.#journal = await PaymentJournal.open({
      ...options,
      onEntry: (entry) => store.#restore(entry as PaymentEntry),
    });
    if (store.#entries > 2 * store.#payments.size + 100) {
      store.#journal.rewrite(store.#whole());
    }
    return store;
  }

  /** Problems of the journal found when opening, as text. */
  get problems(): readonly string[] {
    return this.#journal.findings;
  }

  get size(): number {
    return this.#payments.size;
  }

  /** How many are neither paid nor failed. */
  get pending(): number {
    return this.#pending;
  }

  /** Recipients of open payments, in the order in which they became ones. */
  get openRecipients(): Iterable<string> {
    return this.#open.keys();
  }

  get seqno(): number | undefined {
    return this.#seqno;
  }

  /** The secret that was made here, for when no other is set. */
  get secret(): string {
    return this.#secret;
  }

  all(): Iterable<MockPayment> {
    return this.#payments.values();
  }

  byReference(reference: string): MockPayment | undefined {
    return this.#payments.get(reference);
  }

  /** @param hash base64 */
  byBody(hash: string): MockPayment | undefined {
    return this.#byBody.get(hash);
  }

  isJettonWallet(address: string): boolean {
    return this.#jettonWallets.has(address);
  }

  byArrival(wallet: string, forwardHash: string): MockPayment | undefined {
    return this.#byArrival.get(`${wallet} ${forwardHash}`);
  }

  /** @throws WorkbenchError `over-limit` (input), and those of the journal */
  async create(payment: MockPayment): Promise<void> {
    if (this.#payments.size + this.#creating >= limits.payments.most) {
      throw overLimitError('payments');
    }
    this.#creating += 1;
    try {
      await this.#journal.append({ payment, seqno: this.#seqno });
    } finally {
      this.#creating -= 1;
    }
    this.#add(payment);
    this.changes.tell({ change: 'created', payment });
  }

  /** Writes a change, then makes it. */
  async change(payment: MockPayment, set: PaymentPatch, change?: PaymentChangeKind): Promise<void> {
    await this.#journal.append({ reference: payment.reference, set });
    this.#apply(payment, set);
    if (change !== undefined) {
      this.changes.tell({ change, payment });
    }
  }

  /**
   * Before anything else: makes the secret, unless the journal has one, and begins with the next block.
   * @returns whether a secret was made
   */
  async begin(seqno: number, makeSecret: () => string): Promise<boolean> {
    const isMade = this.#secret === '';
    if (isMade) {
      const secret = makeSecret();
      await this.#journal.append({ secret });
      this.#secret = secret;
    }
    this.#seqno ??= seqno;
    return isMade;
  }

  /** Blocks up to this one have been looked at. */
  async seen(seqno: number): Promise<void> {
    if (Math.abs(seqno - (this.#keptSeqno ?? seqno)) >= blocksPerEntry) {
      await this.#journal.append({ seqno });
      this.#keptSeqno = seqno;
    }
    this.#keptSeqno ??= seqno;
    this.#seqno = seqno;
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  #restore(entry: PaymentEntry): void {
    this.#entries += 1;
    if ('payment' in entry) {
      this.#add(entry.payment);
      this.#seqno = entry.seqno ?? this.#seqno;
    } else if ('set' in entry) {
      const payment = this.#payments.get(entry.reference);
      if (payment === undefined) {
        throw new TypeError('this changes an unknown payment');
      }
      this.#apply(payment, entry.set);
    } else if ('seqno' in entry) {
      this.#seqno = entry.seqno;
    } else if ('secret' in entry) {
      this.#secret = entry.secret;
    } else if (!('throwing' in entry)) {
      // That one was written by earlier versions.
      throw new TypeError('this is not an entry of payments');
    }
  }

  #whole(): PaymentEntry[] {
    return [
      ...(this.#secret === '' ? [] : [{ secret: this.#secret }]),
      ...[...this.#payments.values()].map((payment) => ({ payment })),
      ...(this.#seqno === undefined ? [] : [{ seqno: this.#seqno }]),
    ];
  }

  #add(payment: MockPayment): void {
    this.#payments.set(payment.reference, payment);
    this.#byBody.set(payment.bodyBase64Hash, payment);
    if (payment.jetton !== undefined) {
      this.#jettonWallets.add(payment.jetton.recipientWallet);
      this.#byArrival.set(`${payment.jetton.recipientWallet} ${payment.jetton.forwardHash}`, payment);
    }
    this.#count(payment, openOf(payment));
  }

  #apply(payment: MockPayment, set: PaymentPatch): void {
    const before = openOf(payment);
    Object.assign(payment, set);
    this.#count(payment, openOf(payment) - before);
  }

  #count({ recipientAddr }: MockPayment, more: number): void {
    if (more === 0) {
      return;
    }
    this.#pending += more;
    const open = (this.#open.get(recipientAddr) ?? 0) + more;
    if (open === 0) {
      this.#open.delete(recipientAddr);
    } else {
      this.#open.set(recipientAddr, open);
    }
  }
}

function openOf({ status }: MockPayment): number {
  return status === 'pending' ? 1 : 0;
}

interface UndoVanishedOptions {
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
