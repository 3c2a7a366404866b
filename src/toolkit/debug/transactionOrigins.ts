import type { Transaction } from '@ton/core';
import { partOfField, valueOfField } from '../contracts/layouts/fieldPlaces';
import type { BodyValue, DecodedBody } from '../contracts/opcodes/decodedBody';
import { depthAt, wordAt } from '../recording/followValue';
import { wholeValue } from '../recording/valueParts';
import { bodyValueText } from '../contracts/opcodes/bodyLines';
import { counted, formatInteger } from '../trace/figures';
import { visibleText } from '../base/text';
import type { AskedValue } from './askedValues';
import { askedValue, bodyAtStart } from './askedValues';
import type { DebugRun } from './debugProgram';
import type { OriginRuns } from './originCrossings';
import { loadOrWhy } from './originCrossings';
import type { OriginHop } from './originHops';
import { lineOf } from './originHops';
import type { OriginTree, TreeBounds } from './originTree';
import { originTree } from './originTree';
import type { SentOut } from './transactionParts';
import {
  nanocoinsText,
  computed,
  feesIn,
  feeTitle,
  messageCoins,
  noPartError,
  onlyBounced,
  sentMessages,
  storageTitle,
} from './transactionParts';
import type { RunView } from './runView';

/** A transaction that is asked about. */
export interface AskedTransaction {
  /** Index of its execution. */
  thread: number;
  run: DebugRun;
  /** Undefined if no code ran. */
  view: RunView | undefined;
  /** Its message's body as it is shown, if another layout than the contract's own describes it. */
  body?: DecodedBody | undefined;
  /** The balance that is shown after it, in nanocoins: what the answer adds up to must be equal. */
  balance?: bigint | undefined;
}

/** Whether a text asks about a transaction itself: `tx.value`, `tx.body.amount`, `tx.balance`, `tx.gas`, `tx.fees.storage`. */
export function isTransactionQuestion(text: string): boolean {
  return /^tx\.(?:value|balance|gas|fees(?:\.\w+)?|body(?:\.[\w$]+)+)$/.test(text);
}

/**
 * Where a figure of a transaction comes from: a field or the value of its message, its gas, its fees, the balance after
 * it; with `c4.total`, a field of the data after it. What cannot be followed ends as unknown, with the reason.
 */
export function transactionOrigins(
  runs: OriginRuns,
  asked: AskedTransaction,
  question: string,
  signal: AbortSignal,
  bounds?: TreeBounds,
): Promise<OriginTree> {
  return new TransactionOrigins(runs, asked, signal, bounds).follow(question);
}

/** Most messages and lines that an answer names. */
const most = { messages: 6, lines: 5 };

type Fact = Omit<OriginHop, 'thread' | 'number' | 'place' | 'step'> & { step?: number };

class TransactionOrigins {
  readonly #transaction: Transaction | undefined;

  constructor(
    private readonly runs: OriginRuns,
    private readonly asked: AskedTransaction,
    private readonly signal: AbortSignal,
    private readonly bounds: TreeBounds | undefined,
  ) {
    this.#transaction = asked.run.transaction;
  }

  async follow(question: string): Promise<OriginTree> {
    const [head, first = '', ...rest] = question.split('.');
    if (head !== 'tx') {
      return this.#data(question);
    }
    switch (first) {
      case 'value':
        return this.#value('the value of the message');
      case 'body':
        return this.#bodyField(rest.join('.'));
      case 'gas':
        return this.#gas();
      case 'balance':
        return this.#balance();
      default:
        return this.#fee(rest[0] ?? 'all');
    }
  }

  /** A field of the data as the transaction leaves it. */
  async #data(question: string): Promise<OriginTree> {
    const { view, thread } = this.asked;
    if (view === undefined) {
      return this.#unknown(question, 'no code ran');
    }
    const found = askedValue(view, thread, view.steps - 1, question, view.steps);
    if (typeof found === 'string') {
      return this.#unknown(question, found);
    }
    const cell = view.run.registers?.before(view.steps).c4;
    const body = cell && view.run.readStorage(cell);
    return withValue(await this.#tree(found), body && valueOfField(body, question.slice('c4.'.length)));
  }

