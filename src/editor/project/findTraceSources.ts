import type { Network } from '../../toolkit/access/network';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import { methodsOf } from './methodsOf';
import type { ProjectServices } from './methodsOf';

/** Codes of one trace that are requested; the sources of the others are found when their contracts are opened. */
const mostCodes = 16;

/**
 * Finds the sources of a trace's contracts that the workspace does not know yet, by compiling the candidates. Only on the
 * local network: elsewhere each code costs a request.
 *
 * @returns whether the workspace knows more than before
 * @throws WorkbenchError of the network
 */
export async function findTraceSources(
  services: ProjectServices,
  network: Network,
  model: TraceModel,
  signal: AbortSignal,
): Promise<boolean> {
  if (network.kind !== 'local') {
    return false;
  }
  const { project } = services;
  const [{ codesOf }, { walletCodes }] = await Promise.all([
    import('../../toolkit/trace/traceContext'),
    import('../../toolkit/opcodes/walletCodes'),
  ]);
  // One account for each code.
  const accounts = new Map([...codesOf(model)].map(([account, codeHash]) => [codeHash, account]));
  const unknown: [codeHash: string, account: string][] = [];
  for (const [codeHash, account] of accounts) {
    if (unknown.length < mostCodes && !walletCodes.has(codeHash) && (await project.isNew(codeHash))) {
      unknown.push([codeHash, account]);
    }
  }
  for (const [, account] of unknown) {
    signal.throwIfAborted();
    await methodsOf(services, network, account, signal, 'background');
  }
  const known = new Set((await project.list()).map((contract) => contract.codeHash));
  return unknown.some(([codeHash]) => known.has(codeHash));
}
