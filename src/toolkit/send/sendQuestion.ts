import type { Access } from '../access/createAccess';
import type { Network } from '../access/network';
import { loadAnyMessage } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import type { FormVerdict } from './fieldForm';
import { decodeBodyCell } from '../contracts/opcodes/decodeBody';
import { capitalized } from '../base/text';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { FailureHeadline } from '../trace/failureHeadline';
import { formatCoins } from '../trace/figures';
import { failedNodes } from '../trace/verdict';
import type { PreparedSend } from './preparedSend';
import type { ExternalMessage } from './externalMessage';
import { isForWallet } from './messageRequest';
import type { SendableMessage } from './sendableMessage';
import { orderNames } from './orderNames';
import type { OrderTextOptions } from './orderText';
import { orderLines, orderText, ordersOf } from './orderText';
import type { RehearsalLineOptions } from './rehearsalText';
import { isPayable, notRehearsedLine, rehearsalLine, rehearsalReason } from './rehearsalText';

/** The question before a message is sent. */
export interface SendQuestion {
  question: string;
  detail: string;
  /** Text of the button that sends. */
  send: string;
  /** By the rehearsal, the contract accepts it and can pay for it; false also if unknown. */
  expected: boolean;
  /** Nothing fails in the rehearsal, including later contracts. */
  isSafe: boolean;
}

/** Names, the coin's label, and a reader for bodies of the user's own contracts. */
export type SendNames = Required<Pick<OrderTextOptions, 'name' | 'coin'>> &
  Pick<OrderTextOptions, 'readBody'> &
  Pick<RehearsalLineOptions, 'exitSource'> & {
    /** Why the predicted trace fails, if it does. */
    failure?: FailureHeadline | undefined;
    /** What the rehearsal changes in the data of known contracts, one line each. */
    changes?: readonly string[];
  };

/** How a whole address is written. */
export type WriteAddress = (raw: string) => string;

/** Maximum destinations written out in full. */
const written = 4;

/**
 * The dialog's text: the orders, the rehearsal's result, and every destination in full, because the ends of an
 * address can be imitated.
 */
export function sendQuestion(
  network: Network,
  message: SendableMessage,
  rehearsed: PreparedSend | WorkbenchError,
  names: SendNames,
  address: WriteAddress,
): SendQuestion {
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  const accepted = prepared?.rehearsal.accepted;
  const isExpected = prepared !== undefined && isPayable(prepared.rehearsal);
  const main = network.kind === 'mainnet';
  const place = main ? 'the main network' : network.name;
  const options: OrderTextOptions = {
    ...orderNames(names),
    ...names,
    address,
    wallet: prepared?.rehearsal.destination.wallet,
  };
  const isLocal = network.kind === 'local';
  const isToldAbove = isLocal && names.failure !== undefined;
  const detail = [
    ...(isToldAbove && names.failure !== undefined ? [...failureDetail(names.failure), ''] : []),
    `${capitalized(orderText(message, options))}.`,
    WorkbenchError.is(rehearsed)
      ? notRehearsedLine(rehearsed.message)
      : rehearsalLine(rehearsed.rehearsal, { ...names, isToldAbove }),
    ...(prepared?.rehearsal.doubts ?? []),
    ...recipientLines(prepared, names, address),
    ...(names.changes === undefined || names.changes.length === 0 ? [] : ['', ...names.changes]),
    // What fails on a local network is looked at, not paid: nobody compares addresses and hashes there.
    ...(isToldAbove
      ? []
      : [
          '',
          ...destinationLines(message, names, address),
          ...(message.kind === 'external' ? [`Normalized hash ${message.hashNorm}`] : []),
        ]),
    ...(main ? ['', 'MAIN NETWORK: this moves real coins. A sent message cannot be taken back.'] : []),
  ].join('\n');
  const amount = plainAmount(message);
  const isSafe = isExpected && !fails(prepared.rehearsal);
  // Nothing can be lost on a local network; all that matters is whether the message does its job.
  const failure =
    isLocal && accepted !== undefined && !isSafe
      ? failureText(prepared?.rehearsal, isExpected, names)
      : undefined;
  const publicQuestion =
    accepted === undefined
      ? `Send to ${place} without a rehearsal?`
      : accepted
        ? isExpected
          ? `Send to ${place}?`
          : 'The balance does not cover this message.'
        : `${capitalized(place)} would reject this message.`;
  return {
    question:
      failure === undefined
        ? publicQuestion
        : isToldAbove
          ? (names.failure?.title ?? failure)
          : capitalized(failure),
    detail,
    send: isForWallet(message)
      ? isSafe
        ? 'Choose How to Sign…'
        : 'Sign Anyway…'
      : !isExpected || failure !== undefined
        ? 'Send Anyway'
        : amount === undefined
          ? 'Send'
          : `Send ${formatCoins(amount)} ${names.coin}`,
    expected: isExpected,
    isSafe,
  };
}

