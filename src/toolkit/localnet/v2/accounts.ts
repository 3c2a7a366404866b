import { Cell, Dictionary, beginCell } from '@ton/core';
import { writeLightCell } from '../../cell/light/lightCell';
import type { AccountFacts } from '../../cell/light/readMessage';
import { rawAddress } from '../../cell/light/readMessage';
import { loadFolded } from '../../cell/loadFolded';
import { ApiError, parseHash, stateSourceField } from '../api/apiError';
import { codeBoc, dataBoc } from '../chain/executeGetMethod';
import { wholeAccount } from '../chain/history';
import { accountFacts } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';
import type { BlockRecord } from '../records/records';
import type { TypedTransactionId, V2Answer } from './encodeIds';
import { encodeBlockId, encodeCurrencies, encodeTransactionId, zeroHash } from './encodeIds';
import type { V2Parameters } from './transactions';

/** An account at a block, ready to be encoded. */
export interface AccountView {
  facts: AccountFacts | undefined;
  /** BoCs, base64; empty if there are none. */
  code: string;
  data: string;
  block: BlockRecord;
}

/** The account in the parameters, now or at the masterchain block `seqno`. */
export function viewAccount(
  chain: LocalChain,
  parameters: V2Parameters,
  address = parameters.address(),
): AccountView {
  const seqno = parameters.seqno();
  const { ledger } = chain;
  if (seqno === undefined || seqno === ledger.last.seqno) {
    const account = ledger.accounts.get(address);
    const facts = account?.facts;
    return {
      facts,
      code: account === undefined || facts?.code == null ? '' : codeBoc(account, facts.code),
      data: account === undefined || facts?.data == null ? '' : dataBoc(account),
      block: ledger.last,
    };
  }
  const block = ledger.block(seqno) ?? notReady();
  const version = ledger.versionAt(address, seqno);
  const facts = version === undefined ? undefined : accountFacts(ledger, version);
  const boc = (cell: AccountFacts['code'] | undefined): string =>
    cell == null ? '' : writeLightCell(cell).toString('base64');
  return { facts, code: boc(facts?.code), data: boc(facts?.data), block };
}

/** The service's answer for a missing block. */
export function notReady(): never {
  throw new ApiError(500, 'LITE_SERVER_NOTREADY: seqno not in db');
}

export type StateWord = 'uninitialized' | 'active' | 'frozen';

export function stateWord(facts: AccountFacts | undefined): StateWord {
  return facts?.status === 'active' || facts?.status === 'frozen' ? facts.status : 'uninitialized';
}

export function lastTransactionId(facts: AccountFacts | undefined): TypedTransactionId {
  return encodeTransactionId(facts?.lastTransactionLt ?? 0n, facts?.lastTransactionHash ?? zeroHash);
}

export function getAddressInformation(
  chain: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getAddressInformation'> {
  const { facts, code, data, block } = viewAccount(chain, parameters);
  return {
    '@type': 'raw.fullAccountState',
    balance: facts?.balance ?? 0n,
    extra_currencies: encodeCurrencies(facts?.extraCurrencies ?? {}),
    last_transaction_id: lastTransactionId(facts),
    block_id: encodeBlockId(block, -1),
    code,
    data,
    frozen_hash: facts?.frozenHash ?? '',
    sync_utime: block.genUtime,
    state: stateWord(facts),
    suspended: isSuspended(chain, parameters.address(), block.genUtime),
    ...stateSourceField(chain, parameters.address()),
  };
}

/** Accounts that may not be used before a time, in Unix seconds. */
interface SuspendedAccounts {
  addresses: ReadonlySet<string>;
  until: number;
}

/** By parameter 44, which is large and hardly ever another one. */
const suspended = new WeakMap<Cell, SuspendedAccounts>();

