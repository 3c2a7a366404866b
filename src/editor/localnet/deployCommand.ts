import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { localAccounts } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { askCell } from './askCell';
import { shortenMiddle } from '../../toolkit/text';
import { controlNetwork } from './controlNetwork';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import { readContractFile } from './readContractFile';
import { ownValue } from '../../toolkit/ownValue';

/** The data that each contract was last deployed with, as stack text, by its name. */
const dataKey = 'deployedData';

/** A contract on the local network. */
export interface DeployedContract {
  /** Raw, lower-case hex. */
  address: string;
  name: string;
  /** It was there before, and nothing was sent. */
  already: boolean;
}

/** Deploys a contract, from a file of the explorer or asked for, and offers what comes next. */
export async function deployContract(services: Services, file: vscode.Uri | undefined): Promise<void> {
  const deployed = await deployBuilt(services, file);
  if (deployed !== undefined) {
    await offerNext(deployed);
  }
}

/**
 * Deploys a contract to the local network: what a compiler left (Blueprint's *.compiled.json, Tact's *.pkg, output of the
 * Tolk and FunC compilers) or a *.tolk file, which is compiled first. Code and data give the address: where there is a
 * contract already, nothing is sent.
 * @param given asked for when absent
 * @returns undefined when the user left
 * @throws WorkbenchError `build-unreadable`, `tolk-compile-failed`, `localnet-refused` (input)
 */
export async function deployBuilt(
  services: Services,
  given: vscode.Uri | undefined,
): Promise<DeployedContract | undefined> {
  const file = given ?? (await pickContractFile());
  if (file === undefined) {
    return undefined;
  }
  const built = await readContractFile(services, file);
  await services.localNetwork.ensureRunning();
  const data = await askInitialData(services, built);
  if (data === undefined) {
    return undefined;
  }
  const { planDeployment } = await import('../../toolkit/workflows/planDeployment');
  const access = await services.connections.open(services.networks.local());
  const { address, isDeployed } = await withProgress('Checking the address', (signal) =>
    planDeployment(access, built, data, signal),
  );
  if (isDeployed === true) {
    return { address, name: services.localNetwork.nameOf(address) ?? built.name, already: true };
  }
  const { name } = await controlNetwork(services, 'Deploying', 'deploy', {
    code: built.code,
    data: data.toBoc().toString('base64'),
    name: built.name,
  });
  return { address, name: name ?? built.name, already: false };
}

async function askInitialData(
  services: Services,
  { name, initial }: BuiltContract,
): Promise<Cell | undefined> {
  const { workspaceState } = services.context;
  const known = workspaceState.get<Record<string, string>>(dataKey, {});
  const wanted = initial === undefined || initial.parameters === '' ? '' : ` for ${initial.parameters}`;
  const [{ projectLayouts }, { findStorage }, { exampleOfLayout }, { layoutTypeText }] = await Promise.all([
    import('../../toolkit/layouts/projectLayouts'),
    import('../../toolkit/layouts/findStorage'),
    import('../../toolkit/layouts/exampleOfLayout'),
    import('../../toolkit/layouts/layoutTypeText'),
  ]);
  const storage = findStorage(await projectLayouts(await services.project.list()), name);
  const fields = storage?.layout.cells.flat() ?? [];
  const [owner] = localAccounts(services).filter(({ kind }) => kind !== 'contract');
  const answer = await askCell(services, {
    title: `TON: Deploy ${name}`,
    prompt:
      storage === undefined || fields.length === 0
        ? `Initial data${wanted} as one cell: b(…) with its values, or cell te6cc…. b() is empty.`
        : `Storage: ${fields.map((field) => `${field.name}: ${layoutTypeText(field.type, storage.set)}`).join(', ')}`,
    value:
      ownValue(known, name) ??
      (storage === undefined || fields.length === 0
        ? (initial?.text ?? 'b()')
        : exampleOfLayout(storage.layout, storage.set, owner?.name ?? 'none')),
    storage,
  });
  if (answer === undefined) {
    return undefined;
  }
  await workspaceState.update(dataKey, { ...known, [name]: answer.text });
  return answer.cell;
}

async function offerNext({ address, name, already }: DeployedContract): Promise<void> {
  const text = already
    ? `${name} is already deployed at ${shortenMiddle(address)}. Nothing was sent.`
    : `Deployed ${name} at ${shortenMiddle(address)}.`;
  const action = await vscode.window.showInformationMessage(
    text,
    'Run Get-Method…',
    'Pin',
    'Open Account',
    'Copy Address',
  );
  if (action === 'Run Get-Method…') {
    await runCommand(vscode.commands, 'tonWorkbench.runGetMethod', { address });
  } else if (action === 'Pin') {
    await runCommand(vscode.commands, 'tonWorkbench.pinContract', address);
  } else if (action === 'Open Account') {
    await runCommand(vscode.commands, 'tonWorkbench.openAccount', address);
  } else if (action === 'Copy Address') {
    await vscode.env.clipboard.writeText(address);
  }
}

async function pickContractFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles(
    '**/{*.compiled.json,*.pkg,*.tolk}',
    '**/node_modules/**',
    200,
  );
  const picked = await vscode.window.showQuickPick(
    files.map((file) => ({
      label: file.path.split('/').at(-1) ?? '',
      description: vscode.workspace.asRelativePath(file),
      file,
    })),
    {
      title: 'TON: Deploy to the Local Network',
      placeHolder:
        files.length === 0
          ? 'No *.tolk, *.compiled.json, or *.pkg file in this workspace: build the contract first'
          : 'Choose a contract; *.tolk files are compiled first',
    },
  );
  return picked?.file;
}