/** The line that would throw with its values, and who sends what; a dialog has letters of different widths. */
function failureDetail({ source, facts }: FailureHeadline): string[] {
  const values = source?.values.trim().replace(/ +/g, ' ') ?? '';
  return [
    ...(source === undefined ? [] : [`${source.place}  ${source.code}`]),
    ...(values === '' ? [] : [values]),
    facts,
  ];
}

/** What a rehearsal says, in a few words: `succeeds, fees 0.006 TON`, `Counter would fail: exit code 101 (ERR_FULL)`. */
export function rehearsalVerdict(
  rehearsed: PreparedSend | WorkbenchError,
  names: Pick<SendNames, 'name' | 'coin' | 'exitSource' | 'failure'>,
): FormVerdict {
  if (WorkbenchError.is(rehearsed)) {
    return { state: 'unknown', text: `not rehearsed: ${rehearsed.message}` };
  }
  const { rehearsal } = rehearsed;
  const { accepted, complete, fees, reason } = rehearsal;
  if (accepted === undefined) {
    return { state: 'unknown', text: `not rehearsed: ${reason?.text ?? 'the emulator failed'}` };
  }
  const isExpected = isPayable(rehearsal);
  if (isExpected && !fails(rehearsal)) {
    const least = complete ? '' : 'at least ';
    return { state: 'fine', text: `succeeds, fees ${least}${formatCoins(fees)} ${names.coin}` };
  }
  const { title, source } = names.failure ?? { title: failureText(rehearsal, isExpected, names) };
  return { state: 'fails', text: source === undefined ? title : `${title}, ${source.place}` };
}

/** That and why a rehearsed message would fail, in a few words: `Counter would fail: exit code 101 (ERR_FULL)`. */
function failureText(
  rehearsal: PreparedSend['rehearsal'] | undefined,
  isExpected: boolean,
  names: Pick<SendNames, 'name' | 'exitSource'>,
): string {
  if (rehearsal?.reason !== undefined) {
    return rehearsalReason(rehearsal.reason, names, true);
  }
  if (rehearsal?.accepted === false) {
    return 'would fail: the account does not accept this message';
  }
  return `would fail: ${isExpected ? 'a contract that it reaches fails' : 'the balance does not cover this message'}`;
}

/** The dialog's text before another message of an account is sent. */
export function openOutcomeWords(
  { hash, network, at, until }: OpenOutcome,
  more: number,
): Pick<SendQuestion, 'question' | 'detail'> {
  const time = (seconds: number): string => new Date(seconds * 1000).toLocaleString();
  const others = more === 0 ? '' : ` The outcome of ${more} more is unknown, too.`;
  return {
    question: 'The outcome of an earlier message is still unknown.',
    detail: [
      `This account sent a message to ${network} at ${time(at)}. It may still be executed${until === undefined ? '' : ` until ${time(until)}`}, and if you send another one, both may be.${others}`,
      `Message hash ${hash}`,
    ].join('\n'),
  };
}

/** Whether anything does not do all it says, in the wallet or in a contract reached by its messages. */
function fails({ reason, trace }: PreparedSend['rehearsal']): boolean {
  return reason !== undefined || (trace !== undefined && failedNodes(trace).length > 0);
}

/** Nanocoins that leave the wallet, if the message does nothing else; undefined otherwise. */
function plainAmount(message: SendableMessage): bigint | undefined {
  const orders = ordersOf(message);
  const plain = orders.every(({ message: cell }) => {
    const body = loadAnyMessage(cell)?.body;
    return body !== undefined && ['empty', 'text_comment'].includes(decodeBodyCell(body, {}, 0)?.name ?? '');
  });
  if (orders.length === 0 || !plain || (message.signed?.changes.length ?? 0) > 0) {
    return undefined;
  }
  let sum = 0n;
  for (const { value } of orderLines(message)) {
    if (value === undefined) {
      return undefined;
    }
    sum += value;
  }
  return sum;
}

