import type { LocalChain } from '../chain/localChain';
import type { TokenIndex } from '../tokens/tokenIndex';
import { getAddressBalance, getAddressInformation, getAddressState } from './accounts';
import {
  getBlockHeader,
  getBlockTransactions,
  getBlockTransactionsExt,
  getConsensusBlock,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getShards,
  lookupBlock,
  notSigned,
} from './blocks';
import { getConfigAll, getConfigParam, getLibraries, getShardAccountCell } from './config';
import { locateResult, locateSource } from './locate';
import type { V2Parameters } from './parameters';
import { runGetMethod, runGetMethodStd } from './runGetMethod';
import { estimateFee, sendBoc, sendBocReturnHash, sendBocReturnHashNoError } from './send';
import { getTokenData } from './tokenData';
import { getTransactions, getTransactionsStd } from './transactions';
import { detectAddress, detectHash, packAddress, unpackAddress } from './utilities';
import { getExtendedAddressInformation, getWalletInformation } from './wallets';

export type V2Handler = (chain: LocalChain, parameters: V2Parameters) => unknown;

/** The methods that only POST (and JSON-RPC) may call. */
export const postOnly: ReadonlySet<string> = new Set([
  'runGetMethod',
  'runGetMethodStd',
  'sendBoc',
  'sendBocReturnHash',
  'sendBocReturnHashNoError',
  'estimateFee',
  'jsonRPC',
]);

/** Every method by its name. */
export function v2Methods(tokens: TokenIndex): ReadonlyMap<string, V2Handler> {
  const methods: Record<string, V2Handler> = {
    getAddressInformation,
    getExtendedAddressInformation,
    getWalletInformation,
    getAddressBalance,
    getAddressState,
    getTokenData: (_chain, parameters) => getTokenData(tokens, parameters),
    getShardAccountCell,
    getMasterchainInfo,
    getMasterchainBlockSignatures: notSigned,
    getShardBlockProof: notSigned,
    getConsensusBlock,
    lookupBlock,
    getShards,
    shards: getShards,
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
    runGetMethod,
    runGetMethodStd,
    sendBoc,
    sendBocReturnHash,
    sendBocReturnHashNoError,
    estimateFee,
  };
  return new Map(Object.entries(methods));
}
