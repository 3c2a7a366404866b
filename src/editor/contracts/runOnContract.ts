import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { RunTarget } from '../../commandArguments';
import { plainName } from '../../toolkit/abi/projectContract';
import { limits } from '../../toolkit/limits';
import type { Network } from '../../toolkit/access/network';
import { accountName, localAccounts } from '../accounts/knownAccounts';
import { RecentCalls } from '../getMethods/recentCalls';
import type { Services } from '../services';
import { askAccount } from '../accounts/askAccount';
import { withProgress } from '../ui/withProgress';
import { methodsOf } from '../project/methodsOf';
import { rememberDeployed } from './deployedOf';
import { shortenMiddle } from '../../toolkit/text';

/** Contracts checked when looking for instances of one. */
const mostLookedAt = 40;

interface Instance {
  address: string;
  /** What it is, if known. */
  name?: string | undefined;
  /** Whether its code matches the contract's. */
  isSame: boolean;
}

/** "Run on …" above a get-method: on a deployed instance, or on one deployed to the local network now. */
export async function runOnContract(services: Services, target: RunTarget): Promise<void> {
  const { network } = await withProgress(`Connecting to ${services.networks.current().name}`, (signal) =>
    services.connections.current(signal),
  );
  const address = target.address ?? (await chooseInstance(services, network, target.contract));
  if (address === undefined) {
    return;
  }
  await rememberDeployed(services, network.name, target.contract, address);
  await rememberSource(services, network, target.contract, address);
  await services.pins.add(network.name, address);
  await runCommand(vscode.commands, 'tonWorkbench.runGetMethod', { address, method: target.method });
}

async function chooseInstance(
  services: Services,
  network: Network,
  contract: string,
): Promise<string | undefined> {
  const instances = await withProgress(`Looking for ${contract} on ${network.name}`, () =>
    findInstances(services, network, contract),
  );
  const names = accountName(services);
  const rows = instances.map(({ address, name, isSame }) => ({
    label: `$(${isSame ? 'pass' : 'circle-outline'}) ${names(address) ?? shortenMiddle(address)}`,
    description: [isSame ? `${contract}, by its code` : name, names(address) && shortenMiddle(address)]
      .filter((part) => part !== undefined)
      .join('  '),
    address: address,
  }));
  const deploy = {
    label: '$(rocket) Deploy to the Local Network…',
    description: 'from its compiled code',
    address: undefined,
  };
  const other = { label: '$(edit) Another address…', description: '', address: undefined };
  const offered = [...rows, ...(network.kind === 'local' ? [deploy] : []), other];
  const picked = await vscode.window.showQuickPick(offered, {
    title: `TON: Run ${contract} on ${network.name}`,
    placeHolder: 'Choose a deployed contract',
    matchOnDetail: true,
  });
  if (picked === deploy) {
    const { deployBuilt } = await import('../localnet/deployCommand');
    return (await deployBuilt(services, await buildOf(contract)))?.address;
  }
  return picked === other
    ? askAccount(services, { title: `TON: Run ${contract}`, placeholder: 'Address of the deployed contract' })
    : picked?.address;
}

/** Deployed, pinned, and called contracts of the network; matching code first. */
async function findInstances(services: Services, network: Network, contract: string): Promise<Instance[]> {
  const recent = new RecentCalls(services.context.workspaceState);
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  const own =
    network.kind === 'local' ? localAccounts(services).filter(({ kind }) => kind === 'contract') : [];
  const known = [
    ...own.map(({ address }) => address),
    ...services.pins.of(network.name).map(({ address }) => address),
    ...recent.addresses(network.name).flatMap((text) => {
      try {
        return [parseAddressInput(text).toRawString()];
      } catch {
        // A name of an account.
        return [];
      }
    }),
  ];
  const found = await Promise.all(
    [...new Set(known)].slice(0, mostLookedAt).map(async (address): Promise<Instance> => {
      const name = await methodsOf(services, network, address).then(
        (description) => description.name,
        () => undefined,
      );
      return { address, name, isSame: name !== undefined && plainName(name) === plainName(contract) };
    }),
  );
  return [...found.filter(({ isSame }) => isSame), ...found.filter(({ isSame }) => !isSame)];
}

/** Choosing it confirms that this code is this contract; an existing assignment is not overwritten. */
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

/** @throws WorkbenchError `contract-not-built` (input) */
async function buildOf(contract: string): Promise<vscode.Uri> {
  const [files, { builtFile }] = await Promise.all([
    vscode.workspace.findFiles(
      '**/{*.compiled.json,*.pkg,*.tolk}',
      '**/node_modules/**',
      limits.projectFiles.most,
    ),
    import('../../toolkit/abi/builtFile'),
  ]);
  const path = builtFile(
    contract,
    files.map((file) => file.path),
  );
  const found = files.find((file) => file.path === path);
  if (found === undefined) {
    const { contractNotBuilt } = await import('../../toolkit/abi/abiErrors');
    throw contractNotBuilt(contract);
  }
  return found;
}
