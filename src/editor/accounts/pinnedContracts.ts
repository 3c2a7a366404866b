import { lowerHex } from '../../toolkit/address/lowerHex';
import * as vscode from 'vscode';
import type { SummaryPart } from '../../toolkit/getMethods/summaryText';
import { ownValue } from '../../toolkit/ownValue';

/** The last call of a get-method of a pinned contract. */
export interface PinnedCall {
  method: string;
  /** Stack text that needs no signature. */
  stack: string;
  /** What it answered. */
  answer: SummaryPart[];
  /** What it answered before that, where that was something else. */
  was?: SummaryPart[];
  /** When, in milliseconds since 1970. */
  at: number;
  failed: boolean;
}

/** A contract that the user wants to have at hand. */
export interface PinnedContract {
  /** Name of the network. */
  network: string;
  /** Raw, `wc:hex`, in lower case. */
  address: string;
  /** As the user calls it: a name that stack text can use (`@minter`). */
  name?: string;
  /** By method: the last call of each. */
  calls: Record<string, PinnedCall>;
}

const key = 'pinnedContracts';

/** The contracts of the view "Contracts", kept with the workspace. */
export class PinnedContracts implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<PinnedContract | undefined>();
  /** The contract whose row changed, or undefined when the list itself did. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Those of one network, in the order in which they were pinned. */
  of(network: string): PinnedContract[] {
    return this.#all().filter((pin) => pin.network === network);
  }

  find(network: string, address: string): PinnedContract | undefined {
    return this.of(network).find((pin) => pin.address === lowerHex(address));
  }

  /** Pins a contract; one that is pinned already stays as it is. */
  async add(network: string, address: string): Promise<PinnedContract> {
    const known = this.find(network, address);
    if (known !== undefined) {
      return known;
    }
    const pin = { network, address: lowerHex(address), calls: {} };
    await this.#write([...this.#all(), pin]);
    return pin;
  }

  async remove(network: string, address: string): Promise<void> {
    await this.#write(this.#all().filter((pin) => pin.network !== network || pin.address !== address));
  }

  /** Puts back what was removed, where it stood among those of its network. */
  async restore(pin: PinnedContract, place: number): Promise<void> {
    const others = this.#all().filter(({ network }) => network !== pin.network);
    const same = this.of(pin.network).filter(({ address }) => address !== pin.address);
    await this.#write([...others, ...same.slice(0, place), pin, ...same.slice(place)]);
  }

  /** @param name undefined takes the name away */
  async rename(network: string, address: string, name: string | undefined): Promise<void> {
    await this.#change(network, address, ({ name: _, ...pin }) =>
      name === undefined ? pin : { ...pin, name },
    );
  }

  /** Notes what a call has answered; a contract that is not pinned is left alone. */
  async answered(network: string, address: string, call: Omit<PinnedCall, 'was'>): Promise<void> {
    await this.#change(network, address, (pin) => {
      const before = ownValue(pin.calls, call.method);
      const isSame = before?.stack === call.stack;
      const was =
        isSame && JSON.stringify(before.answer) !== JSON.stringify(call.answer) ? { was: before.answer } : {};
      return { ...pin, calls: { ...pin.calls, [call.method]: { ...call, ...was } } };
    });
  }

  async #change(
    network: string,
    address: string,
    change: (pin: PinnedContract) => PinnedContract,
  ): Promise<void> {
    const known = this.find(network, address);
    if (known !== undefined) {
      const changed = change(known);
      const all = this.#all().map((pin) =>
        pin.network === network && pin.address === known.address ? changed : pin,
      );
      await this.#state.update(key, all);
      this.#changed.fire(changed);
    }
  }

  async #write(pins: PinnedContract[]): Promise<void> {
    await this.#state.update(key, pins);
    this.#changed.fire(undefined);
  }

  #all(): PinnedContract[] {
    return this.#state.get<PinnedContract[]>(key, []);
  }
}
