import type { Access, CallOptions } from '../access/createAccess';
import { WorkbenchError } from '../base/errors';

/**
 * Whether an account that does not exist once did: true if its last transaction deleted it. False if unknown, as on
 * networks without v3.
 *
 * @param address in any form
 * @throws WorkbenchError `aborted`
 */
export async function wasDeleted(access: Access, address: string, call: CallOptions): Promise<boolean> {
  if (access.network.v3 === undefined) {
    return false;
  }
  try {
    const { transactions } = await access.v3.transactions(
      { account: [address], limit: 1, sort: 'desc' },
      call,
    );
    return transactions?.[0]?.end_status === 'nonexist';
  } catch (error) {
    if (WorkbenchError.is(error, 'aborted')) {
      throw error;
    }
    return false;
  }
}
