import type { Endpoint } from '../../access/endpoint/endpoint';
import { v2Endpoints } from '../../access/v2/v2Endpoints';
import type { LocalChain } from '../chain/localChain';
import type { TokenIndex } from '../tokens/tokenIndex';
import { getAddressBalance, getAddressInformation, getAddressState } from './accounts';
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
import { getConfigAll, getConfigParam, getLibraries, getShardAccountCell } from './config';
import { dnsResolve } from './dnsResolve';
import { locateResult, locateSource } from './locate';
import type { V2Parameters } from './v2Parameters';
import { v2RunGetMethod, runGetMethodStd } from './v2RunGetMethod';
import { v2EstimateFee, sendBoc, sendBocReturnHash, sendBocReturnHashNoError } from './send';
import { getTokenData } from './getTokenData';
import { getTransactions, getTransactionsStd } from './transactions';
import type { V2Answer, V2Name } from './v2Answer';
import { detectAddress, detectHash, packAddress, unpackAddress } from './utilities';
import { getExtendedAddressInformation, getWalletInformation } from './wallets';

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
