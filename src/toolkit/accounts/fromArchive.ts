import type { Access } from '../access/createAccess';
import { WorkbenchError } from '../base/errors';

/**
 * Reads something old, and gives the service's message about history that it does not have its own error.
 *
 * @param seqno the masterchain block that it belongs to
 * @throws WorkbenchError `archive-unavailable` (service), `block-unknown` (input) if there is no such block yet, and what
 *   `read` throws
 */
export async function fromArchive<T>(
  { network, v2 }: Pick<Access, 'network' | 'v2'>,
  seqno: number | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (seqno === undefined || !WorkbenchError.is(error, 'history-missing')) {
      throw error;
    }
    const newest = await v2.getMasterchainInfo({}, { priority: 'user' }).catch(() => undefined);
    throw newest !== undefined && seqno > newest.last.seqno
      ? blockUnknownError(seqno, network.name)
      : archiveError(network.name, seqno, error);
  }
}

/** `archive-unavailable` (service): the network is there, but not its past. */
export function archiveError(network: string, seqno: number, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'archive-unavailable',
    kind: 'service',
    message: `The service of ${network} no longer has the history of block ${seqno}.`,
    hint: 'Use a newer block, or a service that keeps an archive.',
    details: { seqno },
    cause,
  });
}

/** `block-unknown` (input): a masterchain block that the network does not have. */
export function blockUnknownError(seqno: number, network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'block-unknown',
    kind: 'input',
    message: `${network} has no masterchain block ${seqno}.`,
    hint: 'Leave out the block to use the newest one.',
    details: { seqno },
  });
}
