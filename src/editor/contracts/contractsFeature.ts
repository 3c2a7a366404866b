import * as vscode from 'vscode';
import type {
  AccountRequest,
  AccountRow,
  ContractRow,
  GetMethodRequest,
  MethodRow,
  RunTarget,
  SourceRow,
} from '../../commandTargets';
import { runCommand } from '../../contributions';
import { plainName } from '../../toolkit/contracts/abi/projectContract';
import { sourcePlaces } from '../../toolkit/contracts/abi/readTlbComments';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { Network } from '../../toolkit/access/network';
import { RecentCalls } from '../getMethods/recentCalls';
import { chooseInstance } from '../project/chooseInstance';
import { methodsOf } from '../project/methodsOf';
import type { SendServices } from '../send/showRehearsal';
import type { Services } from '../project/services';
import { withProgress } from '../ui/withProgress';
import type { PlainCall } from './contractsTree';
import { ContractsTree } from './contractsTree';
import { rememberDeployed } from './deployedOf';
import { FreshAnswers } from './freshAnswers';
import {
  Watches,
  askPinnedMethod,
  chooseContractSource,
  forgetContractSource,
  pinContract,
  removeContract,
  renameContract,
  runInBackground,
  runPinnedMethod,
  runWatch,
  unwatchCall,
  watchCall,
} from './watches';

/** The view "Contracts" and its commands; loaded on first use. */
export class ContractsFeature implements vscode.Disposable {
  readonly tree: ContractsTree;
  readonly #services: Services;
  readonly #sending: () => Promise<SendServices>;
  readonly #watches: Watches;
  readonly #fresh: FreshAnswers<PlainCall>;
  readonly #all: vscode.Disposable;

  constructor(services: Services, sending: () => Promise<SendServices>) {
    this.#services = services;
    this.#sending = sending;
    this.#watches = new Watches(services, (watch, network) => runWatch(services, watch, network));
    this.tree = new ContractsTree(services, this.#watches);
    this.#fresh = new FreshAnswers(services, {
      calls: () => this.tree.plainCalls(),
      key: ({ pin: { address }, method: { name } }) => `${address} ${name}`,
      run: async ({ pin: { address }, method: { name } }) => {
        const call = { address, method: name, stack: '' };
        await runInBackground(services, call, services.networks.current());
      },
      together: (round) => services.pins.together(round),
    });
    const refresh = (): void => this.tree.refresh();
    const show = (): void => this.tree.show();
    const { networks, localNetwork, pins, project } = services;
    this.#all = vscode.Disposable.from(
      this.#watches,
      this.#fresh,
      this.tree,
      this.tree.onDidChangeTreeData(() => this.#fresh.look()),
      networks.onDidChange(refresh),
      localNetwork.onDidChange(refresh),
      pins.onDidChange(show),
      project.onDidChange(refresh),
      this.#watches.onDidChange(show),
    );
  }

  dispose(): void {
    this.#all.dispose();
  }

  pin(item: string | AccountRow | undefined): Promise<void> {
    return pinContract(this.#services, item);
  }

  rename(item: ContractRow): Promise<void> {
    return renameContract(this.#services, item);
  }

  remove(item: ContractRow): Promise<void> {
    return removeContract(this.#services, this.#watches, item);
  }

  chooseSource(item: AccountRow | undefined): Promise<void> {
    return chooseContractSource(this.#services, item);
  }

  forgetSource(item: AccountRequest): Promise<void> {
    return forgetContractSource(this.#services, item);
  }

  run(item: MethodRow): Promise<void> {
    return runPinnedMethod(this.#services, item);
  }

  ask(item: MethodRow): Promise<void> {
    return askPinnedMethod(item);
  }

  goToSource(item: SourceRow): Promise<void> {
    return goToSource(this.#services, item);
  }

  /** Answers are kept current while the view is visible. */
  setVisible(isVisible: boolean): void {
    this.#fresh.setVisible(isVisible);
  }

  watch(item: MethodRow | GetMethodRequest): Promise<void> {
    return watchCall(this.#services, this.#watches, item);
  }

  unwatch(item: MethodRow): void {
    unwatchCall(this.#watches, item);
  }

  stopWatching(): void {
    this.#watches.stop();
  }

  runOn(target: RunTarget): Promise<void> {
    return runOnContract(this.#services, this.#sending, target);
  }
}

/** Opens the source of a row: of the contract, the get-method, or the message's struct. */
async function goToSource(services: Services, row: SourceRow): Promise<void> {
  const place = (await placeOf(services, row)) ?? (await chosenPlace(services, row));
  if (place === undefined) {
    return;
  }
  const document = await vscode.workspace.openTextDocument(place.uri);
  const start = document.positionAt(place.offset);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
}

/** The place in the source that the user chooses for a contract whose source is not known. */
async function chosenPlace(services: Services, row: SourceRow): Promise<Place | undefined> {
  const choose = 'Choose Contract Source…';
  const answer = await vscode.window.showInformationMessage(
    'No source of this contract is known in this workspace.',
    choose,
  );
  if (answer !== choose) {
    return undefined;
  }
  const { network: named, address } = row.pin;
  await runCommand(vscode.commands, 'tonWorkbench.chooseContractSource', { account: { address } });
  const network = services.networks.find(named);
  const { name } = await methodsOf(services, network ?? services.networks.current(), address);
  return name === undefined ? undefined : placeOf(services, { ...row, contract: name });
}

interface Place {
  uri: vscode.Uri;
  offset: number;
}

async function placeOf(
  { project }: Services,
  { contract, method, target }: SourceRow,
): Promise<Place | undefined> {
  if (contract === undefined) {
    return undefined;
  }
  const all = (await project.list()).filter(({ file }) => sourceLanguage(file) !== undefined);
  const own = all.filter(({ name }) => plainName(name) === plainName(contract));
  const at = (file: string, offset: number): Place | undefined => {
    const uri = project.uriOf(file);
    return uri === undefined ? undefined : { uri, offset };
  };
  if (method !== undefined) {
    for (const { file, methods } of own) {
      const { offset } = methods.find(({ name }) => name === method.name) ?? {};
      if (offset !== undefined) {
        return at(file, offset);
      }
    }
  }
  if (target !== undefined) {
    // The struct can be in a file that the contract imports.
    const others = all.filter((one) => !own.includes(one));
    for (const { file } of [...own, ...others]) {
      const place = at(file, 0);
      const offset = place && (await structAt(place.uri, target.message));
      if (place !== undefined && offset !== undefined) {
        return { ...place, offset };
      }
    }
  }
  const [first] = own;
  return first === undefined ? undefined : at(first.file, 0);
}

async function structAt(uri: vscode.Uri, name: string): Promise<number | undefined> {
  const language = sourceLanguage(uri.path);
  if (language === undefined) {
    return undefined;
  }
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  return sourcePlaces(text, language).structs.get(name);
}

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
