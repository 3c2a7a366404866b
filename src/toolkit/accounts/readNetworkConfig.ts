import type { Access } from '../access/createAccess';
import { wrongShapeError } from '../access/errors';
import { v2Endpoints } from '../access/v2/v2Endpoints';
import { readBocInput } from '../cell/parseBocInput';
import type { NetworkParameters } from '../cell/structures/networkParameters';
import { readNetworkParameters } from '../cell/structures/networkParameters';
import { fromArchive } from './fromArchive';

/**
 * A network's configuration, with every parameter read.
 *
 * @param seqno the masterchain block as of which it is read; the newest by default
 * @throws WorkbenchError `archive-unavailable` (service) if the service no longer has that block, and the access layer's
 *   errors
 */
export async function readNetworkConfig(
  access: Access,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<NetworkParameters> {
  const { config } = await fromArchive(access, seqno, () =>
    access.v2.getConfigAll(seqno === undefined ? {} : { seqno }, { signal, priority: 'user' }),
  );
  const parameters = readCell(config.bytes);
  if (parameters === undefined) {
    throw wrongShapeError(v2Endpoints.getConfigAll, {
      path: ['config', 'bytes'],
      expected: 'the dictionary of a configuration as a BoC',
    });
  }
  return parameters;
}

function readCell(bytes: string): NetworkParameters | undefined {
  try {
    return readNetworkParameters(readBocInput(Buffer.from(bytes, 'base64')));
  } catch {
    return undefined;
  }
}
