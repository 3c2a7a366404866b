import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { runCommand } from '../../contributions';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { dependencyAround } from '../../toolkit/build/projectCompiler';
import { askAccount } from './askAccount';
import { accountName, accountWord } from './accountName';
import { deployableFile } from './deployableFile';
import type { Services } from './services';
import { withProgress } from '../ui/withProgress';
import type { Instance } from './findInstances';
import { findInstances, isInstanceOf } from './findInstances';

/** What to ask, and which contracts to offer. */
export interface InstanceQuestion {
  /** `TON: Run info` */
  title: string;
  contract: string;
  network: Network;
  /** The contract's source, as text of a URI. */
  file?: string | undefined;
  /** Raw addresses of other possible instances. */
  others?: readonly string[];
}

/**
 * Asks which deployed contract is meant. Those with the contract's code come first; deploying a new one is
 * the default only if there are none.
 * @returns the raw address, `deploy`, or undefined if the user canceled
 */
export async function chooseInstance(
  services: Services,
  { title, contract, network, file, others = [] }: InstanceQuestion,
): Promise<string | undefined> {
  const [instances, owners] = await withProgress(`Looking for ${contract} on ${network.name}`, async () => {
    const found = await findInstances(services, network, others);
    const { jettonWalletOwners } = await import('../../toolkit/accounts/jettonWalletOwners');
    const access = await services.connections.open(network);
    const addresses = found.map(({ address }) => address);
    return [found, await jettonWalletOwners(access, addresses)] as const;
  });
  const names = accountName(services);
  const source = file === undefined ? undefined : vscode.workspace.asRelativePath(vscode.Uri.parse(file));
  const isSameCode = (instance: Instance): boolean => isInstanceOf(instance, contract, source);
  const row = (instance: Instance): vscode.QuickPickItem & { address: string } => {
    const { address, name } = instance;
    const isSame = isSameCode(instance);
    const owner = owners.get(address);
    return {
      label: `$(${isSame ? 'pass' : 'circle-outline'}) ${names(address) ?? shortAddress(address)}`,
      description: [
        owner && `of ${accountWord(services, network)(owner)}`,
        isSame ? `${contract}, by its code` : name,
        names(address) && shortAddress(address),
      ]
        .filter((part) => part !== undefined)
        .join('  '),
      address,
    };
  };
  // A file name can contain anything; only a plain one is inserted into a terminal command.
  const buildCommand = `npx blueprint build ${/^[\w.-]+$/.test(contract) ? contract : ''}`.trim();
  const usesBlueprint =
    file === undefined ||
    dependencyAround(vscode.Uri.parse(file).fsPath, '@ton/blueprint') !== undefined ||
    (await vscode.workspace.findFiles('**/{blueprint.config.ts,*.compile.ts}', '**/node_modules/**', 1))
      .length > 0;
  const build = usesBlueprint
    ? { label: '$(terminal) Build in a Terminal…', description: buildCommand, address: undefined }
    : {
        label: '$(question) Why Can It Not Be Deployed?',
        description: 'what is missing to compile it',
        address: undefined,
      };
  const isBuilt =
    network.kind === 'local' && (await deployableFile(services.project, contract, file)) !== undefined;
  const deploy = isBuilt
    ? {
        label: '$(rocket) Deploy to the Local Network…',
        description: 'from its source or its compiled code',
        address: 'deploy',
      }
    : build;
  const other = { label: '$(edit) Another address…', description: '', address: undefined };
  const isSeparator = vscode.QuickPickItemKind.Separator;
  const same = instances.filter(isSameCode).map(row);
  const rest = instances.filter((one) => !isSameCode(one)).map(row);
  const offered = [
    ...same,
    ...(network.kind === 'local' ? [deploy] : []),
    ...(rest.length === 0 ? [] : [{ label: 'Other contracts', kind: isSeparator, address: undefined }]),
    ...rest,
    other,
  ];
  const picked = await vscode.window.showQuickPick(offered, {
    title: `${title} on ${network.name}`,
    placeHolder: same.length === 0 ? `No ${contract} is deployed here yet` : 'Choose a deployed contract',
    matchOnDetail: true,
  });
  if (picked === build && !usesBlueprint) {
    // Its error says why, and what to do.
    await services.project.compile(vscode.Uri.parse(file));
    await runCommand(vscode.commands, 'tonWorkbench.diagnoseProject');
    return undefined;
  }
  if (picked === build) {
    // The user starts it: the build script comes from the folder, which may not be trustworthy.
    const terminal = vscode.window.createTerminal(`Build ${contract}`);
    terminal.show();
    terminal.sendText(buildCommand, false);
    return undefined;
  }
  return picked === other
    ? askAccount(services, { title, placeholder: 'Address of the deployed contract' })
    : picked?.address;
}
