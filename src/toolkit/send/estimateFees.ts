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

/** What the service says the message would cost; undefined where it has no v2, cannot say it, or refuses. */
export async function estimateFees(
  access: Access,
  { destination, body, init }: ExternalMessage,
  signal?: AbortSignal,
): Promise<ServiceFees | undefined> {
  if (access.network.v2 === undefined) {
    return undefined;
  }
  const boc = (cell: typeof body): string => cell.toBoc().toString('base64');
  try {
    const { source_fees: fees } = await access.v2.estimateFee(
      {
        address: destination.toRawString(),
        body: boc(body),
        ...(init?.code == null ? {} : { init_code: boc(init.code) }),
        ...(init?.data == null ? {} : { init_data: boc(init.data) }),
        ignore_chksig: true,
      },
      { signal, priority: 'user' },
    );
    const { in_fwd_fee: inForward, storage_fee: storage, gas_fee: gas, fwd_fee: forward } = fees;
    return { inForward, storage, gas, forward, total: inForward + storage + gas + forward };
  } catch {
    // A second opinion only: its absence changes nothing.
    return undefined;
  }
}
