import { canonicalAddress } from '../../address/canonicalAddress';
import { answerReader } from '../../api/answerReader';
import type { V3Metadata, V3Transaction } from '../../api/v3Objects';
import { v3TransactionList } from '../../api/v3Objects';
import { v3JettonWalletList } from '../../api/v3Tokens';
import type { V3Trace, V3TraceNode } from '../../api/v3Traces';
import { v3TraceList } from '../../api/v3Traces';

/** A network's v3 API that returns JSON as sent by the service and can be canceled. */
export interface V3Source {
  request(
    endpoint: Parameters<AskV3>[0],
    parameters: Parameters<AskV3>[1],
    signal: AbortSignal | undefined,
  ): Promise<unknown>;
}

/** Payments of a network, looked up over its v3 API. */
export function chainOf(source: V3Source, signal: AbortSignal): ChainLookup {
  return v3ChainLookup((endpoint, parameters) => source.request(endpoint, parameters, signal));
}

/** Requests JSON from a network's v3 API, as the service sends it. Errors are passed on. */
type AskV3 = (
  endpoint: 'transactions' | 'traces' | 'jettonWallets',
  parameters: Readonly<Record<string, readonly string[]>>,
) => Promise<unknown>;

/** Looks up payments over the v3 API. Data omitted by the service is unknown, not wrong. */
export function v3ChainLookup(ask: AskV3): ChainLookup {
  return {
    transaction: async (hash) => {
      const answer = answerReader(v3TransactionList).salvage(await ask('transactions', { hash: [hash] }));
      const [found] = answer?.transactions ?? [];
      return found && { traceId: found.trace_id ?? undefined };
    },
    trace: async (id) => {
      const answer = answerReader(v3TraceList).salvage(await ask('traces', { trace_id: [id] }));
      const [trace] = answer?.traces ?? [];
      if (trace === undefined) {
        return undefined;
      }
      const transactions = transactionsOf(trace);
      const jettonMasters = mastersOf(answer?.metadata ?? {});
      await addMissingMasters(ask, transactions, jettonMasters);
      return {
        id: trace.trace_id ?? id,
        complete: isComplete(trace),
        transactions,
        jettonMasters,
      };
    },
  };
}

function isComplete({
  is_incomplete: isIncomplete,
  trace_info: info,
  end_lt: end,
}: V3Trace): boolean | undefined {
  const state = info?.trace_state ?? (end == null ? undefined : 'complete');
  const isKnown = ['complete', 'pending', 'broken'].includes(state ?? '');
  return isIncomplete === true ? false : isKnown ? state === 'complete' : undefined;
}

/** In the service's order, else by logical time. They may be in the map, in the tree, or in both. */
function transactionsOf(trace: V3Trace): ChainTransaction[] {
  const all = new Map<string, V3Transaction>();
  for (const [hash, transaction] of Object.entries(trace.transactions ?? {})) {
    if (transaction !== null) {
      all.set(transaction.hash ?? hash, transaction);
    }
  }
  for (const { tx_hash: hash, transaction, in_msg: message } of nodesOf(trace.trace)) {
    const key = hash ?? transaction?.hash;
    if (transaction != null && key != null && !all.has(key)) {
      all.set(key, { ...transaction, in_msg: transaction.in_msg ?? message });
    }
  }
  const order = (trace.transactions_order ?? []).filter((hash) => all.has(hash));
  const rest = [...all.keys()]
    .filter((hash) => !order.includes(hash))
    .sort((a, b) => (ltOf(all.get(a)) < ltOf(all.get(b)) ? -1 : 1));
  return [...order, ...rest].flatMap((hash) => {
    const transaction = all.get(hash);
    return transaction?.account == null
      ? []
      : [{ ...factsOf(transaction), hash, account: transaction.account, message: messageOf(transaction) }];
  });
}

function ltOf(transaction: V3Transaction | undefined): bigint {
  return transaction?.lt ?? 0n;
}

