import { Address } from '@ton/core';
import { buildTrace } from '../trace/buildTrace';
import { formatCoins, formatInteger, formatTime } from '../trace/figures';
import { TraceContext } from '../trace/traceContext';
import type { TraceKnowledge } from '../trace/traceContext';
import { traceText } from '../trace/traceText';
import type { ExternalMessage } from './externalMessage';
import { orderText } from './orderText';
import type { OrderTextOptions } from './orderText';
import type { PreparedSend } from './prepareSend';
import type { Rehearsal } from './rehearsal';

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
  const { message, rehearsal, serviceFees } = prepared;
  const coin = options.coin ?? 'TON';
  const lines = [
    `${orderText(message, { wallet: rehearsal.destination.wallet, ...options })}.`,
    `${rehearsal.accepted && rehearsal.reason === undefined ? '✓' : '✗'} ${rehearsalLine(rehearsal, coin)}`,
    ...rehearsal.doubts.map((doubt) => `  ${doubt}`),
    '',
    ...messageLines(message),
    ...(serviceFees === undefined
      ? []
      : [`service says    fees of the first transaction ${formatCoins(serviceFees.total)} ${coin}`]),
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

function messageLines({ destination, signed, init, initWallet, hash, hashNorm }: ExternalMessage): string[] {
  const rows: [string, string | undefined][] = [
    ['destination', Address.normalize(destination)],
    ['seqno', signed?.seqno?.toString()],
    ['valid until', validUntil(signed?.validUntil)],
    ['state init', init === undefined ? undefined : (initWallet?.name ?? 'unknown code')],
    ['hash', hash],
    ['normalised hash', hashNorm],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(15)} ${value}`]));
}

function validUntil(seconds: number | undefined): string | undefined {
  return seconds === 0xffffffff ? 'never expires' : seconds === undefined ? undefined : formatTime(seconds);
}
