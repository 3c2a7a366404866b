import { isListening } from '../base/isListening';
import { callControl } from '../localnet/callControl';
import { findLocalNetwork, lastLocalNetwork } from '../localnet/folder/localNetworkFile';
import type { DiagnosedProject } from './diagnosedProject';

/**
 * The folder's local network, and who has the port on which one starts.
 * @param root of the project
 */
export async function networkFacts(
  root: string,
  usualPort: number,
): Promise<Pick<DiagnosedProject, 'network' | 'port'>> {
  const answers = (origin: string): Promise<boolean> =>
    callControl(`${origin}/control`, 'status', {}, AbortSignal.timeout(2_000)).then(
      () => true,
      () => false,
    );
  const [running, last] = [findLocalNetwork(root), lastLocalNetwork(root)];
  const url = new URL((running ?? last)?.v2 ?? `http://127.0.0.1:${usualPort}`).origin;
  const usual = `http://127.0.0.1:${usualPort}`;
  const isTaken = (await isListening(new URL(usual))) === true;
  return {
    network: {
      url,
      state:
        running !== undefined && (await answers(url)) ? 'running' : last === undefined ? 'none' : 'stopped',
    },
    port: {
      number: usualPort,
      user: !isTaken ? 'nobody' : (await answers(usual)) ? 'local network' : 'another program',
    },
  };
}
