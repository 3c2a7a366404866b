import type { Message, Transaction } from '@ton/core';
import { shortAddress } from '../address/shortAddress';
import { WorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import { kindText } from '../sourceMap/namedValues';
import type { AskedValue } from './askedValues';
import type { AccountNames } from './debugValue';
import { senderOf, sendSteps } from './messageSends';
import type { RunView } from './runView';

/** Fees in nanocoins by kind, as `feesOf` names them; what is left is that of a message from outside. */
export function feesIn({
  description,
  totalFees,
  outMessages,
  inMessage,
}: Transaction): Record<'all' | 'storage' | 'gas' | 'action' | 'forward' | 'import', bigint> {
  const generic = description.type === 'generic' ? description : undefined;
  const bounce = generic?.bouncePhase?.type === 'ok' ? generic.bouncePhase.messageFees : 0n;
  const compute = generic?.computePhase.type === 'vm' ? generic.computePhase.gasFees : 0n;
  const storage =
    (generic?.storagePhase?.storageFeesCollected ?? 0n) + (generic?.creditPhase?.dueFeesColelcted ?? 0n);
  const action = (generic?.actionPhase?.totalActionFees ?? 0n) + bounce;
  const forward = [...outMessages.values()].reduce(
    (sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n),
    0n,
  );
  const rest = totalFees.coins - storage - compute - action;
  return {
    ...{ storage, gas: compute, action, forward },
    import: inMessage?.info.type === 'external-in' ? rest : 0n,
    all: totalFees.coins + forward,
  };
}

/** What the storage fee is for. */
export function storageTitle({ description }: Transaction): string {
  const isDue = description.type === 'generic' && (description.storagePhase?.storageFeesDue ?? 0n) !== 0n;
  return `for the cells and bits of the account since it paid last, at the prices of the network${isDue ? '; a part is still owed' : ''}`;
}

/** The phase in which code ran; undefined if none did. */
export function computed(transaction: Transaction | undefined): { gasUsed: bigint } | undefined {
  const { description } = transaction ?? {};
  const phase = description?.type === 'generic' ? description.computePhase : undefined;
  return phase?.type === 'vm' ? phase : undefined;
}

/** Whether it sent nothing but what it got back. */
export function onlyBounced({ description }: Transaction): boolean {
  return (
    description.type === 'generic' &&
    description.actionPhase == null &&
    description.bouncePhase?.type === 'ok'
  );
}

/** What a fee is called. */
export function feeTitle(kind: string, transaction: Transaction): string {
  return kind === 'all'
    ? 'the fees'
    : kind === 'action' && onlyBounced(transaction)
      ? 'the fee for the bounce'
      : `the ${kind} fee`;
}

/** A name of a transaction's part that it does not have. */
export function noPartError(what: string, name: string, known: readonly string[]): WorkbenchError {
  return new WorkbenchError({
    code: 'expression-invalid',
    kind: 'input',
    message: `There is no ${what} ${visibleText(name, 60)}.`,
    hint: `There are: ${known.map((one) => visibleText(one, 40)).join(', ')}.`,
  });
}

/** Of the message that it received, in nanocoins; undefined for one from outside. */
export function messageCoins(transaction: Transaction | undefined): bigint | undefined {
  const info = transaction?.inMessage?.info;
  return info?.type === 'internal' ? info.value.coins : undefined;
}

/** Nanocoins as people read them. */
export function nanocoinsText(amount: bigint): string {
  return kindText(String(amount), 'coins') ?? String(amount);
}

/** A message that was sent, and how. */
export interface SentOut {
  message: Message;
  to: string;
  step: number | undefined;
  mode: number | undefined;
  slot: number | undefined;
  part: AskedValue['part'] | undefined;
}

/** The messages that a transaction sent, with the instruction that sent each, if that is certain. */
export function sentMessages(
  transaction: Transaction | undefined,
  view: RunView | undefined,
  accountName: AccountNames,
): SentOut[] {
  const out = [...(transaction?.outMessages.values() ?? [])];
  const sends = view === undefined ? [] : sendSteps(view.recording);
  return out.map((message) => {
    const send = senderOf(sends, out, message);
    const { info } = message;
    const address = info.type === 'internal' ? info.dest.toRawString() : undefined;
    const to = address === undefined ? 'the outside' : (accountName(address) ?? shortAddress(address));
    return {
      ...{ message, to: visibleText(to, 40), step: send?.step, mode: send?.mode },
      ...{ slot: send?.slot, part: send?.parts.value },
    };
  });
}
