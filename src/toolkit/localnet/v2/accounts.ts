import type { TypedTransactionId, V2Answer } from './v2Answer';
import { ApiError } from '../api/apiError';
import { writeLightCell } from '../../cell/light/writeLightCell';
import { accountFacts } from '../chain/accountSummary';
import type { LocalChain } from '../chain/localChain';
import type { AccountFacts } from '../../cell/light/readAccount';
import { codeBoc, dataBoc } from '../chain/executeGetMethod';
import type { BlockRecord } from '../records/records';
import { stateSourceField } from '../api/stateSource';
import { encodeBlockId, encodeCurrencies, encodeTransactionId, zeroHash } from './encodeIds';
import type { V2Parameters } from './v2Parameters';

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
    ...stateSourceField(chain, parameters.address()),
  };
}

export function getAddressBalance(chain: LocalChain, parameters: V2Parameters): bigint {
  return viewAccount(chain, parameters).facts?.balance ?? 0n;
}

export function getAddressState(chain: LocalChain, parameters: V2Parameters): StateWord {
  return stateWord(viewAccount(chain, parameters).facts);
}
