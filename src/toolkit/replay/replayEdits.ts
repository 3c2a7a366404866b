import type { Address, Message, ShardAccount } from '@ton/core';
import { beginCell, Cell, loadMessage, loadShardAccount, storeMessage, storeShardAccount } from '@ton/core';
import { loadFolded } from '../cell/loadFolded';
import { importNetworkConfig, writeParameters } from '../execution/emulator/networkConfig';
import type { NetworkConfig } from '../execution/emulator/networkConfig';
import { replayImpossibleError } from './replayErrors';

/** What is different from what happened: "what if". Everything left out stays as it was. */
export interface ReplayEdits {
  /** The message's body. */
  body?: Cell | undefined;
  /** Nanocoins that the message carries; internal messages only. */
  value?: bigint | undefined;
  /** Internal messages only. */
  sender?: Address | undefined;
  /** Unix seconds. */
  now?: number | undefined;
  /** Nanocoins that the account has before the message arrives. */
  balance?: bigint | undefined;
  code?: Cell | undefined;
  data?: Cell | undefined;
  /** Parameters of the network's configuration, by number. */
  config?: ReadonlyMap<number, Cell> | undefined;
  /** Every signature check passes. */
  ignoreSignatures?: boolean | undefined;
}

/**
 * The message with its edits.
 *
 * @throws WorkbenchError `replay-impossible` for a sender or value of an external message, which has none
 */
export function editMessage(cell: Cell, { body, value, sender }: ReplayEdits): Cell {
  if (body === undefined && value === undefined && sender === undefined) {
    return cell;
  }
  const message = loadFolded(cell, loadMessage);
  const edited: Message = {
    ...message,
    ...(body === undefined ? {} : { body }),
    info: editInfo(message.info, value, sender),
  };
  return beginCell().store(storeMessage(edited)).endCell();
}

function editInfo(
  info: Message['info'],
  value: bigint | undefined,
  sender: Address | undefined,
): Message['info'] {
  if (value === undefined && sender === undefined) {
    return info;
  }
  if (info.type !== 'internal') {
    throw replayImpossibleError('An external message has neither a value nor a sender.');
  }
  return {
    ...info,
    ...(value === undefined ? {} : { value: { ...info.value, coins: value } }),
    ...(sender === undefined ? {} : { src: sender }),
  };
}

/**
 * The account with its edits.
 *
 * @param shardAccount ShardAccount as BoC, base64
 * @throws WorkbenchError `replay-impossible` if the account has no such part
 */
export function editAccount(shardAccount: string, { balance, code, data }: ReplayEdits): string {
  if (balance === undefined && code === undefined && data === undefined) {
    return shardAccount;
  }
  const before = loadFolded(Cell.fromBase64(shardAccount), loadShardAccount);
  const { account } = before;
  if (account == null) {
    throw replayImpossibleError('The account does not exist yet, so there is nothing in it to change.');
  }
  const { storage } = account;
  const edited: ShardAccount = {
    ...before,
    account: {
      ...account,
      storage: {
        ...storage,
        ...(balance === undefined ? {} : { balance: { ...storage.balance, coins: balance } }),
        state: editState(storage.state, code, data),
      },
    },
  };
  return beginCell().store(storeShardAccount(edited)).endCell().toBoc().toString('base64');
}

type AccountState = NonNullable<ShardAccount['account']>['storage']['state'];

function editState(state: AccountState, code: Cell | undefined, data: Cell | undefined): AccountState {
  if (code === undefined && data === undefined) {
    return state;
  }
  if (state.type !== 'active') {
    throw replayImpossibleError(`The account is ${state.type}: it has neither code nor data to change.`);
  }
  return { ...state, state: { ...state.state, ...(code && { code }), ...(data && { data }) } };
}

/** The configuration with its edits. */
export function editConfig(config: NetworkConfig, { config: edits }: ReplayEdits): NetworkConfig {
  if (edits === undefined || edits.size === 0) {
    return config;
  }
  const edited = writeParameters(new Map([...config.parameters, ...edits]));
  return importNetworkConfig(edited.toBoc().toString('base64'), config.origin);
}
