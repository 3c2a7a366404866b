import * as vscode from 'vscode';
import { setContextKey } from '../../contributions';
import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';

/** A call that runs again and again; of each method of a contract at most one. */
export interface Watch {
  /** Name of the network. */
  network: string;
  /** Raw, in lower case. */
  address: string;
  method: string;
  stack: string;
}

/** Blocks come in bursts; the last one counts. */
const debounceMs = 150;
/** On other networks than the local one: no call more often than this, and no more than half the pace for all of them. */
const shortestMs = 5_000;
const publicPerSecond = 0.5;

/** The watched calls of this window: run again after each block of the local network, elsewhere at an interval. */
export class Watches implements vscode.Disposable {
  readonly #services: Services;
  readonly #run: (watch: Watch, network: Network) => Promise<void>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #status: vscode.StatusBarItem;
  readonly #subscription: vscode.Disposable;
  #watches: Watch[] = [];
  #block: number | undefined;
  #timers = new Map<'blocks' | 'interval', NodeJS.Timeout>();
  #running = new Set<Watch>();

  constructor(services: Services, run: (watch: Watch, network: Network) => Promise<void>) {
    this.#services = services;
    this.#run = run;
    this.#status = vscode.window.createStatusBarItem(
      'tonWorkbench.watches',
      vscode.StatusBarAlignment.Left,
      48,
    );
    this.#status.name = 'TON Watched Calls';
    this.#status.command = 'tonWorkbench.stopWatching';
    this.#subscription = services.localNetwork.onDidChange(() => this.#followBlocks());
  }

  dispose(): void {
    this.stop();
    this.#subscription.dispose();
    this.#status.dispose();
    this.#changed.dispose();
  }

  find(network: string, address: string, method: string): Watch | undefined {
    return this.#watches.find(
      (watch) => watch.network === network && watch.address === address && watch.method === method,
    );
  }

  /** Watches a call, and runs it now. */
  add(watch: Watch): void {
    const { network, address, method } = watch;
    this.#watches = this.#watches.filter((known) => known !== this.find(network, address, method));
    this.#watches.push(watch);
    this.#update();
    void this.#again(watch);
  }

  remove(network: string, address: string, method?: string): void {
    this.#watches = this.#watches.filter(
      (watch) =>
        watch.network !== network ||
        watch.address !== address ||
        (method !== undefined && watch.method !== method),
    );
    this.#update();
  }

  /** Stops all of them. */
  stop(): void {
    this.#watches = [];
    this.#update();
  }

  #update(): void {
    const { length } = this.#watches;
    setContextKey(vscode.commands, 'tonWorkbench.watching', length > 0);
    if (length === 0) {
      this.#timers.forEach(clearTimeout);
      this.#timers.clear();
      this.#status.hide();
    } else {
      const calls = length === 1 ? '1 call' : `${length} calls`;
      this.#status.text = `$(eye) ${calls}`;
      this.#status.tooltip = `${calls} run again after each block. Click to stop.`;
      this.#status.accessibilityInformation = { label: `TON: watching ${calls}, stop`, role: 'button' };
      this.#status.show();
      this.#schedule();
    }
    this.#changed.fire();
  }

  #followBlocks(): void {
    const state = this.#services.localNetwork.state();
    const block = state.kind === 'running' ? state.block : undefined;
    if (block === undefined || block === this.#block) {
      return;
    }
    this.#block = block;
    const local = this.#watches.filter((watch) => this.#network(watch)?.kind === 'local');
    if (local.length > 0 && !this.#timers.has('blocks')) {
      this.#after('blocks', debounceMs, () => Promise.all(local.map((watch) => this.#again(watch))));
    }
  }

  #schedule(): void {
    const others = this.#watches.filter((watch) => this.#network(watch)?.kind !== 'local');
    if (others.length === 0 || this.#timers.has('interval')) {
      return;
    }
    const pause = Math.max(shortestMs, (others.length / publicPerSecond) * 1000);
    this.#after('interval', pause, async () => {
      await Promise.all(others.map((watch) => this.#again(watch)));
      this.#schedule();
    });
  }

  #after(name: 'blocks' | 'interval', pause: number, work: () => Promise<unknown>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      void work();
    }, pause);
    this.#timers.set(name, timer);
  }

  /** One run of a call at a time; a network that cannot be reached is asked again the next time. */
  async #again(watch: Watch): Promise<void> {
    const network = this.#network(watch);
    const isWanted = network !== undefined && (network.v2 ?? network.v3) !== undefined;
    if (!isWanted || this.#running.has(watch) || !this.#watches.includes(watch)) {
      return;
    }
    this.#running.add(watch);
    try {
      await this.#run(watch, network);
    } catch (error) {
      this.#services.log.warn(`watched ${watch.method} of ${watch.address}: ${String(error)}`);
    } finally {
      this.#running.delete(watch);
    }
  }

  #network({ network }: Watch): Network | undefined {
    return this.#services.networks.list().find(({ name }) => name === network);
  }
}
