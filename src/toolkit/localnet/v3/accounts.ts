import type { Exact } from '../../api/openObject';
import type { V3Answer } from './v3Answer';
import type { V3AccountStateFull } from '../../api/v3Accounts';
import { ApiError } from '../api/apiError';
import { codeBoc, dataBoc } from '../chain/executeGetMethod';
import type { AccountRecord } from '../records/records';
import { stateSourceField } from '../api/stateSource';
import { books, interfacesOf } from './books';
import type { V3Context } from './context';
import type { Query } from './query';

const zeroHash = '00'.repeat(32);

/** GET /accountStates. Unknown accounts are omitted. Every error is a 422. */
export async function accountStates(context: V3Context, query: Query): Promise<V3Answer<'accountStates'>> {
  const addresses = query.addresses('address');
  if (addresses.length === 0) {
    throw new ApiError(422, 'address of account is required');
  }
  if (addresses.length > 1000) {
    throw new ApiError(422, 'maximum 1000 addresses allowed');
  }
  const withBocs = query.flag('include_boc', true);
  await context.tokens.refresh();
  const accounts = [...new Set(addresses)]
    .map((address) => context.chain.ledger.accounts.get(address))
    .filter((account) => account !== undefined)
    .map((account) => encodeAccount(context, account, withBocs));
  return { accounts, ...(await books(context, query, accounts)) };
}

function encodeAccount(
  context: V3Context,
  account: AccountRecord,
  withBocs: boolean,
): Exact<V3AccountStateFull> {
  const { facts } = account;
  const codeHash = account.versions.at(-1)?.codeHash ?? null;
  return {
    address: account.address,
    account_state_hash: facts.account.hexHash,
    balance: facts.balance,
    extra_currencies: { ...facts.extraCurrencies },
    status: facts.status,
    ...(facts.frozenHash === null ? {} : { frozen_hash: facts.frozenHash }),
    last_transaction_hash: facts.lastTransactionHash,
    last_transaction_lt: facts.lastTransactionLt,
    ...(facts.data === null ? {} : { data_hash: facts.data.hexHash }),
    ...(codeHash === null ? {} : { code_hash: codeHash }),
    ...(withBocs && facts.data !== null ? { data_boc: dataBoc(account) } : {}),
    ...(withBocs && facts.code !== null ? { code_boc: codeBoc(account, facts.code) } : {}),
    contract_methods: context.tokens.methodsOf(account),
    interfaces: interfacesOf(context, account),
    ...stateSourceField(context.chain, account.address),
  };
}

/** GET /addressInformation. */
export function addressInformation({ chain }: V3Context, query: Query): V3Answer<'addressInformation'> {
  const address = query.address('address');
  if (address === undefined) {
    throw new ApiError(401, 'address of account is required');
  }
  const account = chain.ledger.accounts.get(address);
  const status = account?.facts.status ?? 'nonexist';
  const word = status === 'nonexist' ? 'uninit' : status;
  const facts = account?.facts;
  return {
    balance: facts?.balance ?? 0n,
    code: account === undefined || facts?.code == null ? null : codeBoc(account, facts.code),
    data: account === undefined || facts?.data == null ? null : dataBoc(account),
    last_transaction_lt: facts?.lastTransactionLt ?? 0n,
    last_transaction_hash: facts?.lastTransactionHash ?? zeroHash,
    frozen_hash: facts?.frozenHash ?? null,
    status: query.flag('use_v2', true) && word === 'uninit' ? 'uninitialized' : word,
  };
}