/** `12.5 TON to UQ… (all 48 characters)`, or the message's receiver if it is not a wallet order. */
function destinationLines(message: SendableMessage, names: SendNames, address: WriteAddress): string[] {
  const orders = orderLines(message, names);
  if (orders.length === 0) {
    return [`To ${address(message.destination.toRawString())}`];
  }
  const lines = orders.slice(0, written).map(({ value, destination }) => {
    const amount = value === undefined ? 'The rest' : `${formatCoins(value)} ${names.coin}`;
    return `${amount} to ${destination === undefined ? 'no account' : address(destination)}`;
  });
  return orders.length > written ? [...lines, `and ${orders.length - written} more`] : lines;
}

/** Names the paid accounts that are unusual recipients. */
function recipientLines(
  prepared: PreparedSend | undefined,
  names: SendNames,
  address: WriteAddress,
): string[] {
  if (prepared === undefined) {
    return [];
  }
  const seen = new Set<string>();
  return (prepared.rehearsal.trace?.nodes ?? []).flatMap(({ depth, account, transaction }) => {
    const before = transaction?.orig_status ?? 'active';
    if (depth !== 1 || account === undefined || before === 'active' || seen.has(account)) {
      return [];
    }
    seen.add(account);
    const state = before === 'frozen' ? 'is frozen' : 'has no contract yet';
    return [`${names.name?.(account) ?? address(account)} ${state}.`];
  });
}

/** A message that was handed over, with an unknown outcome. */
interface OpenOutcome {
  /** Name of the network. */
  network: string;
  /** Its destination, which is the wallet that signed it: raw, `wc:hex`. */
  account: string;
  /** Normalized hash, lowercase hex. */
  hash: string;
  /** Unix seconds after which the account rejects it; absent if it may be executed at any time. */
  until?: number;
  /** Unix seconds of the hand-over, by this machine's clock. */
  at: number;
}

/** Storage for the list between sessions; a Memento of the editor is one. */
interface OutcomeState {
  get<T>(key: string, defaultValue: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Key of the list in the workspace state. */
const key = 'openOutcomes';

/** Maximum entries; the oldest are dropped first. */
const most = 100;

/** Tolerance for clock differences between this machine and the network, plus the time of a hand-over, in seconds. */
const clockMargin = 600;

/** Remembers per workspace which messages may still be executed, until the network can tell. */
export class OpenOutcomes {
  readonly #state: OutcomeState;
  readonly #clock: Clock;

  constructor(state: OutcomeState, clock: Clock = systemClock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Keeps a message whose outcome is unknown. */
  async remember(
    network: string,
    { hashNorm: hash, destination }: Pick<ExternalMessage, 'hashNorm' | 'destination'>,
    until: number | undefined,
  ): Promise<void> {
    const at = Math.floor(this.#clock.now() / 1000);
    const account = destination.toRawString();
    const entry = { network, account, hash, at, ...(until === undefined ? {} : { until }) };
    const others = this.#all().filter((one) => !(one.network === network && one.hash === hash));
    await this.#state.update(key, [...others, entry].slice(-most));
  }

  /**
   * The earlier messages of the same account on the same network that may still be executed, newest first. Asks the
   * network about each, and drops those it has found and those that have expired. The message itself does not count:
   * a wallet executes it once, however often it is sent.
   */
  async openBeside(
    access: Access,
    { hashNorm, destination }: Pick<ExternalMessage, 'hashNorm' | 'destination'>,
    signal?: AbortSignal,
  ): Promise<OpenOutcome[]> {
    const account = destination.toRawString();
    const { name } = access.network;
    const earlier = this.#all().filter(
      (one) => one.network === name && one.account === account && one.hash !== hashNorm,
    );
    if (earlier.length === 0) {
      return [];
    }
    const { messageFate } = await import('./messageFate');
    const open: OpenOutcome[] = [];
    for (const one of earlier) {
      const handedOver = { hashNorm: one.hash, destination, until: one.until, since: one.at - clockMargin };
      // If the network cannot tell, it stays open.
      const fate = await messageFate(access, handedOver, { signal, clock: this.#clock }).catch(
        () => 'unseen' as const,
      );
      if (fate === 'unseen') {
        open.unshift(one);
      } else {
        await this.#forget(one);
      }
    }
    return open;
  }

  async #forget({ network, hash }: OpenOutcome): Promise<void> {
    const left = this.#all().filter((one) => !(one.network === network && one.hash === hash));
    await this.#state.update(key, left);
  }

  #all(): OpenOutcome[] {
    return this.#state.get<OpenOutcome[]>(key, []);
  }
}
