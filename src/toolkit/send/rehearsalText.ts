import { Address } from '@ton/core';
import { exitWords } from '../contracts/exitCodes';
import { neverExpires } from '../contracts/opcodes/readSignedBody';
import { shortenMiddle, visibleText } from '../base/text';
import type { TraceKnowledge } from '../trace/traceModel';
import type { FailureHeadline } from '../trace/failureHeadline';
import { failureHeadline } from '../trace/failureHeadline';
import { formatCoins, formatInteger, formatTime } from '../trace/figures';
import { TraceContext } from '../trace/traceContext';
import { traceText } from '../trace/traceText';
import type { Confidence, PreparedSend, RefusalReason, Rehearsal } from './preparedSend';
import { isForWallet } from './messageRequest';
import type { SendableMessage } from './sendableMessage';
import { orderNames } from './orderNames';
import type { OrderTextOptions } from './orderText';
import { orderText } from './orderText';

/** How accounts, coins, and exit codes are named. */
export interface RehearsalLineOptions extends Pick<OrderTextOptions, 'name' | 'coin'> {
  /** What the sources say about the exit codes of an account. */
  exitSource?: TraceKnowledge['exitSource'];
  /** The verdict of the predicted trace, as its views tell it. */
  failure?: Pick<FailureHeadline, 'title'> | undefined;
  /** The verdict stands above the line: it is not told again. */
  isToldAbove?: boolean;
}

/** Names for the sentence, and the knowledge of the trace views. */
export interface RehearsalTextOptions
  extends OrderTextOptions, Pick<RehearsalLineOptions, 'exitSource' | 'failure'> {
  knowledge?: TraceKnowledge | undefined;
}

/** How sure a rehearsal is, as a sentence. */
const confidenceWords: Readonly<Record<Confidence, string>> = {
  exact: 'Same code, same state: exact.',
  'same-compute': 'Same code, state rebuilt from parts: storage fees may differ.',
  emulated: 'The network may differ.',
  unknown: 'The network may differ.',
};

/** The rehearsal as one line for a dialog: `succeeds, fees 0.0061 TON. Same code, same state: exact.` */
export function rehearsalLine(
  rehearsal: Rehearsal,
  { coin = 'TON', name, exitSource, failure: told, isToldAbove = false }: RehearsalLineOptions = {},
): string {
  const { accepted, complete, reason, fees, confidence, seqno } = rehearsal;
  if (accepted === undefined) {
    return notRehearsedLine(reason?.text ?? 'the emulator failed');
  }
  const paid = `fees ${complete ? '' : 'at least '}${formatCoins(fees)} ${coin}`;
  const failure =
    reason === undefined ? undefined : (told?.title ?? rehearsalReason(reason, { name, exitSource }));
  const outcome = !accepted
    ? `refused: ${failure ?? 'not accepted'}`
    : failure === undefined
      ? `${complete ? 'succeeds' : 'succeeds as far as it was run'}, ${paid}`
      : `accepted${isToldAbove ? '' : `, but ${failure}`}; ${paid}`;
  return `Rehearsed against block ${formatInteger(seqno)}: ${outcome}. ${confidenceWords[confidence]}`;
}

/** Without a rehearsal nothing is known about the network's result, good or bad. */
export function notRehearsedLine(why: string): string {
  return `It could not be rehearsed here: ${why.replace(/\.$/, '')}. What the network will do is unknown.`;
}

/**
 * The reason, with the account's name and its source's name for the exit code, if there are any.
 * @param isConditional `Counter would fail: …`, `would fail: …` instead of `Counter fails: …` and the bare reason
 */
export function rehearsalReason(
  { text, later, exit }: RefusalReason,
  { name, exitSource }: Pick<RehearsalLineOptions, 'name' | 'exitSource'>,
  isConditional = false,
): string {
  const called = later === undefined ? undefined : name?.(later.account);
  const verb = isConditional ? 'would fail' : 'fails';
  const whole =
    later === undefined
      ? `${isConditional ? `${verb}: ` : ''}${text}`
      : `${called ?? shortenMiddle(Address.parseRaw(later.account).toString())} ${verb}: ${later.text}`;
  const source = exit === undefined ? undefined : exitSource?.(exit.account);
  if (exit === undefined || source === undefined) {
    return whole;
  }
  const standards = [...(source.standards ?? []), ...exit.standards];
  const words = exitWords(exit.code, 'compute', { errors: source.errors, standards });
  return whole.replace(exit.words, () => `exit code ${exit.code} (${words})`);
}

