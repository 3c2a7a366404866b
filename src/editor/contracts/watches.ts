import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import type {
  AccountRequest,
  AccountRow,
  ContractRow,
  GetMethodRequest,
  MethodRow,
} from '../../commandTargets';
import { setContextKey } from '../../contextKeys';
import { runCommand, showView } from '../../contributions';
import { contractSources } from '../../toolkit/contracts/abi/projectContract';
import type { Network } from '../../toolkit/access/network';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { accountNameProblem } from '../../toolkit/address/shortAddress';
import { WatchSchedule } from '../../toolkit/getMethods/watchSchedule';
import { ownValue } from '../../toolkit/base/collections';
import { systemClock } from '../../toolkit/base/time';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { askAccount } from '../project/askAccount';
import { itemAddress } from '../project/itemAddress';
import { accountWord, accountsByName } from '../project/accountName';
import type { PinnedContract } from '../project/pinnedContracts';
import { callOnNetwork, noteAnswer } from '../getMethods/copyCallCommand';
import type { CompleteCall } from '../getMethods/recentCalls';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../project/services';
import { askText } from '../ui/askText';
import type { Watch } from './keptWatches';
import { keepWatches, keptWatches } from './keptWatches';

/**
 * This window's watched calls: they rerun after each block of the local network; elsewhere when the network streams
 * that their account has changed, or at an interval.
 * They are saved with the workspace, and continue when the window is reloaded.
 */
export class Watches implements vscode.Disposable {
  readonly #services: Services;
  readonly #schedule: WatchSchedule<Watch>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #status: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;
  #block: number | undefined;

  /** @param run runs a call and shows its answer */
  constructor(services: Services, run: (watch: Watch, network: Network) => Promise<void>) {
    this.#services = services;
    this.#schedule = new WatchSchedule({
      run: async (watch) => {
        const network = this.#network(watch);
        // If the network is stopped or the contract removed, check again next time.
        if (network !== undefined && (network.v2 ?? network.v3) !== undefined) {
          await run(watch, network);
        }
      },
      isLocal: (watch) => this.#network(watch)?.kind === 'local',
      onError: ({ method, address }, error) =>
        services.log.warn(`watched ${method} of ${address}: ${String(error)}`),
      after: systemClock.after,
      streams: {
        placeOf: ({ network, address }) => ({ network, address }),
        access: async (name) => {
          const network = services.networks.find(name);
          return network && services.connections.to(network);
        },
        clock: systemClock,
      },
    });
    this.#status = vscode.window.createStatusBarItem(
      'tonWorkbench.watches',
      vscode.StatusBarAlignment.Left,
      48,
    );
    this.#status.name = 'TON Watched Calls';
    this.#status.command = 'tonWorkbench.stopWatching' satisfies CommandId;
    this.#subscription = services.localNetwork.onDidChange(() => this.#followBlocks());
    keptWatches(services.context.workspaceState).forEach((watch) => this.#schedule.add(watch));
    this.#show();
  }

  dispose(): void {
    this.#schedule.keep(() => false);
    this.#subscription.dispose();
    this.#status.dispose();
    this.#changed.dispose();
  }

  find(network: string, address: string, method: string): Watch | undefined {
    return this.#schedule.watches.find(
      (watch) => watch.network === network && watch.address === address && watch.method === method,
    );
  }

  /** Watches a call and runs it now. */
  add(watch: Watch): void {
    const known = this.find(watch.network, watch.address, watch.method);
    this.#schedule.keep((other) => other !== known);
    this.#schedule.add(watch);
    this.#update();
  }

  /** Stops the watches of a contract, or of one of its methods, and returns them. */
  remove(network: string, address: string, method?: string): readonly Watch[] {
    const stopped = this.#schedule.watches.filter(
      (watch) =>
        watch.network === network &&
        watch.address === address &&
        (method === undefined || watch.method === method),
    );
    this.#schedule.keep((watch) => !stopped.includes(watch));
    this.#update();
    return stopped;
  }

  /** Stops all watches. */
  stop(): void {
    this.#schedule.keep(() => false);
    this.#update();
  }

  #update(): void {
    void keepWatches(this.#services.context.workspaceState, this.#schedule.watches);
    this.#show();
    this.#changed.fire();
  }

  #show(): void {
    const { length } = this.#schedule.watches;
    setContextKey(vscode.commands, 'tonWorkbench.watching', length > 0);
    if (length === 0) {
      this.#status.hide();
    } else {
      const calls = length === 1 ? '1 call' : `${length} calls`;
      this.#status.text = `$(eye) ${calls}`;
      this.#status.tooltip = `${calls} ${length === 1 ? 'runs' : 'run'} again after each block of the local network. On other networks: when the account changes, or every few seconds if the network does not stream. Click to stop.`;
      this.#status.accessibilityInformation = { label: `TON: watching ${calls}, stop`, role: 'button' };
      this.#status.show();
    }
  }

  #followBlocks(): void {
    const state = this.#services.localNetwork.state();
    const block = state.kind === 'running' ? state.block : undefined;
    if (block === undefined || block === this.#block) {
      return;
    }
    this.#block = block;
    this.#schedule.blockMade();
  }

  #network({ network }: Watch): Network | undefined {
    return this.#services.networks.find(network);
  }
}

