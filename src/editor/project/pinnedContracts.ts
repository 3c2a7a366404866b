import { lowerHex } from '../../toolkit/address/lowerHex';
import type { SummaryPart } from '../../toolkit/getMethods/summaryText';
import { ownValue } from '../../toolkit/base/collections';
import * as vscode from 'vscode';

/** The last call of a get-method of a pinned contract. */
export interface PinnedCall {
  method: string;
  /** Stack text that can be read without a signature. */
  stack: string;
  /** The text typed for each argument, if known. */
  texts?: string[];
  /** The block it ran at, if the network says. */
  block?: number;
  /** Its answer. */
  answer: SummaryPart[];
  /** Its previous answer, if different. */
  was?: SummaryPart[];
  /** When, in milliseconds since 1970. */
  at: number;
  failed: boolean;
}

/** A contract that the user has pinned. */
export interface PinnedContract {
  /** Name of the network. */
  network: string;
  /** Raw, `wc:hex`, in lowercase. */
  address: string;
  /** The user's name for it, usable in stack text (`@minter`). */
  name?: string;
  /** The last call of each method. */
  calls: Record<string, PinnedCall>;
}

const key = 'pinnedContracts';

/** The contracts of the view "Contracts", kept with the workspace. */
export class PinnedContracts implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<PinnedContract | undefined>();
  /** The contract whose row changed, or undefined when the list itself did. */
  readonly onDidChange = this.#changed.event;
  readonly #wanted = new vscode.EventEmitter<PinnedContract>();
  /** Fires when a contract's row should be shown. */
  readonly onDidReveal = this.#wanted.event;
  /** The list with answers that are not saved yet. */
  #unwritten: PinnedContract[] | undefined;
  /** Number of rounds of calls in progress. */
  #rounds = 0;

  readonly #renamed = new vscode.EventEmitter<void>();
  /** Fires when the user has named a contract or removed its name. */
  readonly onDidRename = this.#renamed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#wanted.dispose();
    this.#renamed.dispose();
  }

  /** The network's contracts, in the order they were pinned. */
  of(network: string): PinnedContract[] {
    return this.#all().filter((pin) => pin.network === network);
  }

  find(network: string, address: string): PinnedContract | undefined {
    return this.of(network).find((pin) => pin.address === lowerHex(address));
  }

  /** Pins a contract; one that is already pinned stays as it is. */
  async add(network: string, address: string): Promise<PinnedContract> {
    const known = this.find(network, address);
    if (known !== undefined) {
      return known;
    }
    const pin = { network, address: lowerHex(address), calls: {} };
    await this.#write([...this.#all(), pin]);
    return pin;
  }

  /** Pins a contract and shows its row, selected. */
  async reveal(network: string, address: string): Promise<void> {
    this.#wanted.fire(await this.add(network, address));
  }

  async remove(network: string, address: string): Promise<void> {
    await this.#write(this.#all().filter((pin) => pin.network !== network || pin.address !== address));
  }

  /** Restores a removed contract at its old position. */
  async restore(pin: PinnedContract, place: number): Promise<void> {
    const others = this.#all().filter(({ network }) => network !== pin.network);
    const same = this.of(pin.network).filter(({ address }) => address !== pin.address);
    await this.#write([...others, ...same.slice(0, place), pin, ...same.slice(place)]);
  }

  /** @param name undefined removes the name */
  async rename(network: string, address: string, name: string | undefined): Promise<void> {
    await this.#change(network, address, ({ name: _, ...pin }) =>
      name === undefined ? pin : { ...pin, name },
    );
    this.#renamed.fire();
  }

  /** Runs many calls; their answers are saved once, at the end. */
  async together(round: () => Promise<void>): Promise<void> {
    this.#rounds++;
    try {
      await round();
    } finally {
      this.#rounds--;
      const pins = this.#unwritten;
      if (this.#rounds === 0 && pins !== undefined) {
        await this.#keep(pins);
      }
    }
  }

  /** Records a call's answer; ignored for contracts that are not pinned. */
  async answered(network: string, address: string, call: Omit<PinnedCall, 'was'>): Promise<void> {
    const change = (pin: PinnedContract): PinnedContract => {
      const before = ownValue(pin.calls, call.method);
      const isSame = before?.stack === call.stack;
      const was =
        isSame && JSON.stringify(before.answer) !== JSON.stringify(call.answer) ? { was: before.answer } : {};
      const texts = call.texts ?? (isSame ? before.texts : undefined);
      const kept = { ...call, ...was, ...(texts === undefined ? {} : { texts }) };
      return { ...pin, calls: { ...pin.calls, [call.method]: kept } };
    };
    await this.#change(network, address, change, true);
  }

  async #change(
    network: string,
    address: string,
    change: (pin: PinnedContract) => PinnedContract,
    isAnswer = false,
  ): Promise<void> {
    const known = this.find(network, address);
    if (known !== undefined) {
      const changed = change(known);
      const all = this.#all().map((pin) =>
        pin.network === network && pin.address === known.address ? changed : pin,
      );
      if (isAnswer && this.#rounds > 0) {
        this.#unwritten = all;
      } else {
        await this.#keep(all);
      }
      this.#changed.fire(changed);
    }
  }

  async #write(pins: PinnedContract[]): Promise<void> {
    await this.#keep(pins);
    this.#changed.fire(undefined);
  }

  /** Saves the list, including answers not saved yet. */
  async #keep(pins: PinnedContract[]): Promise<void> {
    this.#unwritten = undefined;
    await this.#state.update(key, pins);
  }

  #all(): PinnedContract[] {
    return this.#unwritten ?? this.#state.get<PinnedContract[]>(key, []);
  }
}
