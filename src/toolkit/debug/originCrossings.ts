import { shortAddress } from '../address/shortAddress';
import { toWorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import { fieldAt } from '../contracts/layouts/fieldPlaces';
import { finalFailure } from '../recording/recording';
import type { ValuePlace } from '../recording/followValue';
import { depthAt, wordAt } from '../recording/followValue';
import type { ValuePart } from '../recording/valueParts';
import { bitsOf, cellIn, numberIn, readWord } from '../recording/valueParts';
import type { AskedValue } from './askedValues';
import { bodyAtStart } from './askedValues';
import { carriedBack, inBody, inMessage, inSlot, messageParts, senderOf, sendSteps } from './messageSends';
import type { DebugProgram, DebugThread } from './debugProgram';
import type { HopTrail } from './originHops';
import type { AccountNames } from './debugValue';
import type { RunView } from './runView';

/** The executions that values are followed through. */
export interface OriginRuns {
  threads: readonly DebugThread[];
  load: (thread: number, signal: AbortSignal) => Promise<RunView | undefined>;
  /** Another transaction of the network, and of an account, if it is known: its index; undefined if it cannot be had. */
  open: (hash: string, account: string | undefined) => number | undefined;
  accountName: AccountNames;
  writtenIn?: DebugProgram['writtenIn'];
}

/** Loads an execution; a text says why it cannot be recorded. The hops up to there are worth telling all the same. */
export async function loadOrWhy(
  { load }: Pick<OriginRuns, 'load'>,
  thread: number,
  signal: AbortSignal,
): Promise<RunView | string | undefined> {
  try {
    return await load(thread, signal);
  } catch (error) {
    const { code, message } = toWorkbenchError(error);
    if (code === 'aborted' || signal.aborted) {
      throw error;
    }
    return visibleText(message, 120);
  }
}

/** Most transactions of an account that are gone back through. */
const mostTransactions = 60;

/** Follows values over the beginning of an execution: to who sent the message, and to what the account did before. */
export class OriginCrossings {
  #transactions = 0;

  constructor(
    private readonly runs: OriginRuns,
    private readonly trail: HopTrail,
    private readonly signal: AbortSignal,
  ) {}

  /** What a stack begins with: balance, value, message, body, and what selects the method; or arguments. */
  async beforeStart(
    view: RunView,
    thread: number,
    { slot, part }: ValuePlace,
  ): Promise<AskedValue | readonly AskedValue[]> {
    const { recording, run } = view;
    const depth = depthAt(recording, 0);
    const { transaction } = run;
    const given = (title: string): readonly AskedValue[] => this.trail.end(view, thread, 0, 'given', title);
    if (run.refused !== undefined && slot === 3) {
      return this.trail.end(view, thread, 0, 'outside', `the body of a message from outside: ${run.refused}`);
    }
    if (transaction === undefined || depth !== 5) {
      const title = slot === depth - 1 ? 'the number of the method' : 'an argument of the get-method';
      return given(title);
    }
    const message = cellIn(readWord(wordAt(recording, { step: 0, slot: 2 })));
    const parts = message && messageParts(message);
    const inside = slot === 3 ? part : slot === 2 && parts ? inBody(parts, part) : undefined;
    if (inside !== undefined) {
      const body = bodyAtStart(view);
      const field = body && fieldAt(body, inside);
      this.trail.learnKind(body, field);
      const title = field === undefined ? 'the body of the message' : `${body?.name ?? ''}.${field}`;
      this.trail.add(thread, view, {
        step: 0,
        kind: 'message',
        title,
        value: this.trail.read(view, { step: 0, slot: 3, part: inside }),
      });
      return this.#fromSender(view, thread, 'body', inside);
    }
    switch (slot) {
      case 0:
        return given('the balance of the account, with the value of the message');
      case 1:
        this.trail.kind ??= 'coins';
        this.trail.add(thread, view, {
          step: 0,
          kind: 'message',
          title: 'the value of the message',
          value: this.trail.read(view, { step: 0, slot, part }),
        });
        return this.#fromSender(view, thread, 'value', part);
      case 2:
        return given('the header of the message, which the network writes');
      default:
        return given('what selects the method');
    }
  }

  /** Over to the transaction that sent the message. */
  async #fromSender(
    view: RunView,
    thread: number,
    what: 'body' | 'value',
    part: ValuePart,
  ): Promise<AskedValue | readonly AskedValue[]> {
    const { transaction: taken } = view.run;
    const message = taken?.inMessage;
    if (message?.info.type !== 'internal') {
      const source = taken && this.runs.writtenIn?.(taken.hash().toString('hex'));
      const why = source ?? 'no transaction sent it';
      return this.trail.end(view, thread, 0, 'outside', `a message from outside: ${why}`);
    }
    const { src, createdLt, bounced, value } = message.info;
    const sender = this.runs.accountName(src.toRawString()) ?? shortAddress(src.toRawString());
    const from = await this.#threadOf(thread, src.toRawString(), (one) => {
      const { transaction } = one.run;
      return (
        transaction !== undefined &&
        src.hash.equals(addressHash(transaction.address)) &&
        [...transaction.outMessages.values()].some(
          ({ info }) => info.type === 'internal' && info.createdLt === createdLt,
        )
      );
    });
    if (typeof from === 'string') {
      const title = `unknown: ${sender} sent it, in a transaction that cannot be recorded: ${from}`;
      return this.trail.end(view, thread, 0, 'unknown', title);
    }
    const transaction = from?.view.run.transaction;
    if (from === undefined || transaction === undefined) {
      return this.trail.end(
        view,
        thread,
        0,
        'outside',
        `${sender} sent it, in no transaction that is known here`,
      );
    }
    if (bounced) {
      const carried = what === 'body' ? carriedBack(view.recording, from.view.recording, part) : undefined;
      return carried === undefined
        ? this.trail.end(from.view, from.thread, 0, 'given', `${sender} bounced the message`)
        : { thread: from.thread, step: 0, ...carried, kind: this.trail.kind };
    }
    const out = [...transaction.outMessages.values()];
    const original = out.find(({ info }) => info.type === 'internal' && info.createdLt === createdLt);
    const sends = sendSteps(from.view.recording);
    const send = original && senderOf(sends, out, original);
    if (send === undefined) {
      return this.trail.end(
        from.view,
        from.thread,
        0,
        'unknown',
        from.view.recording.stepsMissing > 0
          ? `unknown: the log has lost the beginning of what ${sender} did`
          : sends.length === 0
            ? `unknown: no instruction that ${sender} ran is known to send it`
            : 'unknown: several instructions can have sent the message',
      );
    }
    const title = `${sender} sent it`;
    this.trail.add(from.thread, from.view, { step: send.step, kind: 'sent', title });
    const at = { thread: from.thread, step: send.step, in: send.slot, kind: this.trail.kind };
    if (what === 'body') {
      return { ...at, part: inSlot(send, inMessage(send.parts, part, send.cell)) };
    }
    if ((send.mode & (64 | 128)) !== 0) {
      const rest = (send.mode & 64) !== 0 ? 'what is left of the value it received' : 'all of its balance';
      this.trail.add(from.thread, from.view, {
        step: send.step,
        kind: 'made',
        title: `mode ${send.mode} sends ${rest}`,
      });
      const isCarried = (send.mode & 64) !== 0 && depthAt(from.view.recording, 0) === 5;
      return isCarried
        ? {
            thread: from.thread,
            step: 0,
            in: 1,
            part: { path: [] },
            kind: 'coins',
            name: 'the value received',
          }
        : [];
    }
    const own = send.parts.value;
    if (own === undefined) {
      return [];
    }
    const bits = bitsOf({ type: 'cell', cell: send.cell }, own);
    if (bits !== undefined && numberIn(bits, 'varuint16') !== value.coins) {
      this.trail.add(from.thread, from.view, {
        step: send.step,
        kind: 'made',
        title: 'the network has taken fees from it',
      });
    }
    return { ...at, part: inSlot(send, own) };
  }

  /** Over to the transaction that wrote a part of the data last. */
  async beforeData(
    view: RunView,
    thread: number,
    part: ValuePart,
  ): Promise<AskedValue | readonly AskedValue[]> {
    const { run } = view;
    const unknown = (why: string): readonly AskedValue[] =>
      this.trail.end(view, thread, 0, 'unknown', `unknown: ${why}`);
    const cell = run.registers?.before(0).c4;
    const body = cell && run.readStorage(cell);
    const field = body && fieldAt(body, part);
    this.trail.learnKind(body, field);
    const title = field === undefined ? 'c4' : `c4.${field}`;
    const value = cell && this.trail.readValue(view, { type: 'cell', cell }, part);
    this.trail.leaveOut(title);
    this.trail.add(thread, view, { step: 0, kind: 'data', title, value });
    const { transaction } = run;
    if (cell === undefined || transaction === undefined) {
      return this.trail.end(view, thread, 0, 'given', 'the data of the account at this block');
    }
    const previous = transaction.prevTransactionHash.toString(16).padStart(64, '0');
    if (/^0+$/.test(previous) || transaction.oldStatus !== 'active') {
      return this.trail.end(view, thread, 0, 'given', 'the account was deployed with it');
    }
    this.#transactions += 1;
    if (this.#transactions > mostTransactions) {
      return unknown(`not written in the ${mostTransactions} transactions before`);
    }
    const from = await this.#threadBefore(thread, previous);
    if (from === undefined) {
      return unknown(`the transaction before, ${previous.slice(0, 8)}, is not here`);
    }
    const { view: older } = from;
    if (typeof older === 'string') {
      return unknown(`the transaction before, ${previous.slice(0, 8)}, cannot be recorded: ${older}`);
    }
    if (older === undefined) {
      return unknown('no code ran in the transaction before, which may have deployed it');
    }
    const start = older.run.registers?.before(0).c4;
    const isLeft = start !== undefined && start.equals(cell);
    const last = isLeft ? undefined : finalFailure(older.recording);
    if (last !== undefined) {
      return this.trail.end(
        older,
        from.thread,
        0,
        'unknown',
        'unknown: the transaction before failed, and has changed the data all the same',
      );
    }
    // What the data was when the code ended; what was left as it was comes from before.
    return {
      thread: from.thread,
      step: isLeft ? 0 : older.recording.steps,
      in: 'c4',
      part,
      kind: this.trail.kind,
    };
  }

  surroundings(
    view: RunView,
    thread: number,
    step: number,
    register: 'c5' | 'c7',
    { path }: ValuePart,
  ): readonly AskedValue[] {
    if (register === 'c5') {
      return this.trail.end(view, thread, step, 'given', 'the list of actions');
    }
    if (path[0] !== 0) {
      return this.trail.end(view, thread, step, 'constant', 'a global that was never written');
    }
    return this.trail.end(
      view,
      thread,
      step,
      'given',
      surroundingNames.get(path.slice(1, path[1] === 17 ? 3 : 2).join('.')) ??
        'the surroundings of the transaction',
    );
  }

  /**
   * The execution of an account that fits, before one in the order of the program. If none does, the reason why one
   * could not be looked at.
   */
  async #threadOf(
    before: number,
    account: string | undefined,
    fits: (view: RunView) => boolean,
  ): Promise<{ thread: number; view: RunView } | string | undefined> {
    let why: string | undefined;
    for (const thread of nearest(before, this.runs.threads.length)) {
      const own = this.runs.threads[thread]?.account;
      if (account !== undefined && own !== undefined && own !== account) {
        continue;
      }
      const view = await loadOrWhy(this.runs, thread, this.signal);
      if (typeof view === 'string') {
        why ??= view;
      } else if (view !== undefined && fits(view)) {
        return { thread, view };
      }
    }
    return why;
  }

  async #threadBefore(
    before: number,
    hash: string,
  ): Promise<{ thread: number; view: RunView | string | undefined } | undefined> {
    const { threads } = this.runs;
    const account = threads[before]?.account;
    const named = threads.findIndex((one) => one.hash === hash);
    const thread = named >= 0 ? named : this.runs.open(hash, account);
    if (thread !== undefined) {
      return { thread, view: await loadOrWhy(this.runs, thread, this.signal) };
    }
    if (threads.some((one) => one.hash !== undefined)) {
      return undefined;
    }
    const found = await this.#threadOf(
      before,
      account,
      ({ run }) => run.transaction?.hash().toString('hex') === hash,
    );
    return typeof found === 'string' ? { thread: before, view: found } : found;
  }
}

