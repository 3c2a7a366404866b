import { toWorkbenchError } from '../errors';
import type { WorkbenchError } from '../errors';
import type { Clock } from '../time';
import { systemClock } from '../time';
import type { Access, CallOptions } from './createAccess';
import type { Network } from './network';
import { identityOf } from './networkIdentity';
import type { NetworkIdentity } from './networkIdentity';
import { v2Endpoints } from './v2/v2Endpoints';
import { v3Endpoints } from './v3/v3Endpoints';

/** An API's answer to a request for the newest block. */
export interface ApiProbe {
  api: 'v2' | 'v3';
  url: string;
  /** Such as `2.1.11`, if the service reports it. */
  version?: string | undefined;
  /** Of the newest masterchain block. */
  seqno?: number | undefined;
  elapsedMs: number;
  /** Why it did not answer. */
  error?: WorkbenchError | undefined;
}

/** A network, and its APIs' answers. */
export interface NetworkProbe {
  network: Network;
  apis: ApiProbe[];
  /** Which network it is, by its own answer; undefined if no API says so. */
  identity: NetworkIdentity | undefined;
  /** Global id in the newest masterchain block (v3, else v2), if an API reports it. */
  globalId: number | undefined;
}

/** Asks each API of a network for its newest block: availability, version, and which network it is. */
export async function probeNetwork(
  access: Access,
  options: CallOptions = {},
  clock: Clock = systemClock,
): Promise<NetworkProbe> {
  const { network } = access;
  let byZeroState: NetworkIdentity | undefined;
  let globalIdByV2: (() => Promise<number | undefined>) | undefined;
  let globalId: number | undefined;
  const probe = async (
    api: 'v2' | 'v3',
    url: string,
    ask: () => Promise<Pick<ApiProbe, 'version' | 'seqno'>>,
  ): Promise<ApiProbe> => {
    const start = clock.monotonic();
    const took = (): number => clock.monotonic() - start;
    try {
      return { api, url, ...(await ask()), elapsedMs: took() };
    } catch (error) {
      return { api, url, elapsedMs: took(), error: toWorkbenchError(error) };
    }
  };
  const { v2, v3 } = network;
  const apis = await Promise.all([
    ...(v2 === undefined
      ? []
      : [
          probe('v2', v2, async () => {
            const { value, apiVersion } = await access.call(v2Endpoints.getMasterchainInfo, {}, options);
            byZeroState = identityOf({ zeroState: value.init.root_hash });
            const { workchain, shard, seqno } = value.last;
            globalIdByV2 = () =>
              access.call(v2Endpoints.getBlockHeader, { workchain, shard, seqno }, options).then(
                (header) => header.value.global_id,
                () => undefined,
              );
            return { version: apiVersion, seqno };
          }),
        ]),
    ...(v3 === undefined
      ? []
      : [
          probe('v3', v3, async () => {
            const { value, apiVersion } = await access.call(v3Endpoints.masterchainInfo, {}, options);
            const { last } = value;
            globalId = last?.global_id ?? undefined;
            return { version: apiVersion, seqno: last?.seqno ?? undefined };
          }),
        ]),
  ]);
  const identity = byZeroState ?? identityOf({ globalId });
  globalId ??= await globalIdByV2?.();
  // Local networks may have the main network's global id, but never its zero state.
  return { network, apis, identity, globalId };
}
