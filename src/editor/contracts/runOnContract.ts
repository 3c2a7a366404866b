import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { RunTarget } from '../../commandTargets';
import type { Network } from '../../toolkit/access/network';
import { RecentCalls } from '../getMethods/recentCalls';
import type { SendServices } from '../send/sendServices';
import type { Services } from '../services';
import { chooseInstance } from '../instances/chooseInstance';
import { withProgress } from '../ui/withProgress';
import { methodsOf } from '../project/methodsOf';
import { rememberDeployed } from './deployedOf';

/**
 * The lens above a get-method: runs it on a deployed instance, or deploys the contract to the local network
 * first.
 */
export async function runOnContract(
  services: Services,
  sending: () => Promise<SendServices>,
  target: RunTarget,
): Promise<void> {
  const { network } = await withProgress(`Connecting to ${services.networks.current().name}`, (signal) =>
    services.connections.current(signal),
  );
  const { method, contract, file } = target;
  const chosen =
    target.address ??
    (await chooseInstance(services, {
      ...{ title: `TON: Run ${method}`, contract, network, file },
      others: await calledContracts(services, network),
    }));
  const address =
    chosen === 'deploy'
      ? await (await import('../send/deployNamed')).deployNamed(await sending(), contract, file)
      : chosen;
  if (address === undefined) {
    return;
  }
  await rememberDeployed(services, network.name, contract, address);
  await rememberSource(services, network, contract, address);
  await services.pins.add(network.name, address);
  await runCommand(vscode.commands, 'tonWorkbench.runGetMethod', {
    address,
    method,
    beside: true,
  });
}

/** Raw addresses of the contracts that were called on the network. */
async function calledContracts(services: Services, network: Network): Promise<string[]> {
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  return new RecentCalls(services.context.workspaceState).addresses(network.name).flatMap((text) => {
    try {
      return [parseAddressInput(text).toRawString()];
    } catch {
      // It is the name of an account.
      return [];
    }
  });
}

/** The choice confirms that the source matches this code; an existing assignment is not overwritten. */
async function rememberSource(
  services: Services,
  network: Network,
  contract: string,
  address: string,
): Promise<void> {
  const { codeHash, name } = await methodsOf(services, network, address);
  if (codeHash !== undefined && name === undefined) {
    await services.project.choose(codeHash, contract);
  }
}
