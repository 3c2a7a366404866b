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
import type { SendServices } from '../send/sendServices';
import type { Services } from '../services';
import {
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
} from './contractCommands';
import { ContractsTree } from './contractsTree';
import type { PlainCall } from './contractsTree';
import { FreshAnswers } from './freshAnswers';
import { goToSource } from './goToSource';
import { runOnContract } from './runOnContract';
import { Watches } from './watches';

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
