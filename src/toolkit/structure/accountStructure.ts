import { loadAccount } from '@ton/core';
import type { Account, Cell } from '@ton/core';
import type { DecodedBody } from '../opcodes/decodedBody';
import { loadFolded } from '../cell/loadFolded';
import { initFields } from './initFields';
import { isNetworkLt, isNetworkTime, isNetworkWorkchain } from '../cell/networkFacts';
import { field, structure } from './structure';

/**
 * The state of an account (block.tlb: Account, or the ShardAccount around it) as named fields; undefined if the cell
 * does not match either exactly. Their tags are short, so values must also be plausible: the workchain and payment
 * time must be possible.
 */
export function accountStructure(cell: Cell): DecodedBody | undefined {
  try {
    return shardAccount(cell) ?? account(cell);
  } catch {
    return undefined;
  }
}

/** `account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64` */
function shardAccount(cell: Cell): DecodedBody | undefined {
  const [inner] = cell.refs;
  if (cell.bits.length !== 320 || cell.refs.length !== 1 || inner === undefined || inner.isExotic) {
    return undefined;
  }
  // account_none$0
  const isNone = inner.bits.length === 1 && inner.refs.length === 0 && !inner.bits.at(0);
  const state = isNone ? structure('account', [field.text('status', 'nonexist')]) : account(inner);
  const slice = cell.beginParse();
  return state === undefined
    ? undefined
    : structure('shard_account', [
        field.bytes('last_transaction_hash', slice.loadBuffer(32).toString('hex')),
        field.integer('last_transaction_lt', slice.loadUintBig(64)),
        field.body('account', state),
      ]);
}

/** `account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage` */
function account(cell: Cell): DecodedBody | undefined {
  if (!cell.beginParse().loadBit()) {
    return undefined;
  }
  const { loaded, slice } = loadFolded(cell, (slice) => ({ loaded: loadAccount(slice.skip(1)), slice }));
  const isWhole = slice.remainingBits === 0 && slice.remainingRefs === 0;
  const makesSense =
    isNetworkWorkchain(loaded.addr.workChain) &&
    isNetworkTime(loaded.storageStats.lastPaid) &&
    isNetworkLt(loaded.storage.lastTransLt);
  return isWhole && makesSense ? structure('account', accountFields(loaded)) : undefined;
}

function accountFields({ addr, storage, storageStats }: Account): DecodedBody['fields'] {
  const { state, balance } = storage;
  const { lastPaid, duePayment, used } = storageStats;
  return [
    field.address('address', addr),
    field.text('status', state.type),
    field.coins('balance', balance.coins),
    ...field.extraCurrencies(balance.other),
    field.integer('last_transaction_lt', storage.lastTransLt),
    field.integer('storage_cells', used.cells),
    field.integer('storage_bits', used.bits),
    field.integer('storage_paid_until', lastPaid),
    ...(duePayment == null ? [] : [field.coins('storage_debt', duePayment)]),
    ...(state.type === 'active' ? initFields(state.state) : []),
    ...(state.type === 'frozen'
      ? [field.bytes('frozen_hash', state.stateHash.toString(16).padStart(64, '0'))]
      : []),
  ];
}
