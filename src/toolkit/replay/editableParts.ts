import { Cell, fromNano, loadMessage, loadShardAccount } from '@ton/core';
import type { Message } from '@ton/core';
import { loadFolded } from '../cell/loadFolded';
import { printCell } from '../stack/stackValue';
import { pastMessage } from './replayErrors';
import type { Replay } from './runReplay';
import type { ReplayInputs } from './replayInputs';

/** The part of a replay that a change `KEY=VALUE` names. */
export type EditKey =
  'body' | 'value' | 'sender' | 'time' | 'balance' | 'code' | 'data' | 'config' | 'signature';

/** A part of a replay that can be changed, and its value as it was. */
export interface EditablePart {
  key: EditKey;
  /** As the text of a change; undefined if there is none, or a single one. */
  value: string | undefined;
}

/**
 * What can be changed about a transaction: only internal messages have a value and a sender, only accounts that exist
 * have a balance, and only active ones have code and data.
 *
 * @param stateBefore ShardAccount right before it: BoC in base64
 */
export function editableParts(
  inputs: ReplayInputs,
  { original, stateBefore }: Pick<Replay, 'original' | 'stateBefore'>,
): EditablePart[] {
  const message = messageOf(inputs);
  const { account } = loadFolded(Cell.fromBase64(stateBefore), loadShardAccount);
  const state = account?.storage.state;
  const { code, data } = state?.type === 'active' ? state.state : {};
  const internal = message?.info.type === 'internal' ? message.info : undefined;
  const parts: [EditKey, boolean, string | undefined][] = [
    ['body', message !== undefined, message && cellText(message.body)],
    ['value', internal !== undefined, internal && coins(internal.value.coins)],
    ['sender', internal !== undefined, internal?.src.toRawString()],
    ['time', true, String(original.now)],
    ['balance', account != null, account == null ? undefined : coins(account.storage.balance.coins)],
    ['code', code != null, code == null ? undefined : cellText(code)],
    ['data', data != null, data == null ? undefined : cellText(data)],
    ['config', true, undefined],
    ['signature', true, undefined],
  ];
  return parts.flatMap(([key, exists, value]) => (exists ? [{ key, value }] : []));
}

/** The body of the message that caused the transaction; undefined if there was none. */
export function replayedBody(inputs: ReplayInputs): Cell | undefined {
  return messageOf(inputs)?.body;
}

function messageOf({ target }: ReplayInputs): Message | undefined {
  const cell = pastMessage(Cell.fromBase64(target.boc));
  return cell === undefined ? undefined : loadFolded(cell, loadMessage);
}

function coins(nanocoins: bigint): string {
  return fromNano(nanocoins);
}

function cellText(cell: Cell): string {
  return `cell ${printCell(cell)}`;
}
