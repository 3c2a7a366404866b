import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { ControlApi, ControlName } from '../../toolkit/localnet/control/controlApi';
import type { Services } from '../project/services';
import { askText } from '../ui/askText';
import { withProgress } from '../ui/withProgress';

/** Imports another network's fees and limits, after confirmation; accounts stay as they are. */
export async function importConfiguration(services: Services): Promise<void> {
  const title = 'TON: Import Network Configuration';
  const network = await pickNetwork(
    services,
    title,
    'Choose the network whose fees and limits to use',
    ({ v2 }) => v2 !== undefined,
  );
  if (network === undefined) {
    return;
  }
  await services.localNetwork.ensureRunning();
  const boc = await withProgress(`Reading the configuration of ${network.name}`, async (signal) => {
    const access = await services.connections.to(network);
    return (await access.v2.getConfigAll({}, { signal })).config.bytes;
  });
  const agreed = await sure(
    `Use the configuration of ${network.name} on the local network?`,
    'Fees and limits change with the next block. Accounts, transactions, and snapshots stay. Reset the local network to return to the built-in configuration.',
    'Use Configuration',
  );
  if (!agreed) {
    return;
  }
  const origin = `${network.name}, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const { version } = await controlNetwork(services, 'Importing the configuration', 'config', {
    boc,
    origin,
  });
  say(`Configuration of ${network.name}, global version ${version}`);
}

/** Continues from a block of another network, on this machine. */
export async function forkNetwork(services: Services): Promise<void> {
  const title = 'TON: Fork a Network Locally';
  const network = await pickNetwork(
    services,
    title,
    'Choose the network to fork. Nothing is sent to it.',
    ({ v2, v3 }) => v2 !== undefined || v3 !== undefined,
  );
  if (network === undefined) {
    return;
  }
  const block = await askText({
    title: `${title}: ${network.name}`,
    prompt: 'Masterchain block to fork at; leave empty for the latest. Older blocks need an archive service.',
    placeholder: 'Latest block',
    validate: (text) =>
      /^(?:\d{1,9})?$/.test(text.trim())
        ? undefined
        : 'Enter the seqno of a masterchain block, or leave it empty.',
  });
  if (typeof block !== 'string') {
    return;
  }
  const state = services.localNetwork.state();
  const before =
    state.kind === 'running' && state.fork !== undefined
      ? `The running fork of ${state.fork.network} is discarded.`
      : 'The current state of the local network is kept. TON: Leave Fork restores it.';
  if (!(await sure(`Fork ${network.name} on this machine?`, before, 'Fork'))) {
    return;
  }
  const seqno = block.trim() === '' ? undefined : Number(block);
  await withProgress(`Forking ${network.name}`, () =>
    services.localNetwork.fork({ network: network.name, seqno }),
  );
  const running = services.localNetwork.state();
  const at = running.kind === 'running' ? running.fork?.seqno : undefined;
  say(`A fork of ${network.name}${at === undefined ? '' : ` at block ${at}`} runs`);
}

/** Returns from a fork to the workspace's own local network. */
export async function leaveFork(services: Services): Promise<void> {
  const state = services.localNetwork.state();
  const name = state.kind === 'running' ? state.fork?.network : undefined;
  const question = name === undefined ? 'Leave the fork?' : `Leave the fork of ${name}?`;
  if (
    await sure(
      question,
      'Everything on it is lost. The local network returns to its state before the fork.',
      'Leave It',
    )
  ) {
    await withProgress('Leaving the fork', () => services.localNetwork.fork(undefined));
  }
}

async function pickNetwork(
  services: Services,
  title: string,
  placeHolder: string,
  fits: (network: Network) => boolean,
): Promise<Network | undefined> {
  const [local, ...others] = services.networks.list();
  const networks = others.filter((network) => network !== local && fits(network));
  if (networks.length === 0) {
    throw new WorkbenchError({
      code: 'no-other-network',
      kind: 'input',
      message: 'There is no other network to fork or import from.',
      hint: 'Add one in the setting tonWorkbench.networks.',
    });
  }
  const picked = await vscode.window.showQuickPick(
    networks.map((network) => ({
      label: network.name,
      description: network.v3 ?? network.v2 ?? '',
      network,
    })),
    { title, placeHolder },
  );
  return picked?.network;
}

/** Sends a command to the local network, starting it first if it is not running. */
export async function controlNetwork<Name extends ControlName>(
  services: Services,
  title: string,
  name: Name,
  parameters: ControlApi[Name]['parameters'],
): Promise<ControlApi[Name]['result']> {
  return withProgress(title, async (signal) => {
    const localnet = await services.localNetwork.ensureRunning(signal);
    const { callControl } = await import('../../toolkit/localnet/callControl');
    return callControl(localnet.control, name, parameters, signal);
  });
}

/** Reports what was done, if that needs no reaction. */
export function say(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5000);
}

/** Asks for confirmation before something is lost. */
export async function sure(question: string, detail: string, action: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}
