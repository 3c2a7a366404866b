import type { Message } from '@ton/core';
import { canonicalAddress } from '../../address/canonicalAddress';
import { shortAddress } from '../../address/shortAddress';
import type { LayoutSet } from '../../contracts/layouts/layoutSet';
import { readBodyCell } from '../../contracts/layouts/fittingLayout';
import { opcodeHex } from '../../contracts/opcodes/opcodes';
import { instructionAt } from '../../recording/recording';
import { placeAt } from '../../sourceMap/mapSteps';
import { counted, formatCoins } from '../../trace/figures';
import { bodyValue } from '../debugValue';
import type { SendStep } from '../messageSends';
import { sendSteps, senderOf, sendsOne, sentBody, sentTo } from '../messageSends';
import type { AskedRun, FoundHit, HitValue, RunHits } from './queryHit';
import { undoneAt } from './queryHit';

/** All messages that an execution sent, to whomever. */
export function sendHits(run: AskedRun): RunHits {
  const { recording } = run.view;
  const sends = sendSteps(recording);
  const read = new Set(sends.map(({ step }) => step));
  const steps = [...recording.writes];
  // A list that is written as a whole has those before it, or takes them back.
  const list = steps.findLastIndex((step) => instructionAt(recording, step) === 'POP c5');
  const unread = steps.slice(list + 1).filter((step) => sendsOne(recording, step) && !read.has(step)).length;
  const left = messagesLeft(run, sends);
  return {
    hits: sends.map((send) => {
      const to = receiverOf(send);
      return { step: send.step, to, tell: () => sendFacts(run, send, left.get(send), to) };
    }),
    notes: [
      ...(unread > 0 ? [`${counted(unread, 'message')} cannot be read, so who gets it is unknown.`] : []),
      ...(hasBounced(run) ? ['The message bounced. No instruction sends that, so it is not listed.'] : []),
    ],
  };
}

/** Whether the network has sent the message back. */
function hasBounced({ view }: AskedRun): boolean {
  return [...(view.run.transaction?.outMessages.values() ?? [])].some(
    ({ info }) => info.type === 'internal' && info.bounced,
  );
}

/** The messages of the transaction by the instruction that sent them, as far as that is certain. */
function messagesLeft({ view }: AskedRun, sends: readonly SendStep[]): ReadonlyMap<SendStep, Message> {
  const out = [...(view.run.transaction?.outMessages.values() ?? [])];
  return new Map(
    out.flatMap((message): [SendStep, Message][] => {
      const send = senderOf(sends, out, message);
      return send === undefined ? [] : [[send, message]];
    }),
  );
}

function sendFacts(
  { view, nameOf }: AskedRun,
  send: SendStep,
  left: Message | undefined,
  to: string | undefined,
): ReturnType<FoundHit['tell']> {
  const { lines, transaction } = view.run;
  const receiver = to === undefined ? 'the outside' : (nameOf(to) ?? shortAddress(to));
  const undone = undoneAt(view, send.step);
  const body = bodyText(view.run.lines?.map.layouts, send, nameOf);
  const value = valueOf(send, left);
  const values: HitValue[] = [
    { name: 'to', value: to ?? 'the outside' },
    ...(value === undefined ? [] : [value]),
    { name: 'body', value: body },
    { name: 'mode', value: String(send.mode) },
  ];
  const amount = value === undefined ? '' : `, ${value.value ?? `its value is unknown: ${value.why}`}`;
  return {
    title: `to ${receiver}: ${body}${amount}, mode ${send.mode}`,
    values,
    place: lines && placeAt(lines, send.step),
    undone:
      undone ??
      (transaction !== undefined && left === undefined
        ? 'no message of the transaction is certain to be this one'
        : undefined),
  };
}

/** What the message carried, with what its mode added; undefined for one to the outside. */
function valueOf({ cell, parts, mode }: SendStep, left: Message | undefined): HitValue | undefined {
  if (left?.info.type === 'internal') {
    return { name: 'value', value: `${formatCoins(left.info.value.coins)} TON` };
  }
  const bits = parts.value?.bits;
  if (bits === undefined) {
    return undefined;
  }
  // The rest of the balance or of the message that came in is added when the message leaves.
  return (mode & 192) !== 0
    ? { name: 'value', value: undefined, why: 'its mode adds to it when it leaves' }
    : { name: 'value', value: `${formatCoins(cell.beginParse().skip(bits[0]).loadCoins())} TON` };
}

function receiverOf(send: SendStep): string | undefined {
  const address = sentTo(send);
  return address == null ? undefined : (canonicalAddress(address.toString()) ?? address.toString());
}

/** The body by a struct of the sender's sources; else its opcode. */
function bodyText(layouts: LayoutSet | undefined, send: SendStep, nameOf: AskedRun['nameOf']): string {
  try {
    const body = sentBody(send);
    const read = layouts && readBodyCell(body, [layouts], () => true);
    if (read !== undefined) {
      return `${read.name} ${bodyValue(read, nameOf).text}`;
    }
    const slice = body.beginParse();
    const opcode = slice.remainingBits < 32 ? undefined : slice.preloadUint(32);
    return opcode === undefined ? 'no opcode' : opcode === 0 ? 'a comment' : opcodeHex(opcode);
  } catch {
    return 'unreadable';
  }
}
