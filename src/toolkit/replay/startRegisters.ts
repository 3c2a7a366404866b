import { createHash } from 'node:crypto';
import { Address, beginCell, Cell, Dictionary, loadShardAccount, storeStateInit } from '@ton/core';
import type { Account, Message, TupleItem } from '@ton/core';
import { loadFolded } from '../cell/loadFolded';
import type { NetworkConfig } from '../execution/emulator/networkConfig';
import type { Registers } from '../recording/followRegisters';
import { stackTextAt } from '../recording/recording';
import type { Recording } from '../recording/recording';
import { readVmValues } from '../recording/vmValue';
import type { VmValue } from '../recording/vmValue';
import type { ReplayInputs } from './replayInputs';
import type { Replay } from './runReplay';

/** What the first global begins with (TON's crypto/vm: SmartContractInfo). */
const magic = 0x076ef1ean;
/** Parameters of the configuration that contracts get unpacked, in this order; the first is the storage prices. */
const unpackedParameters = [18, 19, 20, 21, 24, 25, 43];

/**
 * The registers before the first step of a replayed transaction, as the transaction executor sets them. c7 is undefined
 * if the balance that the code sees is not known: the log has lost its beginning, or there are extra currencies.
 */
export function startRegisters(
  inputs: Pick<ReplayInputs, 'account' | 'target'>,
  replay: Replay,
  recording: Recording,
): Registers {
  const { account } = loadFolded(Cell.fromBase64(replay.stateBefore), loadShardAccount);
  const message = replay.replayed.inMessage ?? undefined;
  const init = activeState(account ?? undefined) ?? message?.init;
  const surroundings =
    recording.stepsMissing > 0 || hasExtraCurrencies(account ?? undefined, message)
      ? undefined
      : surroundingsOf(inputs, replay, init?.code, readVmValues(stackTextAt(recording, 0))[0]);
  return {
    c4: init?.data ?? Cell.EMPTY,
    c5: Cell.EMPTY,
    c7: surroundings && [{ type: 'tuple', items: surroundings }],
  };
}

function activeState(account: Account | undefined): { code?: Cell | null; data?: Cell | null } | undefined {
  const state = account?.storage.state;
  return state?.type === 'active' ? state.state : undefined;
}

function hasExtraCurrencies(account: Account | undefined, message: Message | undefined): boolean {
  const value = message?.info.type === 'internal' ? message.info.value.other?.size : 0;
  return (account?.storage.balance.other?.size ?? 0) > 0 || (value ?? 0) > 0;
}

/** The first global: 10 items in version 3 of the rules, 18 since 11. */
function surroundingsOf(
  { account, target }: Pick<ReplayInputs, 'account' | 'target'>,
  { replayed, config }: Replay,
  code: Cell | null | undefined,
  balance: VmValue | undefined,
): VmValue[] | undefined {
  if (balance?.type !== 'int') {
    return undefined;
  }
  const address = Address.parseRaw(account);
  const { description, now, lt, inMessage } = replayed;
  const storage = 'storagePhase' in description ? description.storagePhase : undefined;
  const value = inMessage?.info.type === 'internal' ? inMessage.info.value.coins : 0n;
  const seed = createHash('sha256')
    .update(Buffer.from(target.seed, 'hex'))
    .update(address.hash)
    .digest('hex');
  const items: TupleItem[] = [
    int(magic),
    int(0n),
    int(0n),
    int(BigInt(now)),
    // The engine does not set the logical time of the block.
    int(0n),
    int(lt),
    int(BigInt(`0x${seed}`)),
    tuple(balance, none),
    addressSlice(address),
    { type: 'cell', cell: config.root },
    maybeCell(code),
    tuple(int(value), none),
    int(storage?.storageFeesCollected ?? 0n),
    none,
    tuple(...unpackedConfig(config, now)),
    int(storage?.storageFeesDue ?? 0n),
    none,
    tuple(...messageParameters(inMessage ?? undefined)),
  ];
  const { version } = config;
  return items.slice(0, version >= 11 ? 18 : version >= 6 ? 17 : version >= 4 ? 14 : 10);
}

function unpackedConfig({ parameters }: NetworkConfig, now: number): TupleItem[] {
  return unpackedParameters.map((id) => {
    const cell = parameters.get(id);
    return cell === undefined ? none : { type: 'slice', cell: id === 18 ? storagePrices(cell, now) : cell };
  });
}

/** The entry of parameter 18 that is in force. */
function storagePrices(cell: Cell, now: number): Cell {
  const entries = cell.beginParse().loadDictDirect(Dictionary.Keys.Uint(32), {
    serialize: () => undefined,
    parse: (slice) => slice.asCell(),
  });
  const since = entries.keys().filter((time) => time <= now);
  return entries.get(Math.max(...since)) ?? Cell.EMPTY;
}

function messageParameters(message: Message | undefined): TupleItem[] {
  const init = maybeCell(message?.init && beginCell().store(storeStateInit(message.init)).endCell());
  if (message?.info.type !== 'internal') {
    const [no, zero] = [int(0n), int(0n)];
    return [no, no, addressSlice(undefined), zero, zero, zero, zero, zero, none, init];
  }
  const { bounce, bounced, src, forwardFee, createdLt, createdAt, value } = message.info;
  return [
    int(bounce ? -1n : 0n),
    int(bounced ? -1n : 0n),
    addressSlice(src),
    int(forwardFee),
    int(createdLt),
    int(BigInt(createdAt)),
    int(value.coins),
    int(value.coins),
    none,
    init,
  ];
}

const none: TupleItem = { type: 'null' };

function int(value: bigint): TupleItem {
  return { type: 'int', value };
}

function tuple(...items: TupleItem[]): TupleItem {
  return { type: 'tuple', items };
}

function maybeCell(cell: Cell | null | undefined): TupleItem {
  return cell == null ? none : { type: 'cell', cell };
}

function addressSlice(address: Address | undefined): TupleItem {
  return { type: 'slice', cell: beginCell().storeAddress(address).endCell() };
}
