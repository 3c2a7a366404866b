import type { Access, CallOptions } from '../access/createAccess';
import type { Clock } from '../time';
import type { ExternalMessage } from './externalMessage';
import { findMessage } from './findMessage';

/** What the network says of a message that was handed over. */
export type MessageFate =
  /** It is there. */
  | 'seen'
  /** It is not, and the wallet refuses it from now on. */
  | 'over'
  /** It is not there yet. */
  | 'unseen';

/** A message that was handed over. */
export interface HandedOver extends Pick<ExternalMessage, 'hashNorm' | 'destination'> {
  /** Unix seconds after which the wallet refuses it; undefined when it does not say or never does. */
  until: number | undefined;
  /** Unix seconds before which it was not handed over. */
  since: number;
}

/**
 * Asks the network once what became of a message.
 * @throws WorkbenchError when the network cannot tell for certain
 */
export async function messageFate(
  access: Access,
  message: HandedOver,
  { signal, clock }: { signal?: AbortSignal | undefined; clock: Clock },
): Promise<MessageFate> {
  const { since, until } = message;
  // Judged before the look: what is in no block made after its time never will be.
  const isOver =
    until !== undefined &&
    clock.now() / 1000 > until &&
    (await networkTime(access, { signal, priority: 'user' })) > until;
  if ((await findMessage(access, message, { signal, since })) !== undefined) {
    return 'seen';
  }
  return isOver ? 'over' : 'unseen';
}

/** Time of the newest block that the service which is asked for the message knows, Unix seconds. */
async function networkTime(access: Access, options: CallOptions): Promise<number> {
  if (access.network.v3 !== undefined) {
    return (await access.v3.masterchainInfo({}, options)).last?.gen_utime ?? 0;
  }
  const { last } = await access.v2.getMasterchainInfo({}, options);
  const { workchain, shard, seqno } = last;
  return (await access.v2.getBlockHeader({ workchain, shard, seqno }, options)).gen_utime ?? 0;
}
