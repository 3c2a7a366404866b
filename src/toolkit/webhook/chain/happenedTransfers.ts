import { fromBaseUnits } from '../values/amount';
import { knownDecimals } from '../values/asset';
import type { ChainTrace } from './chainLookup';
import { chainTransfers } from './chainTransfers';
import type { HappenedTransfer } from '../payload/transferPayload';

/**
 * The payments of a trace, ready for {@link transferPayload}. Omits payments whose amount, time, or jetton master the
 * network does not report.
 */
export function happenedTransfers(trace: ChainTrace): HappenedTransfer[] {
  return chainTransfers(trace).flatMap(
    ({ asset, amount, sender, recipient, comment, success, time, txHash, lt, bodies }) =>
      asset === undefined || amount === undefined || time === undefined
        ? []
        : [
            {
              amount: fromBaseUnits(amount, knownDecimals(asset) ?? 9),
              rawAmount: amount,
              asset,
              sender,
              recipient,
              txHash,
              lt,
              traceId: trace.id,
              comment: comment ?? undefined,
              success: success === true,
              time,
              bodyHash: bodies[0] && Buffer.from(bodies[0].hash, 'hex').toString('base64'),
            },
          ],
  );
}