/** The whole document: orders, effects, costs, the predicted trace. */
export function rehearsalText(prepared: PreparedSend, options: RehearsalTextOptions = {}): string {
  const { message, rehearsal } = prepared;
  const coin = options.coin ?? 'TON';
  const exitSource = options.exitSource ?? options.knowledge?.exitSource;
  const context =
    rehearsal.trace === undefined
      ? undefined
      : new TraceContext(rehearsal.trace, { coin, ...options.knowledge });
  const failure = options.failure ?? (context && failureHeadline(context));
  const lines = [
    `${orderText(message, { wallet: rehearsal.destination.wallet, ...orderNames({ ...options.knowledge, exitSource }), ...options })}.`,
    `${rehearsalSymbol(rehearsal)} ${rehearsalLine(rehearsal, { coin, name: options.name, exitSource, failure })}`,
    ...rehearsal.doubts.map((doubt) => `  ${doubt}`),
    '',
    ...messageLines(message, options),
    ...feeLines(prepared, coin),
  ];
  if (rehearsal.vmLog !== undefined && rehearsal.vmLog !== '') {
    lines.push(
      '',
      'end of the TVM log',
      ...rehearsal.vmLog
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`),
    );
  }
  if (rehearsal.printed.length > 0) {
    lines.push('', 'printed', ...rehearsal.printed.map((text) => `  ${visibleText(text)}`));
  }
  if (context !== undefined) {
    const part = rehearsal.complete ? '' : ', as far as it was run: fees and amounts are at least these';
    lines.push('', `predicted trace${part}`, '', traceText(context, { hashes: false }).trimEnd());
  }
  return `${lines.join('\n')}\n`;
}

function rehearsalSymbol({ accepted, reason }: Rehearsal): string {
  return accepted === undefined ? '?' : accepted && reason === undefined ? '✓' : '✗';
}

/** The first transaction's fees: ours, and the service's estimate. */
function feeLines({ rehearsal, serviceFees }: PreparedSend, coin: string): string[] {
  const amount = (value: bigint): string => `${formatCoins(value)} ${coin}`;
  const ours = rehearsal.trace === undefined ? [] : [`${amount(rehearsal.firstFees)} rehearsed`];
  const theirs = serviceFees === undefined ? [] : [`${amount(serviceFees.total)} by the service's estimate`];
  return serviceFees === undefined ? [] : [row('first fees', [...ours, ...theirs].join(', '))];
}

function messageLines(message: SendableMessage, { name }: RehearsalTextOptions): string[] {
  const { destination, signed, init, hash } = message;
  const wallet = message.kind === 'external' ? message.initWallet?.name : undefined;
  const rows: [string, string | undefined][] = [
    ['source', sourceText(message, name)],
    // An external message goes to the account that executes it; its orders, listed above, say where the coins
    // go.
    [message.kind === 'external' ? 'account' : 'destination', named(destination, name)],
    ['bounce', message.kind === 'internal' ? (message.bounce ? 'yes' : 'no') : undefined],
    ['seqno', signed?.seqno?.toString()],
    ['valid until', validUntil(signed?.validUntil)],
    ['state init', init === undefined ? undefined : (wallet ?? 'unknown code')],
    ['hash', message.kind === 'external' ? hash : undefined],
    ['normalized hash', message.kind === 'external' ? message.hashNorm : undefined],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [row(name, value)]));
}

/** A request has no source until its wallet is known. */
function sourceText(message: SendableMessage, name: RehearsalTextOptions['name']): string | undefined {
  if (message.kind === 'external') {
    return undefined;
  }
  const isUnknown = isForWallet(message) && message.source.hash.every((byte) => byte === 0);
  return isUnknown ? 'the wallet that signs' : named(message.source, name);
}

/** A whole address, and the user's name for it. */
function named(address: Address, name: RehearsalTextOptions['name']): string {
  const known = name?.(address.toRawString());
  return known === undefined ? address.toString() : `${address.toString()}  ${visibleText(known, 40)}`;
}

function row(name: string, value: string): string {
  return `${name.padEnd(16)} ${value}`;
}

function validUntil(seconds: number | undefined): string | undefined {
  return seconds === neverExpires ? 'never expires' : seconds === undefined ? undefined : formatTime(seconds);
}

/** Whether, by the rehearsal, the message is accepted and its account can pay for its orders. */
export function isPayable({ accepted, reason }: Pick<Rehearsal, 'accepted' | 'reason'>): boolean {
  return accepted === true && reason?.code !== 'balance-too-small';
}
