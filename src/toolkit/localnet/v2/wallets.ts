import type { V2Answer } from './v2Answer';
import type { LocalChain } from '../chain/localChain';
import { accountFacts } from '../chain/accountSummary';
import { readWalletData } from '../api/readWallet';
import type { WalletFacts } from '../api/readWallet';
import type { AccountView } from './accounts';
import { lastTransactionId, stateWord, viewAccount } from './accounts';
import { encodeAddress, encodeBlockId, encodeCurrencies } from './encodeIds';
import type { V2Parameters } from './v2Parameters';

export function getWalletInformation(
  chain: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getWalletInformation'> {
  const view = viewAccount(chain, parameters);
  const wallet = walletOf(chain, parameters, view);
  return {
    '@type': 'ext.accounts.walletInformation',
    wallet: wallet !== null,
    balance: view.facts?.balance ?? 0n,
    account_state: stateWord(view.facts),
    last_transaction_id: lastTransactionId(view.facts),
    ...(wallet === null ? {} : { wallet_type: wallet.type, seqno: wallet.seqno }),
    ...(wallet?.walletId === undefined ? {} : { wallet_id: wallet.walletId }),
    ...(wallet?.isSignatureAllowed === undefined ? {} : { is_signature_allowed: wallet.isSignatureAllowed }),
  };
}

export function getExtendedAddressInformation(
  chain: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getExtendedAddressInformation'> {
  const address = parameters.address();
  const view = viewAccount(chain, parameters);
  const { facts, block } = view;
  return {
    '@type': 'fullAccountState',
    address: { '@type': 'accountAddress', account_address: encodeAddress(address) },
    balance: facts?.balance ?? 0n,
    extra_currencies: encodeCurrencies(facts?.extraCurrencies ?? {}),
    last_transaction_id: lastTransactionId(facts),
    block_id: encodeBlockId(block, -1),
    sync_utime: block.genUtime,
    account_state: encodeState(view, walletOf(chain, parameters, view)),
    revision: 0,
  };
}

function encodeState(
  { facts, code, data }: AccountView,
  wallet: WalletFacts | null,
): V2Answer<'getExtendedAddressInformation'>['account_state'] {
  if (facts === undefined || facts.status === 'nonexist' || facts.status === 'uninit') {
    return { '@type': 'uninited.accountState', frozen_hash: facts?.frozenHash ?? '' };
  }
  const known = /^wallet v([34]) /.exec(wallet?.type ?? '');
  if (wallet !== null && known !== null) {
    const type = `wallet.v${known[1]}.accountState`;
    const walletId = wallet.walletId === undefined ? undefined : BigInt(wallet.walletId);
    return { '@type': type, wallet_id: walletId, seqno: wallet.seqno };
  }
  return { '@type': 'raw.accountState', code, data, frozen_hash: facts.frozenHash ?? '' };
}

function walletOf({ ledger }: LocalChain, parameters: V2Parameters, view: AccountView): WalletFacts | null {
  const version = ledger.versionAt(parameters.address(), view.block.seqno);
  return version === undefined || view.facts === undefined
    ? null
    : readWalletData(accountFacts(ledger, version), version.codeHash);
}
