import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { askInitialData } from './askInitialData';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { controlNetwork, say } from './controlNetwork';
import { sourceLanguage } from '../../toolkit/abi/sourceReadings';
import { fileName } from '../../toolkit/fileName';
import { readContractFile } from './readContractFile';

/** A contract on the local network. */
export interface DeployedContract {
  /** Raw, lower-case hex. */
  address: string;
  name: string;
  /** It already existed, and nothing was sent. */
  already: boolean;
  /**
   * Hash of its trace's first transaction, or of its message until there is one; undefined if nothing was
   * sent.
   */
  hash?: string;
}

/**
 * Deploys a contract from the given file, from the source in the editor, or after asking; then shows it in
 * the view "Contracts".
 * @param onSent shows the row of its trace
 */
export async function deployContract(
  services: Services,
  file: vscode.Uri | undefined,
  onSent: (hash: string) => void,
): Promise<void> {
  const deployed = await deployBuilt(services, file ?? openSource());
  if (deployed !== undefined) {
    await showDeployed(services, deployed);
    if (deployed.hash !== undefined) {
      onSent(deployed.hash);
    }
  }
}

/**
 * Deploys a contract to the local network from compiler output (Blueprint's *.compiled.json, Tact's *.pkg,
 * output of the Tolk and FunC compilers) or from a source, which is compiled first. The address follows
 * from code and data; if there is already a contract, nothing is sent.
 * @param given asked for if absent
 * @param contract its name, if the source declares several
 * @returns undefined if the user canceled
 * @throws WorkbenchError `localnet-refused` (input), and as {@link readContractFile}
 */
export async function deployBuilt(
  services: Services,
  given: vscode.Uri | undefined,
  contract?: string,
): Promise<DeployedContract | undefined> {
  const file = given ?? (await pickContractFile(services));
  const built = file === undefined ? undefined : await readContractFile(services, file, contract);
  if (file === undefined || built === undefined) {
    return undefined;
  }
  await services.localNetwork.ensureRunning();
  const data = await askInitialData(services, built, file);
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
  const { name, message, trace } = await controlNetwork(services, 'Deploying', 'deploy', {
    code: built.code,
    data: data.toBoc().toString('base64'),
    name: built.name,
  });
  setContextKey(vscode.commands, 'tonWorkbench.contractDeployed', true);
  return { address, name: name ?? built.name, already: false, hash: trace ?? message };
}

/** Reveals its row, which offers the next steps; a notification is shown only if nothing was deployed. */
async function showDeployed(services: Services, { address, name, already }: DeployedContract): Promise<void> {
  await services.pins.reveal(services.networks.local().name, address);
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
  const sources = new Set(contracts.filter(isFromSource).map(({ file }) => file));
  const files = [...[...sources].flatMap((file) => project.uriOf(file) ?? []), ...outputs];
  const picked = await vscode.window.showQuickPick(
    files.map((file) => ({
      label: fileName(file.path),
      description: vscode.workspace.asRelativePath(file),
      file,
    })),
    {
      title: 'TON: Deploy to the Local Network',
      placeHolder:
        files.length === 0
          ? 'No contract in this workspace: write one in Tolk, FunC or Tact, or open the folder of your project'
          : 'Choose a contract; sources are compiled first',
    },
  );
  return picked?.file;
}
