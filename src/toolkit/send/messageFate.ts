import { Cell } from '@ton/core';
import type { Access, CallOptions } from '../access/createAccess';
import { loadAnyTransaction, normalizedHash } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import type { ExternalMessage } from './externalMessage';

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
    (await newestBlockTime(access, { signal, priority: 'user' })) > until;
  if ((await findMessage(access, message, { signal, since })) !== undefined) {
    return 'seen';
  }
  return isOver ? 'over' : 'unseen';
}

/** Time of the newest block known to the service asked for the message, Unix seconds. */
export async function newestBlockTime(access: Access, options: CallOptions): Promise<number> {
  if (access.network.v3 !== undefined) {
    return (await access.v3.masterchainInfo({}, options)).last?.gen_utime ?? 0;
  }
  const { last } = await access.v2.getMasterchainInfo({}, options);
  const { workchain, shard, seqno } = last;
  return (await access.v2.getBlockHeader({ workchain, shard, seqno }, options)).gen_utime ?? 0;
}

/** Where a message was found. `trace` is a pending or complete trace, `transaction` the account's own history. */
type MessagePlace = 'trace' | 'transaction';

/** The destination's newest transactions searched if there is no index. */
const historyDepth = 20;

/**
 * Whether the network knows the message: asks the index for the normalized hash (pending traces first, then complete
 * ones), and compares the newest transactions of the destination. Undefined if it is certain that no block known to
 * these services has it.
 *
 * @param since Unix seconds before which the message was not sent: the history must reach back that far
 * @throws WorkbenchError the last place's error, if none could tell for certain
 */
async function findMessage(
  access: Access,
  message: Pick<ExternalMessage, 'hashNorm' | 'destination'>,
  { signal, since }: { signal?: AbortSignal | undefined; since: number },
): Promise<MessagePlace | undefined> {
  const options = { signal, priority: 'user' } as const;
  const hash = [message.hashNorm];
  /** Each returns where it found the message, `absent` if it would have found it, or `unsure`. */
  const questions: (() => Promise<MessagePlace | 'absent' | 'unsure'>)[] = [];
  if (access.network.v3 !== undefined) {
    questions.push(
      async () =>
        (await access.v3.pendingTraces({ ext_msg_hash: hash }, options)).traces?.length ? 'trace' : 'unsure',
      async () =>
        (await access.v3.traces({ msg_hash: hash, limit: 1 }, options)).traces?.length ? 'trace' : 'absent',
    );
  }
  if (access.network.v2 !== undefined) {
    questions.push(async () => {
      const address = message.destination.toRawString();
      const transactions = await access.v2.getTransactions({ address, limit: historyDepth }, options);
      if (transactions.some(({ data }) => carries(data, message.hashNorm))) {
        return 'transaction';
      }
      const reachesBack =
        transactions.length < historyDepth || transactions.some(({ utime }) => Number(utime) < since);
      return reachesBack ? 'absent' : 'unsure';
    });
  }
  let failure: unknown = new WorkbenchError({
    code: 'message-not-traceable',
    kind: 'service',
    message: "None of this network's APIs can say for certain whether it has the message.",
  });
  let isAbsent = false;
  for (const ask of questions) {
    try {
      const answer = await ask();
      if (answer === 'trace' || answer === 'transaction') {
        return answer;
      }
      isAbsent ||= answer === 'absent';
    } catch (error) {
      failure = error;
    }
  }
  if (!isAbsent) {
    throw failure;
  }
  return undefined;
}

/** Whether the transaction (BoC, base64) was caused by the external message with this normalized hash. */
function carries(transaction: string, hashNorm: string): boolean {
  const { inMessage } = loadAnyTransaction(Cell.fromBase64(transaction));
  return (
    inMessage?.info.type === 'external-in' &&
    normalizedHash({ info: inMessage.info, body: inMessage.body }) === hashNorm
  );
}
