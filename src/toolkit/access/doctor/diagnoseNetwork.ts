import { Cell } from '@ton/core';
import type { Clock } from '../../base/time';
import type { Access } from '../createAccess';
import { missingKeySentence } from '../errors';
import { v2Variant } from '../prepareRequest';
import { v2Endpoints } from '../v2/v2Endpoints';
import { v3Endpoints } from '../v3/v3Endpoints';
import type { NetworkDiagnosis } from './chainFindings';
import { isStreaming, networkFindings } from './networkFindings';
import type { NetworkReplies, Reply, ReplyState } from './networkQuestions';
import {
  NetworkQuestions,
  batchProbe,
  batchSize,
  configParameter,
  streamingProbe,
  v2Probes,
  v3Probes,
} from './networkQuestions';

const masterchain = { workchain: -1, shard: '8000000000000000' };
/** The contract with the configuration: every network has it from its first block on. */
const configContract = `-1:${'5'.repeat(64)}`;

export interface DiagnosisOptions {
  clock: Clock;
  /** Whether requests carry a key. */
  hasKey: boolean;
  /** Newest version of the TVM that runs here. */
  engineVersion: number;
  signal?: AbortSignal | undefined;
}

/**
 * Asks a network's APIs what they are, by at most 18 requests in 20 s, and says of each thing what it is, why, and
 * what to do. Nothing is sent to the chain. What there was no time for is `not asked`.
 */
export async function diagnoseNetwork(access: Access, options: DiagnosisOptions): Promise<NetworkDiagnosis> {
  const replies = await askAll(access, options);
  const { v2Info, v3Info, streaming, tvmVersion, requests, elapsedMs } = replies;
  const lacks = [
    ...Object.entries(replies.v2Methods).map(([name, reply]) => [`v2 /${name}`, reply] as const),
    ...Object.entries(replies.v3Methods).map(([name, reply]) => [`v3 /${name}`, reply] as const),
  ]
    .filter(([, { state }]) => state === 'lacking')
    .map(([name]) => name);
  return {
    findings: networkFindings(replies),
    ...{ requests, elapsedMs, lacks },
    v2:
      v2Info.state === 'answered'
        ? { implementation: v2Variant(v2Info.apiVersion) ?? null, version: v2Info.apiVersion ?? null }
        : null,
    v3: v3Info.state === 'answered' ? { version: v3Info.apiVersion ?? null } : null,
    streaming: streaming.state === 'not asked' ? null : isStreaming(replies),
    tvmVersion: tvmVersion ?? null,
  };
}

