import type { GetMethodCall } from '../../contributions';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { askGetMethodCall } from './askGetMethodCall';
import { accountsByName } from './knownAccounts';
import { RecentCalls } from './recentCalls';
import { showGetMethodResult } from './showGetMethodResult';

/** TON: Run Get-Method…: asks for what the call lacks, runs it on the current network, opens the result. */
export async function runGetMethodCommand(services: Services, call: GetMethodCall = {}): Promise<void> {
  const { networks, connections, context } = services;
  const recent = new RecentCalls(context.workspaceState);
  const access = await withProgress(`Connecting to ${networks.current().name}`, (signal) =>
    connections.current(signal),
  );
  const complete = await askGetMethodCall(services, recent, call);
  if (complete === undefined) {
    return;
  }
  const network = access.network.name;
  await recent.add(network, complete);
  const result = await withProgress(
    `${complete.method} on ${network}`,
    async (signal): Promise<GetMethodResult> => {
      const { parseStackText } = await import('../../toolkit/stack/parseStackText');
      const { runGetMethod } = await import('../../toolkit/getMethods/runGetMethod');
      const accounts = accountsByName(services);
      const address = accounts.get(complete.address.replace(/^@/, '')) ?? complete.address;
      const stack = parseStackText(complete.stack, { accounts });
      return runGetMethod(access, { address, method: complete.method, stack }, { signal });
    },
  );
  await showGetMethodResult(services, complete, result);
}
