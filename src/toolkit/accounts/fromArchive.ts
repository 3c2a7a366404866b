import type { Access } from '../access/createAccess';
import { WorkbenchError } from '../base/errors';

/**
 * Reads something old, and gives the service's message about dropped history its own error.
 *
 * @param seqno the masterchain block that it belongs to
 * @throws WorkbenchError `archive-unavailable` (service), and what `read` throws
 */
export async function fromArchive<T>(
  { network }: Pick<Access, 'network'>,
  seqno: number | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw seqno !== undefined && WorkbenchError.is(error, 'history-missing')
      ? archiveError(network.name, seqno, error)
      : error;
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
