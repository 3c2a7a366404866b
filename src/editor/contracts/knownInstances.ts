import * as vscode from 'vscode';
import type { Services } from '../services';
import { findInstances, isInstanceOf, possibleInstances } from '../instances/findInstances';
import type { Instance } from '../instances/findInstances';

/** Which contracts of the workspace are deployed on the local network, kept up to date in the background. */
export class KnownInstances implements vscode.Disposable {
  readonly #services: Services;
  readonly #onChange: () => void;
  readonly #subscriptions: vscode.Disposable;
  #found: readonly Instance[] = [];
  /** The state that was last searched. */
  #looked = '';
  #looking: Promise<void> = Promise.resolve();

  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#onChange = onChange;
    const again = (): void => {
      this.#looked = '';
      this.#look();
    };
    this.#subscriptions = vscode.Disposable.from(
      services.localNetwork.onDidChange(() => this.#look()),
      services.project.onDidChange(again),
    );
    this.#look();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Raw addresses of the deployed contracts with this contract's code. */
  of(contract: string): string[] {
    return this.#found.filter((one) => isInstanceOf(one, contract)).map(({ address }) => address);
  }

  #look(): void {
    const network = this.#services.networks.local();
    const isRunning = this.#services.localNetwork.state().kind === 'running';
    const addresses = isRunning ? possibleInstances(this.#services, network) : [];
    const looked = addresses.join(' ');
    if (looked === this.#looked) {
      return;
    }
    this.#looked = looked;
    this.#looking = this.#looking.then(async () => {
      try {
        this.#found = addresses.length === 0 ? [] : await findInstances(this.#services, network);
        this.#onChange();
      } catch (error) {
        this.#services.log.debug(`contracts of the local network: ${String(error)}`);
      }
    });
  }
}
