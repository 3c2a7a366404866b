import { Cell } from '@ton/core';
import type { Access, CallOptions } from '../access/createAccess';
import type { V3Message } from '../api/v3Objects';
import { loadAnyTransaction } from '../cell/loadFolded';
import type { LeftMessage, MessageRequest } from './messageRequest';
import { bodyHash, isRequestedMessage, leftMessage } from './messageRequest';

/** A message on the chain that is what was asked for. */
export interface RequestedArrival {
  /** The receiver's transaction, lowercase hex. */
  transaction: string;
  /** Logical time of that transaction. */
  lt: bigint;
  /** Unix seconds. */
  at: number;
  /** The wallet that sent it, raw; undefined if the service does not say. */
  source: string | undefined;
}

/** How many of the receiver's newest transactions are looked through. */
const searched = 100;
/** Without an index. */
const searchedByV2 = 20;

/**
 * The receiver's transactions that were caused by exactly this message: destination, amount, body, and state init. The
 * oldest comes first. A link gives no answer, so this is how its outcome is known.
 *
 * @param after only transactions with a greater logical time
 * @throws WorkbenchError the network's errors
 */
export async function findRequested(
  access: Access,
  request: MessageRequest,
  { after, ...call }: CallOptions & { after: bigint },
): Promise<RequestedArrival[]> {
  const found =
    access.network.v3 === undefined
      ? await overV2(access, request, call)
      : await overV3(access, request, call);
  return found.filter(({ lt }) => lt > after).sort((one, other) => (one.lt < other.lt ? -1 : 1));
}

/** The logical time of an account's newest transaction; 0 for an account without one. */
export async function newestLt(access: Access, address: string, call: CallOptions): Promise<bigint> {
  if (access.network.v3 === undefined) {
    const [newest] = await access.v2.getTransactions({ address, limit: 1 }, call);
    return newest === undefined ? 0n : BigInt(newest.transaction_id.lt);
  }
  const { transactions } = await access.v3.transactions({ account: [address], limit: 1, sort: 'desc' }, call);
  return transactions?.[0]?.lt ?? 0n;
}

/** The network's id as wallets write it, by its newest block; by its settings if the service does not say. */
export async function chainIdOf({ network, v3 }: Access, call: CallOptions): Promise<string> {
  const told = network.v3 === undefined ? undefined : (await v3.masterchainInfo({}, call)).last?.global_id;
  return String(told ?? network.globalId);
}

async function overV3(
  { v3 }: Access,
  request: MessageRequest,
  call: CallOptions,
): Promise<RequestedArrival[]> {
  const { transactions } = await v3.transactions(
    { account: [request.destination.toRawString()], limit: searched, sort: 'desc' },
    call,
  );
  return (transactions ?? []).flatMap(({ hash, lt, now, in_msg: message }) =>
    hash != null && lt != null && message != null && isRequestedMessage(request, leftMessageOf(message))
      ? [{ transaction: hash, lt, at: now ?? 0, source: message.source ?? undefined }]
      : [],
  );
}

function leftMessageOf({
  destination,
  value,
  message_content: content,
  init_state: init,
}: V3Message): LeftMessage {
  return {
    destination: destination ?? undefined,
    value: value ?? undefined,
    body: bodyHash(content?.body) ?? content?.hash ?? undefined,
    init: bodyHash(init?.body) ?? init?.hash ?? undefined,
  };
}

async function overV2(
  { v2 }: Access,
  request: MessageRequest,
  call: CallOptions,
): Promise<RequestedArrival[]> {
  const address = request.destination.toRawString();
  const transactions = await v2.getTransactions({ address, limit: searchedByV2 }, call);
  return transactions.flatMap(({ data }) => {
    const cell = Cell.fromBase64(data);
    const { inMessage, lt, now } = loadAnyTransaction(cell);
    if (inMessage?.info.type !== 'internal') {
      return [];
    }
    return isRequestedMessage(request, leftMessage(inMessage))
      ? [{ transaction: cell.hash().toString('hex'), lt, at: now, source: inMessage.info.src.toRawString() }]
      : [];
  });
}