function nodesOf(root: V3TraceNode | null | undefined): V3TraceNode[] {
  const found: V3TraceNode[] = [];
  const waiting = root == null ? [] : [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    found.push(node);
    waiting.push(...(node.children ?? []));
  }
  return found;
}

function factsOf({ description, now, lt }: V3Transaction): Pick<ChainTransaction, 'lt' | 'time' | 'success'> {
  const isKnown = description?.aborted != null || description?.action?.success != null;
  return {
    lt: lt ?? undefined,
    time: now ?? undefined,
    success: isKnown ? description.aborted !== true && description.action?.success !== false : undefined,
  };
}

function messageOf({ in_msg: message }: V3Transaction): ChainMessage | undefined {
  return message?.source == null
    ? undefined
    : {
        source: message.source,
        value: message.value ?? undefined,
        bounced: message.bounced ?? undefined,
        body: message.message_content?.body ?? undefined,
        bodyHash: message.message_content?.hash ?? undefined,
      };
}

/** The service identifies jetton wallets in its answer's metadata. */
function mastersOf(metadata: V3Metadata): Map<string, string> {
  const masters = new Map<string, string>();
  for (const [wallet, row] of Object.entries(metadata)) {
    const jetton = row?.token_info?.find(({ type }) => type === 'jetton_wallets')?.extra?.['jetton'];
    const master = typeof jetton === 'string' ? canonicalAddress(jetton) : undefined;
    if (master !== undefined) {
      masters.set(wallet, master);
    }
  }
  return masters;
}

/** Servers that send no metadata are asked about the trace's accounts. */
async function addMissingMasters(
  ask: AskV3,
  transactions: readonly ChainTransaction[],
  masters: Map<string, string>,
): Promise<void> {
  const address = [...new Set(transactions.map(({ account }) => account))];
  if (masters.size > 0 || address.length === 0) {
    return;
  }
  const answer = answerReader(v3JettonWalletList).salvage(await ask('jettonWallets', { address }));
  for (const { address: wallet, jetton } of answer?.jetton_wallets ?? []) {
    if (wallet != null && jetton != null) {
      masters.set(wallet, jetton);
    }
  }
}

/** An internal message that a transaction received. */
export interface ChainMessage {
  /** Raw address, lowercase. */
  source: string;
  /** Nanocoins. */
  value: bigint | undefined;
  /** It bounced; undefined if the network does not say. */
  bounced: boolean | undefined;
  /** A bag of cells in base64. */
  body: string | undefined;
  /** Of the body, 64 lowercase hex digits, if the network provides it. */
  bodyHash?: string | undefined;
}

/** One transaction of a trace. */
export interface ChainTransaction {
  /** 64 lowercase hex digits. */
  hash: string;
  /** Raw address, lower case. */
  account: string;
  /** Logical time. */
  lt?: bigint | undefined;
  /** Unix seconds. */
  time: number | undefined;
  /** Its phases succeeded. */
  success: boolean | undefined;
  /** Undefined for an external in-message or none. */
  message: ChainMessage | undefined;
}

/** The parts of a trace relevant to a payment. */
export interface ChainTrace {
  /** Hash of the root transaction, 64 lowercase hex digits. */
  id: string;
  /** False while messages are on their way, or if the service omits transactions; undefined: unknown. */
  complete: boolean | undefined;
  /** In chain order. */
  transactions: readonly ChainTransaction[];
  /** Participating jetton wallets with their masters; both raw and lowercase. */
  jettonMasters: ReadonlyMap<string, string>;
}

/** Everything that checking a payment needs from a chain. Hashes are 64 lowercase hex digits. */
export interface ChainLookup {
  /** The trace of a transaction; undefined if the network has none with this hash. */
  transaction(hash: string): Promise<{ traceId: string | undefined } | undefined>;
  /** Undefined if the network has no trace with this id. */
  trace(id: string): Promise<ChainTrace | undefined>;
}
