import { WorkbenchError } from '../toolkit/base/errors';
import { localnetHost } from '../toolkit/localnet/localnetHost';
import type { LocalnetStatus } from '../toolkit/localnet/control/localnetStatus';
import type { LocalUrls } from '../toolkit/localnet/folder/localNetworkFile';
import { writeNote } from './output';
import { surroundings } from './surroundings';

/** Milliseconds to wait for the program that has the port. */
const patience = 2_000;

/**
 * Names the network in `.ton/local.json` of the project around the working folder, where other commands find it: at once, or
 * when the running network that is named there has stopped.
 * @returns takes it out again
 */
export async function announceHere(urls: LocalUrls): Promise<() => void> {
  const [{ projectPlace }, { runningLocalNetwork, removeLocalNetworkFile, writeLocalNetworkFile }] =
    await Promise.all([import('./projectWith'), import('../toolkit/localnet/folder/localNetworkFile')]);
  const folder = await projectPlace(surroundings().folder);
  const other = runningLocalNetwork(folder);
  if (other !== undefined) {
    writeNote(
      `Commands in this folder use its other local network, ${new URL(other.v2).origin}; ` +
        `for this one, add --network ${new URL(urls.v2).origin}.`,
    );
  }
  try {
    writeLocalNetworkFile(folder, urls, undefined, 'last');
  } catch {
    writeNote(
      `${folder} cannot be written to, so commands need --network ${new URL(urls.v2).origin} to find this network.`,
    );
    return () => undefined;
  }
  return () => {
    try {
      removeLocalNetworkFile(folder);
    } catch {
      // A file whose process has ended does not count.
    }
  };
}

/**
 * The error of a port that is taken, with what has it: this folder's network, another local network, or another
 * program.
 */
export async function explainTakenPort(error: unknown, port: number): Promise<unknown> {
  if (!WorkbenchError.is(error, 'localnet-port-taken')) {
    return error;
  }
  const [{ findLocalNetwork }, { callControl }] = await Promise.all([
    import('../toolkit/localnet/folder/localNetworkFile'),
    import('../toolkit/localnet/callControl'),
  ]);
  const origin = `http://${localnetHost}:${port}`;
  const status = await callControl(`${origin}/control`, 'status', {}, AbortSignal.timeout(patience)).catch(
    () => undefined,
  );
  if (status === undefined) {
    return error;
  }
  const { free } = error.details;
  const own = findLocalNetwork(surroundings().folder);
  const isOwn = own !== undefined && new URL(own.v2).origin === origin;
  return new WorkbenchError({
    code: error.code,
    kind: error.kind,
    message: isOwn
      ? `This folder's local network already runs on port ${port} (${contentOf(status)}).`
      : `Port ${port} is in use by another local network, which is not this folder's (${contentOf(status)}).`,
    hint: isOwn
      ? 'Commands in this folder use it; there is nothing to start. For a second one, add --port 0.'
      : `Use it with --network ${origin}, or start one for this folder with --port ${typeof free === 'number' ? free : 0}.`,
    details: error.details,
    cause: error,
  });
}

function contentOf({ seqno, names = {} }: LocalnetStatus): string {
  const all = Object.values(names);
  const more = all.length > 3 ? ` and ${all.length - 3} more` : '';
  return [`block ${seqno}`, ...(all.length === 0 ? [] : [`with ${all.slice(0, 3).join(', ')}${more}`])].join(
    ', ',
  );
}