  async #value(name: string): Promise<OriginTree> {
    const { view, thread } = this.asked;
    const value = messageCoins(this.#transaction);
    if (value === undefined) {
      return this.#unknown(name, 'a message from outside has none');
    }
    return hasMessage(view)
      ? this.#tree({ thread, step: 0, in: 1, part: wholeValue, kind: 'coins' })
      : this.#unknown(name, 'no code ran, so nothing is recorded', nanocoinsText(value));
  }

  async #bodyField(field: string): Promise<OriginTree> {
    const { view, thread, body } = this.asked;
    if (!hasMessage(view)) {
      return this.#unknown(field, 'no code ran, so nothing is recorded');
    }
    const name = `${bodyAtStart(view)?.name ?? body?.name ?? 'body'}.${field}`;
    const layout = [bodyAtStart(view), body].find((one) => one && partOfField(one, field) !== undefined);
    const part = layout && partOfField(layout, field);
    const known = (bodyAtStart(view) ?? body)?.fields.map((one) => one.name) ?? [];
    if (part === undefined && known.length > 0 && !known.includes(field.split('.')[0] ?? '')) {
      throw noPartError('field', name, known);
    }
    if (layout === undefined || part === undefined) {
      return this.#unknown(name, 'its place in the message is not known');
    }
    const { hops, ...tree } = await this.#tree({ thread, step: 0, in: 3, part });
    // The message is where it is asked.
    const isTwice = hops[0]?.kind === 'asked' && hops[1]?.kind === 'message';
    return withValue({ ...tree, hops: isTwice ? hops.slice(1) : hops }, valueOfField(layout, field));
  }

  /** The lines that took most of it. */
  #gas(): OriginTree {
    const { view } = this.asked;
    const phase = computed(this.#transaction);
    if (phase === undefined || view === undefined) {
      return this.#unknown('gas', 'no code ran');
    }
    const { recording } = view;
    const lines = new Map<string, { gas: number; step: number; steps: number }>();
    for (let step = 0; step < recording.steps; step += 1) {
      const place = lineOf(view, step);
      const key = place === undefined ? '' : `${place.file}:${place.line}`;
      const known = lines.get(key);
      const gas = (known?.gas ?? 0) + (recording.gas[step] ?? 0);
      lines.set(key, { gas, step: known?.step ?? step, steps: (known?.steps ?? 0) + 1 });
    }
    const sorted = [...lines].sort(([, one], [, other]) => other.gas - one.gas);
    const sources = sorted.slice(0, most.lines).map(([key, { gas, step, steps }]) => {
      const text = key === '' ? undefined : lineOf(view, step)?.text.trim();
      const words = `${formatInteger(gas)} gas in ${counted(steps, 'step')}`;
      const title = `${words}: ${text === undefined ? 'code without a line' : visibleText(text, 80)}`;
      return this.#leaf({ step, kind: 'made', title });
    });
    const value = formatInteger(phase.gasUsed);
    return withMore(
      this.#leaf({ kind: 'asked', title: 'gas', value }, sources),
      sorted.length - sources.length,
    );
  }

  async #fee(kind: string): Promise<OriginTree> {
    const transaction = this.#transaction;
    if (transaction === undefined) {
      return this.#unknown('the fee', 'a get-method pays none');
    }
    const fees = feesIn(transaction);
    const amount = kind === 'all' ? fees.all : fees[kind as keyof typeof fees];
    if (amount === undefined) {
      throw noPartError('fee', kind, Object.keys(fees));
    }
    const asked = {
      kind: 'asked',
      title: feeTitle(kind, transaction),
      value: nanocoinsText(amount),
    } as const;
    switch (kind) {
      case 'all':
        return this.#leaf(
          asked,
          await Promise.all(
            Object.entries(fees)
              .filter(([one, fee]) => one !== 'all' && fee !== 0n)
              .map(([one]) => this.#fee(one)),
          ),
        );
      case 'gas':
        return this.#leaf(
          [asked, { kind: 'given', title: 'gas, at the price of the network' }],
          [this.#gas()],
        );
      case 'storage':
        return this.#leaf([asked, { kind: 'given', title: storageTitle(transaction) }]);
      case 'forward':
      case 'action':
        return this.#leaf(
          asked,
          sentMessages(this.#transaction, this.asked.view, this.runs.accountName).map(
            ({ message, to, step }) => {
              const { info } = message;
              const fee = kind === 'forward' && info.type === 'internal' ? info.forwardFee : undefined;
              return this.#leaf({
                ...(step === undefined ? {} : { step }),
                kind: 'sent',
                title:
                  kind === 'forward'
                    ? `travels with the message to ${to}`
                    : `for sending ${onlyBounced(transaction) ? 'it back' : 'the message'} to ${to}`,
                ...(fee === undefined ? {} : { value: nanocoinsText(fee) }),
              });
            },
          ),
        );
      default:
        return this.#leaf([asked, { kind: 'given', title: 'what importing the message from outside costs' }]);
    }
  }

  /** What was there, what came, and what went; it must add up. */
  async #balance(): Promise<OriginTree> {
    const { view, thread, balance } = this.asked;
    const title = 'the balance after the transaction';
    const transaction = this.#transaction;
    if (transaction === undefined || !hasMessage(view)) {
      return this.#unknown(
        title,
        'no code ran, so nothing is recorded',
        balance === undefined ? undefined : nanocoinsText(balance),
      );
    }
    const fees = feesIn(transaction);
    const value = messageCoins(transaction) ?? 0n;
    const start = BigInt(wordAt(view.recording, { step: 0, slot: 0 }));
    const before = start - value + fees.storage + fees.import;
    const sends = sentMessages(this.#transaction, this.asked.view, this.runs.accountName);
    const sent = sends.reduce(
      (sum, { message: { info } }) => sum + (info.type === 'internal' ? info.value.coins : 0n),
      0n,
    );
    const after = before + value - sent - fees.all;
    if (balance !== undefined && balance !== after) {
      return this.#unknown(
        title,
        `what came and went adds up to ${nanocoinsText(after)}`,
        nanocoinsText(balance),
      );
    }
    const shown = sends.filter(({ message: { info } }) => info.type === 'internal').slice(0, most.messages);
    const sources = [await this.#balanceBefore(before, transaction)];
    if (value !== 0n) {
      sources.push(
        signed('+', await this.#tree({ thread, step: 0, in: 1, part: wholeValue, kind: 'coins' })),
      );
    }
    for (const one of shown) {
      sources.push(signed('−', await this.#sentValue(one)));
    }
    for (const [kind, fee] of Object.entries(fees)) {
      if (kind !== 'all' && fee !== 0n) {
        sources.push(signed('−', { ...(await this.#fee(kind)), sources: [] }));
      }
    }
    return withMore(
      this.#leaf({ kind: 'asked', title, value: nanocoinsText(after) }, sources),
      sends.length - shown.length,
    );
  }

  async #balanceBefore(before: bigint, transaction: Transaction): Promise<OriginTree> {
    const asked = {
      step: 0,
      kind: 'asked',
      title: 'the balance before',
      value: nanocoinsText(before),
    } as const;
    const hash = transaction.prevTransactionHash.toString(16).padStart(64, '0');
    const short = hash.slice(0, 8);
    if (/^0+$/.test(hash)) {
      return this.#leaf([asked, { kind: 'given', title: 'this is the first transaction of the account' }]);
    }
    const { threads } = this.runs;
    const named = threads.findIndex((one) => one.hash === hash);
    const thread = named >= 0 ? named : this.runs.open(hash, threads[this.asked.thread]?.account);
    const view = thread === undefined ? undefined : await loadOrWhy(this.runs, thread, this.signal);
    if (thread === undefined || typeof view === 'string') {
      const why = typeof view === 'string' ? `cannot be recorded: ${view}` : 'is not here';
      return this.#leaf([
        asked,
        { kind: 'unknown', title: `unknown: the transaction before, ${short}, ${why}` },
      ]);
    }
    const title =
      view === undefined
        ? 'the transaction before left it, in which no code ran'
        : 'the transaction before left it';
    const [first] = this.#leaf(asked).hops;
    const step = view === undefined ? -1 : view.steps - 1;
    return { hops: [first!, this.#hop({ step, kind: 'data', title }, thread, view)], sources: [] };
  }

  async #sentValue({ message: { info }, to, step, mode, slot, part }: SentOut): Promise<OriginTree> {
    const value = info.type === 'internal' ? nanocoinsText(info.value.coins) : undefined;
    const hop: Fact = {
      kind: 'sent',
      title: `sent to ${to}`,
      ...(value === undefined ? {} : { value }),
      ...(step === undefined ? {} : { step }),
    };
    if (step === undefined || mode === undefined || slot === undefined || part === undefined) {
      return this.#leaf(hop);
    }
    if ((mode & (64 | 128)) !== 0) {
      const rest = (mode & 64) !== 0 ? 'what is left of the value it received' : 'all of its balance';
      return this.#leaf([hop, { step, kind: 'made', title: `mode ${mode} sends ${rest}` }]);
    }
    const tree = await this.#tree({
      thread: this.asked.thread,
      step,
      in: slot,
      part,
      name: 'the value in the message',
      kind: 'coins',
    });
    return this.#leaf(hop, [tree]);
  }

  #tree(asked: AskedValue): Promise<OriginTree> {
    return originTree(this.runs, asked, this.signal, this.bounds);
  }

  #unknown(title: string, why: string, value?: string): OriginTree {
    return this.#leaf([
      { kind: 'asked', title, ...(value === undefined ? {} : { value }) },
      { kind: 'unknown', title: `unknown: ${why}` },
    ]);
  }

  #leaf(facts: Fact | readonly Fact[], sources: readonly OriginTree[] = []): OriginTree {
    const hops = [facts].flat().map((fact) => this.#hop(fact));
    return { hops, sources };
  }

  #hop(fact: Fact, thread = this.asked.thread, view = this.asked.view): OriginHop {
    const step = fact.step ?? (view === undefined ? -1 : view.steps - 1);
    const place =
      fact.step === undefined || view === undefined
        ? undefined
        : lineOf(view, Math.min(step, view.steps - 1));
    return { ...fact, thread, step, number: (view?.recording.stepsMissing ?? 0) + step + 1, place };
  }
}

/** Whether an execution began with a message: its stack has balance, value, message, body, and selector. */
function hasMessage(view: RunView | undefined): view is RunView {
  return view !== undefined && view.recording.stepsMissing === 0 && depthAt(view.recording, 0) === 5;
}

/** Of a sum: what its part is there. */
function signed(sign: '+' | '−', { hops: [first, ...hops], ...tree }: OriginTree): OriginTree {
  return first === undefined
    ? { hops, ...tree }
    : { ...tree, hops: [{ ...first, title: `${sign} ${first.title}` }, ...hops] };
}

/** With what was asked about as people read it: bits do not say what they are. */
function withValue(
  { hops: [first, ...hops], ...tree }: OriginTree,
  value: BodyValue | undefined,
): OriginTree {
  const isPlain = value !== undefined && value.type !== 'map' && value.type !== 'body';
  return first === undefined
    ? { hops, ...tree }
    : {
        ...tree,
        hops: [isPlain ? { ...first, value: visibleText(bodyValueText(value, {}), 60) } : first, ...hops],
      };
}

function withMore(tree: OriginTree, more: number): OriginTree {
  return more > 0 ? { ...tree, more } : tree;
}
