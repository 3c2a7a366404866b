import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import { setContextKey } from '../../contextKeys';
import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';
import { keepWatches, keptWatches } from './keptWatches';
import type { Watch } from './keptWatches';
import { WatchSchedule } from '../../toolkit/getMethods/watchSchedule';

/**
 * This window's watched calls: they rerun after each block of the local network, elsewhere at an interval.
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
      after: (ms, work) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
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
      this.#status.tooltip = `${calls} ${length === 1 ? 'runs' : 'run'} again after each block of the local network, and every few seconds on other networks. Click to stop.`;
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
    return this.#services.networks.list().find(({ name }) => name === network);
  }
}