/** Whether governance suspends the account at a time: parameter 44 of the configuration. */
function isSuspended({ config }: LocalChain, address: string, at: number): boolean {
  const cell = config.parameters.get(44);
  if (cell === undefined) {
    return false;
  }
  const known = suspended.get(cell) ?? readSuspended(cell);
  suspended.set(cell, known);
  return at < known.until && known.addresses.has(address);
}

/** `suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32`, block.tlb. */
function readSuspended(cell: Cell): SuspendedAccounts {
  return loadFolded(cell, (slice) => {
    const addresses = slice
      .skip(8)
      .loadDict(Dictionary.Keys.Buffer(36), { serialize: () => undefined, parse: () => true });
    return {
      addresses: new Set([...addresses.keys()].map((key) => rawAddress(key.readInt32BE(), key.subarray(4)))),
      until: slice.loadUint(32),
    };
  });
}

export function getAddressBalance(chain: LocalChain, parameters: V2Parameters): bigint {
  return viewAccount(chain, parameters).facts?.balance ?? 0n;
}

export function getAddressState(chain: LocalChain, parameters: V2Parameters): StateWord {
  return stateWord(viewAccount(chain, parameters).facts);
}

export function getConfigParam(chain: LocalChain, parameters: V2Parameters): V2Answer<'getConfigParam'> {
  const [older, newer] = [parameters.integer('config_id'), parameters.integer('param')];
  // In a query, the older name wins; in a body, there must be just one.
  const hasBoth = older !== undefined && newer !== undefined && parameters.source === 'post';
  const id = older ?? newer;
  if (id === undefined || hasBoth) {
    throw parameters.invalid('only one of config_id or param should be specified');
  }
  if (id < 0) {
    throw parameters.invalid('param should be non-negative');
  }
  checkSeqno(chain, parameters);
  const cell = chain.config.parameters.get(id);
  if (cell === undefined) {
    throw new ApiError(500, `LITE_SERVER_UNKNOWN: configuration parameter ${id} is absent`);
  }
  return configInfo(cell);
}

export function getConfigAll(chain: LocalChain, parameters: V2Parameters): V2Answer<'getConfigAll'> {
  checkSeqno(chain, parameters);
  return configInfo(chain.config.root);
}

function checkSeqno({ ledger }: LocalChain, parameters: V2Parameters): void {
  const seqno = parameters.seqno();
  if (seqno !== undefined && ledger.block(seqno) === undefined) {
    notReady();
  }
}

function configInfo(cell: Cell): V2Answer<'getConfigAll'> {
  return { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: cell.toBoc().toString('base64') } };
}

export function getLibraries({ libraries }: LocalChain, parameters: V2Parameters): V2Answer<'getLibraries'> {
  const value = parameters.values.libraries;
  const wanted = (
    Array.isArray(value) ? (value as unknown[]) : typeof value === 'string' ? value.split(',') : []
  ).map((text) => parseHash(String(text), true) ?? parameters.fail('failed to parse libraries'));
  const known =
    libraries === null
      ? Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
      : Cell.fromBase64(libraries)
          .beginParse()
          .loadDictDirect(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const result = wanted.flatMap((hash) => {
    const cell = known.get(BigInt(`0x${hash}`));
    return cell === undefined
      ? []
      : [{ '@type': 'smc.libraryEntry', hash, data: cell.toBoc().toString('base64') }];
  });
  return { '@type': 'smc.libraryResult', result };
}

/** The ShardAccount as a cell, now or at the masterchain block `seqno`; an empty cell for an unused account. */
export function getShardAccountCell(
  { ledger }: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getShardAccountCell'> {
  const address = parameters.address();
  const seqno = parameters.seqno();
  if (seqno !== undefined && ledger.block(seqno) === undefined) {
    notReady();
  }
  const version = ledger.versionAt(address, seqno ?? ledger.last.seqno);
  const bytes = (
    version === undefined ? beginCell().endCell().toBoc() : wholeAccount(ledger, version)
  ).toString('base64');
  return { '@type': 'tvm.cell', bytes };
}
