import { WorkbenchError } from '../base/errors';
import type { Access, CallOptions } from './createAccess';
import { v2Endpoints } from './v2/v2Endpoints';
import { v3Endpoints } from './v3/v3Endpoints';
import { v2Variant } from './prepareRequest';
import type { V2Variant } from './prepareRequest';

/** The versions of a network's services; undefined if there is no such API or it does not report one. */
export interface NetworkVersions {
  v2?: {
    /** Such as `2.1.11`. */
    version: string | undefined;
    variant: V2Variant | undefined;
    /** Maximum number of transactions that getTransactions returns. */
    transactionsLimit: number;
  };
  v3?: {
    /** Of the database schema, from `X-API-Version`, such as `1.2.10`. */
    version: string | undefined;
  };
}

/**
 * Asks each API of the network for its newest block and reads the version sent with the answer.
 * @throws WorkbenchError of the first failing API, if both fail
 */
export async function networkVersions(access: Access, options?: CallOptions): Promise<NetworkVersions> {
  const { network } = access;
  const [v2, v3] = await Promise.allSettled([
    network.v2 === undefined ? undefined : access.ask(v2Endpoints.getMasterchainInfo, {}, options),
    network.v3 === undefined ? undefined : access.ask(v3Endpoints.masterchainInfo, {}, options),
  ]);
  const failed = [v2, v3].find((one) => one.status === 'rejected');
  const answered = [v2, v3].some((one) => one.status === 'fulfilled' && one.value !== undefined);
  if (failed !== undefined && !answered) {
    throw failed.reason instanceof Error
      ? failed.reason
      : new WorkbenchError({ code: 'internal-error', kind: 'internal', message: String(failed.reason) });
  }
  const versions: NetworkVersions = {};
  if (v2.status === 'fulfilled' && v2.value !== undefined) {
    const version = v2.value.apiVersion;
    versions.v2 = {
      version,
      variant: v2Variant(version),
      transactionsLimit: transactionsLimit(version),
    };
  }
  if (v3.status === 'fulfilled' && v3.value !== undefined) {
    versions.v3 = { version: v3.value.apiVersion };
  }
  return versions;
}

function transactionsLimit(version: string | undefined): number {
  const { maximum, maximumOnPython } = v2Endpoints.getTransactions.parameters.limit;
  return (v2Variant(version) === 'Python' ? maximumOnPython : maximum) ?? Infinity;
}