/** Pins a contract of the current network, given by a row or text, or asks for one. */
export async function pinContract(services: Services, item: string | AccountRow | undefined): Promise<void> {
  const address =
    itemAddress(item) ??
    (await askAccount(services, { title: 'TON: Pin Contract', placeholder: 'Choose a contract' }));
  if (address === undefined) {
    return;
  }
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  await showView(vscode.commands, 'contracts');
  await services.pins.reveal(services.networks.current().name, parseAddressInput(address).toRawString());
}

/** Sets or removes the user's name for a pinned contract. */
export async function renameContract(services: Services, row: ContractRow): Promise<void> {
  const pin = services.pins.find(row.pin.network, row.pin.address);
  if (pin === undefined) {
    return;
  }
  const name = await askText({
    title: 'TON: Name of the Contract',
    prompt: 'Use it as @name in arguments. Leave empty to remove the name.',
    placeholder: 'minter',
    value: pin.name ?? '',
    validate: (text) =>
      text.trim() === '' ? undefined : accountNameProblem(text.trim(), pin.address, accountsByName(services)),
  });
  if (typeof name === 'string') {
    await nameContract(services, pin, name.trim() === '' ? undefined : name.trim());
  }
}

/** Gives the name to the local network as well, for the folder's other windows and the command line. */
async function nameContract(
  services: Services,
  { network, address }: Pick<PinnedContract, 'network' | 'address'>,
  name: string | undefined,
): Promise<void> {
  const local = services.networks.local();
  const { controlOf } = await import('../../toolkit/localnet/controlOf');
  const control = network === local.name && name !== undefined ? controlOf(local) : undefined;
  await services.pins.rename(network, address, name);
  if (control !== undefined && name !== undefined) {
    const { callControl } = await import('../../toolkit/localnet/callControl');
    await callControl(control, 'name', { address, name });
  }
}

/** Removes a contract and its watches from the view, with an undo action. */
export async function removeContract(
  services: Services,
  watches: Watches,
  { pin: given }: ContractRow,
): Promise<void> {
  const pins = services.pins.of(given.network);
  const place = pins.findIndex(({ address }) => address === given.address);
  const pin = pins[place];
  if (pin === undefined) {
    return;
  }
  const watched = watches.remove(pin.network, pin.address);
  await services.pins.remove(pin.network, pin.address);
  const name = accountWord(services)(pin.address);
  void vscode.window
    .showInformationMessage(`Unpinned ${name}. The contract itself is unchanged.`, 'Undo')
    .then(async (answer) => {
      if (answer === 'Undo') {
        await services.pins.restore(pin, place);
        watched.forEach((watch) => watches.add(watch));
      }
    });
}