async function askAll(
  access: Access,
  { clock, hasKey, engineVersion, signal }: DiagnosisOptions,
): Promise<NetworkReplies> {
  const questions = new NetworkQuestions(access, clock, signal);
  const { network } = access;
  const { origin } = new URL(network.v2 ?? network.v3 ?? 'http://localhost');
  const v2Info = await questions.ask(v2Endpoints.getMasterchainInfo);
  const askedAt = clock.now();
  const v3Info = await questions.ask(v3Endpoints.masterchainInfo);
  const newest = v2Info.value?.last;
  const header: NetworkReplies['header'] =
    newest === undefined
      ? { state: 'not asked' }
      : await questions.ask(v2Endpoints.getBlockHeader, { ...masterchain, seqno: newest.seqno });
  const shared = await sameBlock(questions, v2Info, v3Info);
  const byConfigId = await questions.ask(configParameter('config_id'), { config_id: 8 });
  const byParam: Reply =
    byConfigId.state === 'taken'
      ? await questions.ask(configParameter('param'), { param: 8 })
      : { state: 'not asked' };
  const v2Methods = {
    sendBoc: await questions.ask(v2Probes.sendBoc),
    runGetMethod: await questions.ask(v2Probes.runGetMethod),
    getShardAccountCell: await questions.ask(v2Probes.getShardAccountCell),
    getConfigAll: await questions.ask(v2Probes.getConfigAll, { seqno: 0 }),
    getLibraries: await questions.ask(v2Probes.getLibraries),
  };
  const v3Methods = {
    traces: await questions.ask(v3Probes.traces, { limit: 1 }),
    pendingTraces: await questions.ask(v3Probes.pendingTraces),
  };
  const streaming = await questions.ask(streamingProbe);
  const batch = await questions.ask(batchProbe, { address: addresses(batchSize) });
  const old = newest === undefined ? [] : await oldBlocks(questions, newest.seqno);
  const oldest = old.find(({ state }) => state === 'answered');
  const oldState =
    oldest === undefined
      ? undefined
      : {
          seqno: oldest.seqno,
          reply: await questions.ask(v2Endpoints.getAddressState, {
            address: configContract,
            seqno: oldest.seqno,
          }),
        };
  return {
    hasV2: network.v2 !== undefined,
    hasV3: network.v3 !== undefined,
    kind: network.kind,
    engineVersion,
    ...{
      hasKey,
      v2Info,
      v3Info,
      header,
      shared,
      byConfigId,
      byParam,
      v2Methods,
      v3Methods,
      streaming,
      batch,
    },
    tvmVersion: versionIn(byConfigId) ?? versionIn(byParam),
    blocks: old,
    ...{ oldState, askedAt },
    missingKey: {
      refused: missingKeySentence({ origin, hasKey }, 'refused'),
      overloaded: missingKeySentence({ origin, hasKey }, 'overloaded'),
    },
    throttling: questions.throttling,
    slow: questions.slow,
    requests: questions.requests,
    elapsedMs: questions.elapsedMs,
  };
}

/** The newest masterchain block that both APIs should have, as each of them tells it. */
async function sameBlock(
  questions: NetworkQuestions,
  v2Info: NetworkReplies['v2Info'],
  v3Info: NetworkReplies['v3Info'],
): Promise<NetworkReplies['shared']> {
  const [byV2, byV3] = [v2Info.value?.last, v3Info.value?.last];
  if (byV2 === undefined || byV3?.seqno == null) {
    return undefined;
  }
  const seqno = Math.min(byV2.seqno, byV3.seqno);
  const v2Hash =
    seqno === byV2.seqno
      ? byV2.root_hash
      : (await questions.ask(v2Endpoints.lookupBlock, { ...masterchain, seqno })).value?.root_hash;
  const v3Hash =
    seqno === byV3.seqno
      ? byV3.root_hash
      : (await questions.ask(v3Endpoints.blocks, { ...masterchain, seqno, limit: 1 })).value?.blocks?.[0]
          ?.root_hash;
  return { seqno, v2: v2Hash, v3: v3Hash ?? undefined };
}

/** Asks for the first block, and if it is gone for newer ones, until one is there. */
async function oldBlocks(questions: NetworkQuestions, newest: number): Promise<NetworkReplies['blocks']> {
  const tried: { seqno: number; state: ReplyState; isGone: boolean }[] = [];
  const places = [1, Math.round(newest / 2), newest - 1_000_000, newest - 10_000];
  for (const seqno of [...new Set(places.filter((place) => place >= 1))].sort((one, other) => one - other)) {
    const { state, error } = await questions.ask(v2Endpoints.lookupBlock, { ...masterchain, seqno });
    if (state === 'not asked') {
      break;
    }
    tried.push({ seqno, state, isGone: error !== undefined });
    if (state === 'answered') {
      break;
    }
  }
  return tried;
}

/** `capabilities#c4 version:uint32 capabilities:uint64` of block.tlb. */
function versionIn({ value }: Reply): number | undefined {
  const bytes = (value as { config?: { bytes?: string } } | undefined)?.config?.bytes;
  try {
    const slice = bytes === undefined ? undefined : Cell.fromBase64(bytes).beginParse();
    return slice?.loadUint(8) === 0xc4 ? slice.loadUint(32) : undefined;
  } catch {
    return undefined;
  }
}

/** Addresses that need not exist. */
function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `0:${index.toString(16).padStart(64, '0')}`);
}
