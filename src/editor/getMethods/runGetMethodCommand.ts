import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { GetMethodRequest } from '../../commandTargets';
import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';
import { afterAnswers } from '../ui/registerCommands';
import { withProgress } from '../ui/withProgress';
import { askGetMethodCall } from './askGetMethodCall';
import { callOnNetwork } from './callOnNetwork';
import { noteAnswer } from './noteAnswer';
import { RecentCalls } from './recentCalls';
import type { CompleteCall } from './recentCalls';
import { showGetMethodResult } from './showGetMethodResult';

/** TON: Run Get-Method…: asks for missing parts, runs the call on its network, and opens the result. */
export async function runGetMethodCommand(services: Services, call: GetMethodRequest = {}): Promise<void> {
  const recent = new RecentCalls(services.context.workspaceState);
  const network = await ready(services, call.network);
  const complete = await askGetMethodCall(services, recent, network, call);
  if (complete === undefined) {
    return;
  }
  const { address, method, stack } = complete;
  await afterAnswers([{ ...call, address, method, stack }], () =>
    runComplete(services, recent, network, complete, call.beside),
  );
}

async function runComplete(
  services: Services,
  recent: RecentCalls,
  network: Network,
  complete: CompleteCall,
  beside: boolean | undefined,
): Promise<void> {
  const remembered = { network: network.name, ...complete };
  await recent.add({ ...remembered, at: Date.now() });
  const answer = await withProgress(`${complete.method} on ${network.name}`, (signal) =>
    callOnNetwork(services, network, complete, { signal, priority: 'user' }),
  );
  await recent.answered(remembered, await noteAnswer(services, complete, answer, { isAsked: true }));
  setContextKey(vscode.commands, 'tonWorkbench.getMethodAnswered', true);
  await showGetMethodResult(services, complete, answer, beside);
}

/** The network of the call, started if needed: the current one, or one by name. */
async function ready({ networks, connections }: Services, name?: string): Promise<Network> {
  const wanted = networks.list().find((network) => network.name === name) ?? networks.current();
  const { network } = await withProgress(`Connecting to ${wanted.name}`, (signal) =>
    connections.open(wanted, signal),
  );
  return network;
}