/** Assigns a workspace contract to a deployed one, and remembers that by the hash of its code. */
export async function chooseContractSource(services: Services, item: AccountRow | undefined): Promise<void> {
  const address =
    itemAddress(item) ??
    (await askAccount(services, { title: 'TON: Choose Contract Source', placeholder: 'Choose a contract' }));
  if (address === undefined) {
    return;
  }
  const access = await services.connections.current();
  const { codeHash, name } = await methodsOf(services, access.network, address);
  if (codeHash === undefined) {
    void vscode.window.showInformationMessage('This account has no code, so it cannot have a source.');
    return;
  }
  const sources = contractSources(await services.project.list());
  const chosen = services.project.chosen(codeHash);
  const picked = await vscode.window.showQuickPick(
    [
      ...sources.map((one) => ({ ...one, description: one.name === name ? 'now' : '' })),
      {
        label: '$(discard) Recognize it by its code',
        description: chosen === undefined ? 'now' : `instead of ${chosen}`,
        detail: 'Uses the source whose build output has the same hash',
        name: undefined,
      },
    ],
    {
      title: 'TON: Choose Contract Source',
      placeHolder:
        sources.length === 0
          ? 'No sources, ABIs, or wrappers with get-methods in this workspace: open the project folder'
          : 'Applies to every contract with this code',
      matchOnDetail: true,
    },
  );
  if (picked !== undefined) {
    await services.project.choose(codeHash, picked.name);
  }
}

/** Forgets a chosen source, so that the contract is recognized by its code again. */
export async function forgetContractSource(services: Services, item: AccountRequest): Promise<void> {
  const { network } = await services.connections.current();
  const { codeHash } = await methodsOf(services, network, item.account.address);
  if (codeHash !== undefined) {
    await services.project.choose(codeHash, undefined);
  }
  if (item.sections !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.openAccount', item);
  }
}

/**
 * Runs a method of a pinned contract with the arguments of its last call; asks for them if it has not been
 * run with any.
 */
export async function runPinnedMethod(services: Services, { pin, method }: MethodRow): Promise<void> {
  const { calls = {} } = services.pins.find(pin.network, pin.address) ?? {};
  const stack = method.signature?.parameters.length === 0 ? '' : ownValue(calls, method.name)?.stack;
  await runMethod({ pin, method }, stack);
}

/** Runs a method of a pinned contract after asking for its arguments. */
export async function askPinnedMethod(row: MethodRow): Promise<void> {
  await runMethod(row, undefined);
}

async function runMethod({ pin, method }: MethodRow, stack: string | undefined): Promise<void> {
  const call: GetMethodRequest = { network: pin.network, address: pin.address, method: method.name };
  await runCommand(
    vscode.commands,
    'tonWorkbench.runGetMethod',
    stack === undefined ? call : { ...call, stack },
  );
}

/** Watches a call: of a row with its last arguments, or as passed by a lens. Pins the contract if necessary. */
export async function watchCall(
  services: Services,
  watches: Watches,
  given: MethodRow | GetMethodRequest,
): Promise<void> {
  const call = await callOf(services, given);
  if (call !== undefined) {
    await services.pins.add(call.network, call.address);
    watches.add(call);
  }
}

export function unwatchCall(watches: Watches, { pin, method }: MethodRow): void {
  watches.remove(pin.network, pin.address, method.name);
}

async function callOf(services: Services, given: MethodRow | GetMethodRequest): Promise<Watch | undefined> {
  if ('pin' in given) {
    const { pin, method } = given;
    const { calls = {} } = services.pins.find(pin.network, pin.address) ?? {};
    const known = ownValue(calls, method.name);
    if (known === undefined && (method.signature?.parameters.length ?? 0) > 0) {
      // Running it asks for the arguments; its result document then offers to watch it.
      await askPinnedMethod(given);
      return undefined;
    }
    return { network: pin.network, address: pin.address, method: method.name, stack: known?.stack ?? '' };
  }
  if (given.address === undefined || given.method === undefined) {
    return undefined;
  }
  const { networks } = services;
  const network = networks.find(given.network) ?? networks.current();
  return {
    network: network.name,
    address: resolveAccount(given.address, accountsByName(services, network)),
    method: given.method,
    stack: given.stack ?? '',
  };
}

/** Runs a watched call once, and updates its row and its open document. */
export async function runWatch(services: Services, watch: Watch, network: Network): Promise<void> {
  const answer = await runInBackground(services, watch, network);
  const { updateGetMethodResult } = await import('../getMethods/showGetMethodResult');
  await updateGetMethodResult(services, watch, answer);
}

/** Runs a call in the background and updates its row; an open document stays as it is. */
export async function runInBackground(
  services: Services,
  { address, method, stack }: CompleteCall,
  network: Network,
): Promise<ContractAnswer> {
  const call: CompleteCall = { address, method, stack };
  const answer = await callOnNetwork(services, network, call, { priority: 'background' });
  await noteAnswer(services, call, answer, { isAsked: false });
  return answer;
}