/** What is at a place in the tuple of a transaction's surroundings. */
const surroundingNames: ReadonlyMap<string, string> = new Map([
  ['3', 'the time of the transaction'],
  ['4', 'the logical time of the block'],
  ['5', 'the logical time of the transaction'],
  ['6', 'the random seed'],
  ['7', 'the balance of the account, with the value of the message'],
  ['8', 'the address of the account'],
  ['9', 'the configuration of the network'],
  ['10', 'the code of the account'],
  ['11', 'the value of the message'],
  ['12', 'the storage fees of the transaction'],
  ['14', 'the configuration of the network'],
  ['15', 'the debt of the account'],
  ['17.0', 'whether the message bounces'],
  ['17.1', 'whether the message was bounced'],
  ['17.2', 'the sender of the message'],
  ['17.3', 'the forward fee of the message'],
  ['17.4', 'the logical time of the message'],
  ['17.5', 'the time of the message'],
  ['17.6', 'the value of the message'],
  ['17.7', 'the value of the message'],
]);

/** Other numbers, those nearest before one first. */
function nearest(one: number, count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index);
  return [...all.slice(0, one).toReversed(), ...all.slice(one + 1)];
}

function addressHash(address: bigint): Buffer {
  return Buffer.from(address.toString(16).padStart(64, '0'), 'hex');
}
