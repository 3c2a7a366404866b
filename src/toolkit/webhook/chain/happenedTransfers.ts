import { fromBaseUnits } from '../values/amount';
import { knownDecimals } from '../values/asset';
import type { ChainTrace } from './chainLookup';
import { chainTransfers } from './chainTransfers';
import type { HappenedTransfer } from '../payload/transferPayload';

/**
 * The payments of a trace, ready for {@link transferPayload}. Omits payments whose amount, time, or jetton master the
 * network does not report.
 *
 * @param decimals of an asset; default: known values, and 9 for the rest
 */
export function happenedTransfers(
  trace: ChainTrace,
  decimals: (asset: string) => number = (asset) => knownDecimals(asset) ?? 9,
): HappenedTransfer[] {
  return chainTransfers(trace).flatMap(
    ({ asset, amount, sender, recipient, comment, success, time, txHash, bodies }) =>
      asset === undefined || amount === undefined || time === undefined
        ? []
        : [
            {
              amount: fromBaseUnits(amount, decimals(asset)),
              rawAmount: amount,
              asset,
              sender,
              recipient,
              txHash,
              traceId: trace.id,
              comment: comment ?? undefined,
              success: success === true,
              time,
              bodyHash: bodies[0] && Buffer.from(bodies[0].hash, 'hex').toString('base64'),
            },
          ],
  );
}
