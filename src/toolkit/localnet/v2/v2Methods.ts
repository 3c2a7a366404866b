import { Address, Cell } from '@ton/core';
import type { Endpoint } from '../../access/endpoint/endpoint';
import { v2Endpoints } from '../../access/v2/v2Endpoints';
import { hashToBase64, upperHex } from '../../address/hash';
import { readTokenContent } from '../../cell/tokenContent';
import { ApiError, parseHash } from '../api/apiError';
import type { WalletFacts } from '../api/readWallet';
import { readWalletData } from '../api/readWallet';
import { accountFacts } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';
import type { MessageRecord } from '../records/records';
import type { TokenIndex } from '../tokens/tokenIndex';
import type { AccountView } from './accounts';
import {
  getAddressBalance,
  getAddressInformation,
  getAddressState,
  getConfigAll,
  getConfigParam,
  getLibraries,
  getShardAccountCell,
  lastTransactionId,
  stateWord,
  viewAccount,
} from './accounts';
import {
  getBlockHeader,
  getBlockTransactions,
  getBlockTransactionsExt,
  getConsensusBlock,
  getMasterchainBlockSignatures,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getShardBlockProof,
  getShards,
  lookupBlock,
} from './blocks';
import { dnsResolve } from './dnsResolve';
import type { V2Answer, V2Name } from './encodeIds';
import { encodeAddress, encodeBlockId, encodeCurrencies } from './encodeIds';
import { encodeV2Transaction } from './encodeV2Transaction';
import type { V2Parameters } from './transactions';
import {
  getTransactions,
  getTransactionsStd,
  sendBoc,
  sendBocReturnHash,
  sendBocReturnHashNoError,
  v2EstimateFee,
} from './transactions';
import { runGetMethodStd, v2RunGetMethod } from './v2RunGetMethod';

type V2Handler<Name extends Described = Described> = (
  chain: LocalChain,
  parameters: V2Parameters,
) => V2Answer<Name> | Promise<V2Answer<Name>>;

type Described = Exclude<V2Name, 'jsonRPC'>;

export interface V2Method {
  endpoint: Endpoint;
  handle: V2Handler;
}

/**
 * Every method by name: those of the access layer's table, which defines verbs and parameters, and the service's
 * aliases. An endpoint without a handler does not compile; JSON-RPC calls them all.
 */
export function v2Methods(tokens: TokenIndex): ReadonlyMap<string, V2Method> {
  const handlers: { readonly [Name in Described]: V2Handler<Name> } = {
    getAddressInformation,
    getExtendedAddressInformation,
    getWalletInformation,
    getAddressBalance,
    getAddressState,
    getTokenData: (_chain, parameters) => getTokenData(tokens, parameters),
    getShardAccountCell,
    dnsResolve,
    getMasterchainInfo,
    getMasterchainBlockSignatures,
    getShardBlockProof,
    getConsensusBlock,
    lookupBlock,
    getShards,
    getBlockHeader,
    getOutMsgQueueSize,
    getBlockTransactions,
    getBlockTransactionsExt,
    getTransactions,
    getTransactionsStd,
    tryLocateTx: locateResult,
    tryLocateResultTx: locateResult,
    tryLocateSourceTx: locateSource,
    detectAddress,
    detectHash,
    packAddress,
    unpackAddress,
    getConfigParam,
    getConfigAll,
    getLibraries,
    runGetMethod: v2RunGetMethod,
    runGetMethodStd,
    sendBoc,
    sendBocReturnHash,
    estimateFee: v2EstimateFee,
  };
  const described = Object.entries(handlers) as [Described, V2Handler][];
  return new Map<string, V2Method>([
    ...described.map(([name, handle]) => [name, { endpoint: v2Endpoints[name], handle }] as const),
    ['shards', { endpoint: v2Endpoints.getShards, handle: getShards }],
    [
      'sendBocReturnHashNoError',
      { endpoint: v2Endpoints.sendBocReturnHash, handle: sendBocReturnHashNoError },
    ],
  ]);
}

/** tryLocateTx, tryLocateResultTx: the transaction that received the message. */
function locateResult(chain: LocalChain, parameters: V2Parameters): V2Answer<'tryLocateResultTx'> {
  return encode(find(chain, parameters)?.consumer);
}

/** tryLocateSourceTx: the transaction that sent it. */
function locateSource(chain: LocalChain, parameters: V2Parameters): V2Answer<'tryLocateSourceTx'> {
  return encode(find(chain, parameters)?.producer);
}

function encode(record: MessageRecord['consumer'] | undefined): V2Answer<'tryLocateTx'> {
  if (record == null) {
    throw new ApiError(404, 'transaction was not found');
  }
  return encodeV2Transaction(record);
}

