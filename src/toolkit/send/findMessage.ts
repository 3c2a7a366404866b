import { Cell } from '@ton/core';
import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import type { Access } from '../access/createAccess';
import { WorkbenchError } from '../errors';
import { normalizedHash } from './externalMessage';
import type { ExternalMessage } from './externalMessage';

/** Where a message was seen. `trace` is a trace under way or done, `transaction` the account's own history. */
export type MessagePlace = 'trace' | 'transaction';

/** The newest transactions of the destination that are looked through where there is no index. */
const historyDepth = 20;

/**
 * Whether the network knows the message: asks the index for the normalised hash (traces under way first, then done), and
 * without an index compares the newest transactions of the destination. Undefined when nobody has seen it yet; a place
 * that cannot be asked counts as not having seen it, unless none can.
 */
export async function findMessage(
  access: Access,
  message: ExternalMessage,
  signal?: AbortSignal,
): Promise<MessagePlace | undefined> {
  const options = { signal, priority: 'user' } as const;
  const hash = [message.hashNorm];
  const questions: (() => Promise<MessagePlace | undefined>)[] = [];
  if (access.network.v3 !== undefined) {
    questions.push(
      async () =>
        (await access.v3.pendingTraces({ ext_msg_hash: hash }, options)).traces?.length ? 'trace' : undefined,
      async () =>
        (await access.v3.traces({ msg_hash: hash, limit: 1 }, options)).traces?.length ? 'trace' : undefined,
    );
  }
  if (access.network.v2 !== undefined) {
    questions.push(async () => {
      const address = message.destination.toRawString();
      const transactions = await access.v2.getTransactions({ address, limit: historyDepth }, options);
      return transactions.some(({ data }) => carries(data, message.hashNorm)) ? 'transaction' : undefined;
    });
  }
  let failure: unknown;
  let answered = false;
  for (const ask of questions) {
    try {
      const place = await ask();
      answered = true;
      if (place !== undefined) {
        return place;
      }
    } catch (error) {
      failure = error;
      answered ||= WorkbenchError.is(error, 'not-found');
    }
  }
  if (!answered) {
    throw failure;
  }
  return undefined;
}

/** Whether the transaction (BoC, base64) was caused by the external message with this normalised hash. */
function carries(transaction: string, hashNorm: string): boolean {
  const { inMessage } = loadAnyTransaction(Cell.fromBase64(transaction));
  return inMessage?.info.type === 'external-in' && normalizedHash(inMessage).toString('hex') === hashNorm;
}
