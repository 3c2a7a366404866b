import * as vscode from 'vscode';
import type { ChainSighting } from '../../toolkit/webhook/board/chainSighting';
import { limits } from '../../toolkit/base/limits';

const key = 'webhookChainSightings';

/** What the checks of this workspace's deliveries against the chain have shown, also in earlier sessions. */
export class ChainSightings implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #byDelivery: ReadonlyMap<string, ChainSighting>;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#byDelivery = new Map(memento.get<[string, ChainSighting][]>(key, []));
  }

  /** By delivery id. */
  all(): ReadonlyMap<string, ChainSighting> {
    return this.#byDelivery;
  }

  async set(deliveryId: string, sighting: ChainSighting): Promise<void> {
    const rest = [...this.#byDelivery].filter(([id]) => id !== deliveryId);
    this.#byDelivery = new Map([
      ...rest.slice(-(limits.webhookChainSightings.most - 1)),
      [deliveryId, sighting],
    ]);
    this.#changed.fire();
    await this.#memento.update(key, [...this.#byDelivery]);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
