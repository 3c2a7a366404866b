import { Cell, getMethodId, loadShardAccount, serializeTuple } from '@ton/core';
import type { Access } from '../access/createAccess';
import { createAccountSource } from '../accounts/createAccountSource';
import { LibraryShelf } from '../accounts/libraryShelf';
import { parseAddressInput } from '../address/parseAddressInput';
import { loadFolded } from '../cell/loadFolded';
import { defaultNetworkConfig } from '../execution/emulator/networkConfig';
import type { GetMethodRun } from '../execution/emulator/recordGetMethod';
import { WorkbenchError } from '../base/errors';
import { encodeRun } from '../execution/encodeRun';
import type { GetMethodCall } from '../getMethods/runGetMethod';
import { tupleItems } from '../stack/encodeV3Stack';
import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';
import { replayImpossibleError } from './replayErrors';
import type { ReplayReport } from './replayReport';

/** Everything that the answer of a get-method depends on: enough to run it again without a network. */
export interface GetMethodInputs extends GetMethodRun {
  /** Name of the network, for people. */
  network: string;
  /** A name, or a method id in decimal. */
  method: string;
  /** Hash of the code cell, lowercase hex. */
  codeHash: string;
  /** The masterchain block at whose end the state was read. */
  seqno: number;
}

/** How the inputs of a get-method are gathered. */
export interface GatherGetMethodOptions {
  /** The masterchain block at which it ran; default: the newest. If its states are gone, the newest is used, too. */
  seqno?: number | undefined;
  /** Looks up the id that the source of a code gives the method, if that is not the one of its name. */
  ownId?: ((codeHash: string) => Promise<number | undefined>) | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Gathers what a get-method runs on. It has the time of the block, because a service does not say which time it used.
 *
 * @throws WorkbenchError `replay-impossible` (input) for an account without code, `stack-value-not-carried` (input), and
 *   the errors of the access layer
 */
export async function gatherGetMethod(
  access: Access,
  call: GetMethodCall,
  { seqno, ownId, signal }: GatherGetMethodOptions = {},
): Promise<GetMethodInputs> {
  const { method, methodId } = call;
  const address = parseAddressInput(call.address).toRawString();
  const stack = serializeTuple(tupleItems(call.stack)).toBoc().toString('base64');
  try {
    const source = await createAccountSource({ access, seqno, signal });
    const [{ shardAccount }, config] = await Promise.all([
      source.account(address, signal),
      source.config(signal),
    ]);
    const { account } = loadFolded(Cell.fromBase64(shardAccount), loadShardAccount);
    const state = account?.storage.state;
    const code = state?.type === 'active' ? state.state.code : undefined;
    if (state?.type !== 'active' || code == null) {
      throw replayImpossibleError(`${address} has no code on ${source.origin}, so it has no get-methods.`);
    }
    const codeHash = code.hash().toString('hex');
    const libraries = new LibraryShelf(source);
    await libraries.fetchFor([shardAccount], signal);
    return {
      ...{ network: source.origin, seqno: source.seqno, now: source.genUtime, address, method, stack },
      methodId:
        methodId ??
        (await ownId?.(codeHash)) ??
        (/^\d+$/.test(method) ? Number(method) : getMethodId(method)),
      config: config ?? defaultNetworkConfig().getMethodBase64,
      libraries: libraries.dictionary(),
      code: code.toBoc().toString('base64'),
      codeHash,
      data: (state.state.data ?? Cell.EMPTY).toBoc().toString('base64'),
      balance: account?.storage.balance.coins ?? 0n,
    };
  } catch (error) {
    if (seqno !== undefined && WorkbenchError.is(error, 'archive-unavailable')) {
      return gatherGetMethod(access, call, { ownId, signal });
    }
    throw error;
  }
}

/** A replayed transaction as a trace of its own, emulated and in no block: what it sent has gone nowhere. */
export function replayedTrace({ replay, inputs }: Pick<ReplayReport, 'replay' | 'inputs'>): TraceModel {
  const { outcome, stateBefore } = replay;
  const address = inputs.account;
  const executed = {
    address,
    boc: Buffer.from(outcome.transaction, 'base64'),
    shardAccount: Buffer.from(outcome.shardAccount, 'base64'),
    debugOutput: outcome.debugOutput,
  };
  return buildTrace(encodeRun([executed], new Map([[address, stateBefore]])));
}
