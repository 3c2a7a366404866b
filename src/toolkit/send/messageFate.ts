import type { Access, CallOptions } from '../access/createAccess';
import type { Clock } from '../time';
import type { ExternalMessage } from './externalMessage';
import { findMessage } from './findMessage';

/** The network's report on a message that was handed over. */
export type MessageFate =
  /** It is there. */
  | 'seen'
  /** It is not there, and the wallet rejects it from now on. */
  | 'over'
  /** It is not there yet. */
  | 'unseen';

/** A message that was handed over. */
export interface HandedOver extends Pick<ExternalMessage, 'hashNorm' | 'destination'> {
  /** Unix seconds after which the wallet rejects it; undefined if unknown or never. */
  until: number | undefined;
  /** Unix seconds before which it was not handed over. */
  since: number;
}

/**
 * Asks the network once about a message.
 * @throws WorkbenchError if the network cannot tell for certain
 */
export async function messageFate(
  access: Access,
  message: HandedOver,
  { signal, clock }: { signal?: AbortSignal | undefined; clock: Clock },
): Promise<MessageFate> {
  const { since, until } = message;
  // Checked before the lookup: a message missing from blocks made after its expiry never arrives.
  const isOver =
    until !== undefined &&
    clock.now() / 1000 > until &&
    (await networkTime(access, { signal, priority: 'user' })) > until;
  if ((await findMessage(access, message, { signal, since })) !== undefined) {
    return 'seen';
  }
  return isOver ? 'over' : 'unseen';
}

/** Time of the newest block known to the service asked for the message, Unix seconds. */
async function networkTime(access: Access, options: CallOptions): Promise<number> {
  if (access.network.v3 !== undefined) {
    return (await access.v3.masterchainInfo({}, options)).last?.gen_utime ?? 0;
  }
  const { last } = await access.v2.getMasterchainInfo({}, options);
  const { workchain, shard, seqno } = last;
  return (await access.v2.getBlockHeader({ workchain, shard, seqno }, options)).gen_utime ?? 0;
}