/** A message's lt is above its sender's transaction's and below the next one's. */
function find({ ledger }: LocalChain, parameters: V2Parameters): MessageRecord | undefined {
  const source = parameters.address('source', 'empty source address');
  const destination = parameters.address('destination', 'empty destination address');
  const createdLt = parameters.bigint('created_lt') ?? parameters.fail('failed to parse created_lt');
  if (createdLt < 0n) {
    throw parameters.invalid('created_lt should be non-negative');
  }
  const transactions = ledger.accounts.get(source)?.transactions ?? [];
  let low = 0;
  let high = transactions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transactions[middle]?.lt ?? 0n) < createdLt) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return transactions[low - 1]?.outMessages.find(
    (message) => message.createdLt === createdLt && message.destination === destination,
  );
}

function detectAddress(_chain: LocalChain, parameters: V2Parameters): V2Answer<'detectAddress'> {
  const raw = parameters.address();
  const text = parameters.text('address') as string;
  const address = Address.parseRaw(raw);
  const friendly = Address.isFriendly(text) ? Address.parseFriendly(text) : undefined;
  const forms = (bounceable: boolean): V2Answer<'detectAddress'>['bounceable'] => ({
    '@type': 'ext.utils.detectedAddressVariant',
    b64: address.toString({ bounceable, urlSafe: false, testOnly: friendly?.isTestOnly ?? false }),
    b64url: address.toString({ bounceable, testOnly: friendly?.isTestOnly ?? false }),
  });
  const given =
    friendly === undefined ? 'raw_form' : `friendly_${friendly.isBounceable ? '' : 'non_'}bounceable`;
  return {
    '@type': 'ext.utils.detectedAddress',
    raw_form: raw,
    bounceable: forms(true),
    non_bounceable: forms(false),
    given_type: given,
    test_only: friendly?.isTestOnly ?? false,
  };
}

function detectHash(_chain: LocalChain, parameters: V2Parameters): V2Answer<'detectHash'> {
  const text = parameters.text('hash');
  if (text === undefined) {
    throw parameters.invalid('empty hash');
  }
  const hex = parseHash(text, true) ?? parameters.fail('failed to parse hash');
  const b64 = hashToBase64(hex);
  const b64url = b64.replaceAll('+', '-').replaceAll('/', '_');
  return { '@type': 'ext.utils.detectedHash', b64, b64url, hex };
}

/** Friendly, bounceable, base64url. */
function packAddress(_chain: LocalChain, parameters: V2Parameters): string {
  return Address.parseRaw(parameters.address()).toString();
}

/** Raw with uppercase hex, as in the service. */
function unpackAddress(_chain: LocalChain, parameters: V2Parameters): string {
  return upperHex(parameters.address());
}

function getWalletInformation(chain: LocalChain, parameters: V2Parameters): V2Answer<'getWalletInformation'> {
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

function getExtendedAddressInformation(
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

/** getTokenData: the contract's self-description. */
async function getTokenData(tokens: TokenIndex, parameters: V2Parameters): Promise<V2Answer<'getTokenData'>> {
  const address = parameters.address();
  const token = await tokens.get(address);
  const own = { address };
  switch (token?.kind) {
    case 'jetton-master':
      return {
        '@type': 'ext.tokens.jettonMasterData',
        ...own,
        contract_type: 'jetton_master',
        total_supply: token.totalSupply,
        mintable: token.mintable,
        ...(token.admin === null ? {} : { admin_address: encodeAddress(token.admin) }),
        jetton_content: encodeContent(token.content),
        jetton_wallet_code: base64(token.walletCode),
      };
    case 'jetton-wallet':
      return {
        '@type': 'ext.tokens.jettonWalletData',
        ...own,
        contract_type: 'jetton_wallet',
        balance: token.balance,
        owner: encodeAddress(token.owner),
        jetton: encodeAddress(token.jetton),
        jetton_wallet_code: base64(token.walletCode),
      };
    case 'nft-collection':
      return {
        '@type': 'ext.tokens.nftCollectionData',
        ...own,
        contract_type: 'nft_collection',
        next_item_index: token.nextItemIndex,
        ...(token.owner === null ? {} : { owner_address: encodeAddress(token.owner) }),
        collection_content: encodeContent(token.content),
      };
    case 'nft-item':
      return {
        '@type': 'ext.tokens.nftItemData',
        ...own,
        contract_type: 'nft_item',
        init: token.init,
        index: token.index,
        ...(token.collection === null ? {} : { collection_address: encodeAddress(token.collection) }),
        ...(token.owner === null ? {} : { owner_address: encodeAddress(token.owner) }),
        content: encodeContent(token.fullContent ?? Cell.EMPTY),
      };
    default:
      throw new ApiError(409, `Smart contract ${parameters.text('address')} is not Jetton or NFT`);
  }
}

function encodeContent(cell: Cell): { type: string; data: unknown } {
  const { layout, attributes } = readTokenContent(cell);
  const data = layout === 'offchain' ? (attributes.uri ?? '') : attributes;
  return { type: layout, data };
}

function base64(cell: Cell): string {
  return cell.toBoc().toString('base64');
}
