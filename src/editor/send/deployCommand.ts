import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { runCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { deploymentIn, missingContractError, refusedMessageText } from '../../toolkit/send/deploymentFate';
import type { Deployment } from '../../toolkit/workflows/planDeployment';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import { perWindow } from '../networks/sourceNames';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import type { Services } from '../project/services';
import { absentError, askFirstMessage, nameOf } from './askFirstMessage';
import { recordDeployed } from './recordDeployed';
import { deliverMessage } from './deliverMessage';
import type { SendServices } from './showRehearsal';
import { withProgress } from '../ui/withProgress';
import { askInitialData } from './askInitialData';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { controlNetwork, say } from '../localnet/controlNetwork';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import { fileName } from '../../toolkit/base/text';
import { readContractFile } from '../localnet/readContractFile';

/** A contract on the current network. */
export interface DeployedContract {
  /** Raw, lower-case hex. */
  address: string;
  name: string;
  /** It already existed, and nothing was sent. */
  already: boolean;
}

/**
 * Deploys a contract from the given file, from the source in the editor, or after asking; then shows it in
 * the view "Contracts", and the row of its trace.
 */
export async function deployContract(services: SendServices, file: vscode.Uri | undefined): Promise<void> {
  const network = services.networks.current();
  await deployBuilt(services, file ?? openSource(), undefined, (deployed) =>
    showDeployed(services, deployed, network),
  );
}

/**
 * Deploys a contract to the current network from compiler output (Blueprint's *.compiled.json, Tact's *.pkg,
 * output of the Tolk and FunC compilers) or from a source, which is compiled first. The address follows
 * from code and data; if there is already a contract, nothing is sent. On the local network one of its wallets pays;
 * elsewhere the user's own wallet signs, and the project's record of deployments names the contract.
 * @param given asked for if absent
 * @param contract its name, if the source declares several
 * @param onDeployed it is there; what becomes of its first message is told next
 * @returns undefined if the user canceled
 * @throws WorkbenchError `localnet-refused` (input), `contract-not-deployed` (failed), and as {@link readContractFile}
 */
export async function deployBuilt(
  services: SendServices,
  given: vscode.Uri | undefined,
  contract?: string,
  onDeployed?: (deployed: DeployedContract) => Promise<void>,
): Promise<DeployedContract | undefined> {
  const file = given ?? (await pickContractFile(services));
  const built = file === undefined ? undefined : await readOnce(services, file, contract);
  if (file === undefined || built === undefined) {
    return undefined;
  }
  const network = services.networks.current();
  if (network.kind === 'local') {
    await services.localNetwork.ensureRunning();
  }
  const data = await askInitialData(services, built, file, network);
  if (data === undefined) {
    return undefined;
  }
  const { planDeployment } = await import('../../toolkit/workflows/planDeployment');
  const access = await services.connections.open(network);
  const plan = await withProgress('Checking the address', (signal) =>
    planDeployment(access, built, data.cell, signal),
  );
  const { address } = plan;
  if (plan.isDeployed === true) {
    const known = network.kind === 'local' ? services.localNetwork.nameOf(address) : undefined;
    const there = { address, name: known ?? built.name, already: true };
    await recordDeployed(services, access, plan, { file, data: data.text });
    await onDeployed?.(there);
    return there;
  }
  const ref = { name: built.name, file: vscode.workspace.asRelativePath(file) };
  const first = await askFirstMessage(services, plan, ref, network);
  if (first === undefined) {
    return undefined;
  }
  const told = async (name: string): Promise<DeployedContract> => {
    setContextKey(vscode.commands, 'tonWorkbench.contractDeployed', true);
    const deployed = { address, name, already: false };
    await onDeployed?.(deployed);
    return deployed;
  };
  if (first.kind === 'empty') {
    return deployEmpty(services, access, plan, told);
  }
  return deployWith(services, access, first.message, {
    plan,
    told: async (name) => {
      await recordDeployed(services, access, plan, { file, data: data.text });
      return told(name);
    },
  });
}

/** The files that are read for a form which is not there yet. */
const reading = perWindow(() => new Set<string>());

/** A lens that is pressed again while its source is compiled opens no second form: then undefined. */
async function readOnce(
  services: SendServices,
  file: vscode.Uri,
  contract: string | undefined,
): Promise<BuiltContract | undefined> {
  const files = reading(services);
  const key = `${file.toString()} ${contract ?? ''}`;
  if (files.has(key)) {
    return undefined;
  }
  files.add(key);
  try {
    return await readContractFile(services, file, contract);
  } finally {
    files.delete(key);
  }
}

type Told = (name: string) => Promise<DeployedContract>;

/** The faucet sends an empty message. */
async function deployEmpty(
  services: SendServices,
  access: Access,
  { name: wanted, address, code, data }: Deployment,
  told: Told,
): Promise<DeployedContract> {
  const { name, message, trace } = await controlNetwork(services, 'Deploying', 'deploy', {
    code: code.toBoc().toString('base64'),
    data: data.toBoc().toString('base64'),
    name: wanted,
  });
  const { deployedFate } = await import('../../toolkit/workflows/planDeployment');
  const fate = trace === null ? 'unknown' : await deployedFate(access, address, { priority: 'user' });
  if (fate === 'absent') {
    throw missingContractError(wanted, address, 'Its code did not run. Look at its code and its data.');
  }
  const deployed = await told(name ?? wanted);
  services.traces.sent(trace ?? message);
  if (fate === 'refused') {
    void tellRefused(deployed.name, true, trace ?? message);
  }
  return deployed;
}

/** A wallet sends the message that the user has chosen, which is rehearsed, asked for if it fails, and followed. */
async function deployWith(
  services: SendServices,
  access: Access,
  message: SendableMessage,
  { plan: { name: wanted, address }, told }: { plan: Deployment; told: Told },
): Promise<DeployedContract | undefined> {
  const { deployedFate } = await import('../../toolkit/workflows/planDeployment');
  let deployed: DeployedContract | undefined;
  await deliverMessage(services, access, message, {
    objection: ({ rehearsal }) =>
      deploymentIn(rehearsal.trace, address) === 'absent'
        ? absentError({ name: wanted, address })
        : undefined,
    names: nameOf({ name: wanted, address }),
    onSent: async ({ hash, waitsForBlock }) => {
      const fate = waitsForBlock ? 'unknown' : await deployedFate(access, address, { priority: 'user' });
      if (fate === 'absent') {
        throw missingContractError(wanted, address, 'Look at its trace, and give it more coins.');
      }
      const { name } =
        access.network.kind === 'local'
          ? await controlNetwork(services, 'Deploying', 'name', { address, name: wanted })
          : { name: wanted };
      deployed = await told(name);
      if (fate === 'refused') {
        void tellRefused(name, false, hash);
      }
    },
  });
  return deployed;
}

async function tellRefused(name: string, isEmpty: boolean, hash: string): Promise<void> {
  const show = 'Open Trace';
  const text = refusedMessageText(name, { isEmpty, isSent: true });
  if ((await vscode.window.showWarningMessage(text, show)) === show) {
    await runCommand(vscode.commands, 'tonWorkbench.openTrace', hash);
  }
}

/** Reveals its row, which offers the next steps; a notification is shown only if nothing was deployed. */
async function showDeployed(
  services: SendServices,
  { address, name, already }: DeployedContract,
  network: Network,
): Promise<void> {
  await services.pins.reveal(network.name, address);
  if (already) {
    void vscode.window.showInformationMessage(
      `${name} is already deployed at ${shortAddress(address)}. Nothing was sent.`,
    );
  } else {
    say(`Deployed ${name} at ${shortAddress(address)}.`);
  }
}

/** The source in the active editor. */
function openSource(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri !== undefined && sourceLanguage(uri.path) !== undefined ? uri : undefined;
}

async function pickContractFile({ project }: Services): Promise<vscode.Uri | undefined> {
  const [outputs, contracts, { isFromSource }] = await Promise.all([
    vscode.workspace.findFiles('**/{*.compiled.json,*.pkg}', '**/node_modules/**', 200),
    project.list(),
    import('../../toolkit/build/findSource'),
  ]);
  const compiled = new Set(contracts.filter(isFromSource).map(({ file }) => file));
  const files = [...[...compiled].flatMap((file) => project.uriOf(file) ?? []), ...outputs];
  const sources = files.map((file): vscode.QuickPickItem & { file?: vscode.Uri } => ({
    label: fileName(file.path),
    description: vscode.workspace.asRelativePath(file),
    file,
  }));
  const isFolder = vscode.workspace.workspaceFolders !== undefined;
  const make: (typeof sources)[number] = {
    label: 'New Contract…',
    iconPath: new vscode.ThemeIcon('new-file'),
    description: 'counter or jetton',
  };
  const picked = await vscode.window.showQuickPick(isFolder ? [...sources, make] : sources, {
    title: 'TON: Deploy Contract',
    placeHolder:
      files.length > 0
        ? 'Choose a contract; sources are compiled first'
        : isFolder
          ? 'No contract here yet'
          : 'Open the folder of your project first',
  });
  if (picked === make) {
    await runCommand(vscode.commands, 'tonWorkbench.newContract');
    return undefined;
  }
  return picked?.file;
}
