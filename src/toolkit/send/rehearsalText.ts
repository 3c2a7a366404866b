import { Address } from '@ton/core';
import { buildTrace } from '../trace/buildTrace';
import { formatCoins, formatInteger, formatTime } from '../trace/figures';
import { TraceContext } from '../trace/traceContext';
import type { TraceKnowledge } from '../trace/traceContext';
import { traceText } from '../trace/traceText';
import { orderText } from './orderText';
import type { OrderTextOptions } from './orderText';
import type { PreparedSend } from './prepareSend';
import type { Rehearsal } from './rehearsal';
import type { SendableMessage } from './sendableMessage';

/** Names for the sentence, and what the trace's views know. */
export interface RehearsalTextOptions extends OrderTextOptions {
  knowledge?: TraceKnowledge | undefined;
}

/** The rehearsal as one line for a dialog: `succeeds, fees 0.0061 TON. Confidence: exact.` */
export function rehearsalLine(rehearsal: Rehearsal, coin = 'TON'): string {
  const { accepted, reason, fees, confidence, seqno } = rehearsal;
  const outcome = !accepted
    ? `refused: ${reason?.text ?? 'not accepted'}`
    : reason === undefined
      ? `succeeds, fees ${formatCoins(fees)} ${coin}`
      : `accepted, but ${reason.text}; fees ${formatCoins(fees)} ${coin}`;
  return `Rehearsed against block ${formatInteger(seqno)}: ${outcome}. Confidence: ${confidence}.`;
}

/** The whole document: what is asked for, what will happen, what it costs, the predicted trace. */
export function rehearsalText(prepared: PreparedSend, options: RehearsalTextOptions = {}): string {
  const { message, rehearsal } = prepared;
  const coin = options.coin ?? 'TON';
  const lines = [
    `${orderText(message, { wallet: rehearsal.destination.wallet, ...options })}.`,
    `${rehearsal.accepted && rehearsal.reason === undefined ? '✓' : '✗'} ${rehearsalLine(rehearsal, coin)}`,
    ...rehearsal.doubts.map((doubt) => `  ${doubt}`),
    '',
    ...messageLines(message),
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
  if (rehearsal.trace !== undefined) {
    const context = new TraceContext(buildTrace(rehearsal.trace), { coin, ...options.knowledge });
    lines.push('', 'predicted trace', '', traceText(context).trimEnd());
  }
  return `${lines.join('\n')}\n`;
}

/** The fees of the first transaction: ours, and beside them what the service estimates. */
function feeLines({ rehearsal, serviceFees }: PreparedSend, coin: string): string[] {
  const amount = (value: bigint): string => `${formatCoins(value)} ${coin}`;
  const ours = rehearsal.trace === undefined ? [] : [`${amount(rehearsal.firstFees)} rehearsed`];
  const theirs = serviceFees === undefined ? [] : [`${amount(serviceFees.total)} by the service's estimate`];
  return serviceFees === undefined ? [] : [row('first fees', [...ours, ...theirs].join(', '))];
}

function messageLines(message: SendableMessage): string[] {
  const { destination, signed, init, hash } = message;
  const wallet = message.kind === 'external' ? message.initWallet?.name : undefined;
  const rows: [string, string | undefined][] = [
    ['source', message.kind === 'internal' ? Address.normalize(message.source) : undefined],
    ['destination', Address.normalize(destination)],
    ['bounce', message.kind === 'internal' ? (message.bounce ? 'yes' : 'no') : undefined],
    ['seqno', signed?.seqno?.toString()],
    ['valid until', validUntil(signed?.validUntil)],
    ['state init', init === undefined ? undefined : (wallet ?? 'unknown code')],
    ['hash', message.kind === 'external' ? hash : undefined],
    ['normalised hash', message.kind === 'external' ? message.hashNorm : undefined],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [row(name, value)]));
}

function row(name: string, value: string): string {
  return `${name.padEnd(15)} ${value}`;
}

function validUntil(seconds: number | undefined): string | undefined {
  return seconds === 0xffffffff ? 'never expires' : seconds === undefined ? undefined : formatTime(seconds);
}
