import type { Access } from '../access/createAccess';
import type { ExternalMessage } from './externalMessage';

/** The service's own estimate for the first transaction, nanocoins. */
export interface ServiceFees {
  inForward: bigint;
  storage: bigint;
  gas: bigint;
  forward: bigint;
  total: bigint;
}

/** The service's fee estimate; undefined if it has none or refuses. Over v2, or over v3 if the network has no v2. */
export async function estimateFees(
  access: Access,
  { destination, body, init }: ExternalMessage,
  signal?: AbortSignal,
): Promise<ServiceFees | undefined> {
  const boc = (cell: typeof body): string => cell.toBoc().toString('base64');
  const question = {
    address: destination.toRawString(),
    body: boc(body),
    ...(init?.code == null ? {} : { init_code: boc(init.code) }),
    ...(init?.data == null ? {} : { init_data: boc(init.data) }),
    ignore_chksig: true,
  };
  const api = access.network.v2 === undefined ? access.v3 : access.v2;
  try {
    const { source_fees: fees } = await api.estimateFee(question, { signal, priority: 'user' });
    const { in_fwd_fee: inForward, storage_fee: storage, gas_fee: gas, fwd_fee: forward } = fees ?? {};
    if (inForward == null || storage == null || gas == null || forward == null) {
      return undefined;
    }
    return { inForward, storage, gas, forward, total: inForward + storage + gas + forward };
  } catch {
    // Only a second opinion: without it, nothing changes.
    return undefined;
  }
}
