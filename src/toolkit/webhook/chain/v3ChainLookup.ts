import { canonicalAddress } from '../../address/canonicalAddress';
import type { ChainLookup, ChainMessage, ChainTransaction } from './chainLookup';
import { canonicalHash } from '../../address/canonicalHash';
import { ownValue } from '../../ownValue';

/**
 * What is read of the v3 API's answers, as the service sends them or as our client reads them: hashes in base64 or hex,
 * addresses in any case, amounts as text or bigint.
 */
interface V3TransactionLike {
  hash?: string | null | undefined;
  account?: string | null | undefined;
  trace_id?: string | null | undefined;
  now?: number | null | undefined;
  description?:
    | {
        aborted?: boolean | null | undefined;
        action?: { success?: boolean | null | undefined } | null | undefined;
      }
    | null
    | undefined;
  in_msg?:
    | {
        source?: string | null | undefined;
        value?: string | bigint | null | undefined;
        bounced?: boolean | null | undefined;
        message_content?:
          { body?: string | null | undefined; hash?: string | null | undefined } | null | undefined;
      }
    | null
    | undefined;
}

export interface V3TraceLike {
  trace_id?: string | null | undefined;
  is_incomplete?: boolean | null | undefined;
  trace_info?: { trace_state?: string | null | undefined } | null | undefined;
  transactions_order?: readonly string[] | null | undefined;
  transactions?: Readonly<Record<string, V3TransactionLike | null>> | null | undefined;
}

interface V3TokenRow {
  token_info?: readonly { type?: string | null | undefined; extra?: unknown }[] | null | undefined;
}

/** The three v3 calls that are needed; the access client's own methods fit after binding their options. */
export interface V3Calls {
  transactions(parameters: {
    hash: string[];
  }): Promise<{ transactions?: readonly V3TransactionLike[] | null | undefined }>;
  traces(parameters: { trace_id: string[] }): Promise<{
    traces?: readonly V3TraceLike[] | null | undefined;
    metadata?: Readonly<Record<string, V3TokenRow | null | undefined>> | null | undefined;
  }>;
  jettonWallets(parameters: { address: string[] }): Promise<{
    jetton_wallets?:
      | readonly { address?: string | null | undefined; jetton?: string | null | undefined }[]
      | null
      | undefined;
  }>;
}

/** Looks payments up over the v3 API. Errors of the calls come through. */
export function v3ChainLookup(calls: V3Calls): ChainLookup {
  return {
    transaction: async (hash) => {
      const [found] = (await calls.transactions({ hash: [hash] })).transactions ?? [];
      return found && { traceId: canonicalHash(found.trace_id ?? '') };
    },
    trace: async (id) => {
      const answer = await calls.traces({ trace_id: [id] });
      const [trace] = answer.traces ?? [];
      if (trace === undefined) {
        return undefined;
      }
      const transactions = transactionsOf(trace);
      const jettonMasters = mastersOf(answer.metadata ?? {});
      await addMissingMasters(calls, transactions, jettonMasters);
      return {
        id: canonicalHash(trace.trace_id ?? '') ?? id,
        complete: isComplete(trace),
        transactions,
        jettonMasters,
      };
    },
  };
}

function isComplete(trace: V3TraceLike): boolean {
  const state = trace.trace_info?.trace_state ?? 'complete';
  return trace.is_incomplete !== true && state === 'complete';
}

function transactionsOf(trace: V3TraceLike): ChainTransaction[] {
  const all = trace.transactions ?? {};
  const order = trace.transactions_order ?? Object.keys(all);
  return order.flatMap((key) => {
    const one = ownValue(all, key);
    const account = canonicalAddress(one?.account ?? '');
    if (one == null || account === undefined) {
      return [];
    }
    const { description, now } = one;
    return [
      {
        hash: canonicalHash(one.hash ?? key) ?? key,
        account,
        time: now ?? 0,
        success: description?.aborted !== true && description?.action?.success !== false,
        message: messageOf(one),
      },
    ];
  });
}

function messageOf({ in_msg: message }: V3TransactionLike): ChainMessage | undefined {
  const source = canonicalAddress(message?.source ?? '');
  if (message == null || source === undefined) {
    return undefined;
  }
  return {
    source,
    value: BigInt(message.value ?? 0),
    bounced: message.bounced === true,
    body: message.message_content?.body ?? undefined,
    bodyHash: message.message_content?.hash ?? undefined,
  };
}

/** The service names jetton wallets in the metadata of its answer. */
function mastersOf(metadata: Readonly<Record<string, V3TokenRow | null | undefined>>): Map<string, string> {
  const masters = new Map<string, string>();
  for (const [address, row] of Object.entries(metadata)) {
    const token = row?.token_info?.find(({ type }) => type === 'jetton_wallets');
    const extra = token?.extra as { jetton?: unknown } | undefined;
    const wallet = canonicalAddress(address);
    const master = canonicalAddress(typeof extra?.jetton === 'string' ? extra.jetton : '');
    if (wallet !== undefined && master !== undefined) {
      masters.set(wallet, master);
    }
  }
  return masters;
}

/** Servers that send no metadata are asked for the accounts of the trace. */
async function addMissingMasters(
  calls: V3Calls,
  transactions: readonly ChainTransaction[],
  masters: Map<string, string>,
): Promise<void> {
  const accounts = [...new Set(transactions.map(({ account }) => account))];
  if (masters.size > 0 || accounts.length === 0) {
    return;
  }
  const { jetton_wallets: wallets } = await calls.jettonWallets({ address: accounts });
  for (const { address, jetton } of wallets ?? []) {
    const wallet = canonicalAddress(address ?? '');
    const master = canonicalAddress(jetton ?? '');
    if (wallet !== undefined && master !== undefined) {
      masters.set(wallet, master);
    }
  }
}
