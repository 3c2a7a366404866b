import * as vscode from 'vscode';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { Services } from '../project/services';
import { findInstances, isInstanceOf, possibleInstances } from '../project/findInstances';
import type { Instance } from '../project/findInstances';
import { forgetCode } from '../project/methodsOf';
import { visibleSources } from './visibleSources';

/** Milliseconds between a block and the search, so that several blocks in quick succession cause one. */
const debounceMs = 300;
/** Key of the contracts that were given rows, so that a removed row does not come back. */
const rowsKey = 'foundContracts';
const mostRows = 500;

/**
 * The workspace's contracts that are deployed on the local network, and their codes, kept up to date in the
 * background while a source is visible.
 */
export class KnownInstances implements vscode.Disposable {
  readonly #services: Services;
  readonly #onChange: () => void;
  readonly #subscriptions: vscode.Disposable;
  #found: readonly Instance[] = [];
  /** The addresses and their codes that were last searched. */
  #looked = '';
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#onChange = onChange;
    this.#subscriptions = vscode.Disposable.from(
      services.localNetwork.onDidChange(() => this.#lookLater()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#lookLater()),
      services.project.onDidChange(() => {
        this.#looked = '';
        this.#lookLater();
      }),
    );
    this.#look();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscriptions.dispose();
  }

  /** All instances found. */
  all(): readonly Instance[] {
    return this.#found;
  }

  /** The instances whose code is that of this workspace contract, and of this source of it. */
  of(contract: string, source?: string): Instance[] {
    return this.#found.filter((one) => isInstanceOf(one, contract, source));
  }

  #lookLater(): void {
    if (visibleSources().length > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#look();
      }, debounceMs);
    }
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => {
      try {
        await this.#search();
      } catch (error) {
        this.#services.log.debug(`contracts of the local network: ${String(error)}`);
      }
    });
  }

  async #search(): Promise<void> {
    const network = this.#services.networks.local();
    const isRunning = this.#services.localNetwork.state().kind === 'running';
    const addresses = isRunning ? await possibleInstances(this.#services, network) : [];
    const { codeHashes } = await import('../../toolkit/accounts/codeHashes');
    const codes =
      addresses.length === 0
        ? new Map<string, string>()
        : await codeHashes(await this.#services.connections.to(network), addresses);
    const looked = addresses.map((address) => `${address} ${codes.get(address) ?? ''}`).join(', ');
    if (looked === this.#looked) {
      return;
    }
    this.#looked = looked;
    const changed = this.#found.filter(({ address, codeHash }) => codes.get(address) !== codeHash);
    await Promise.all(changed.map(({ address }) => forgetCode(this.#services, network, address)));
    this.#found = addresses.length === 0 ? [] : await findInstances(this.#services, network);
    await this.#addRows(network.name);
    this.#onChange();
  }

  /** Contracts of the workspace that other contracts have deployed get rows of their own, once. */
  async #addRows(network: string): Promise<void> {
    const { pins, localNetwork, context } = this.#services;
    const state = localNetwork.state();
    const named = new Set(state.kind === 'running' ? state.contracts.map(({ address }) => address) : []);
    const before = context.workspaceState.get<string[]>(rowsKey, []);
    const added = this.#found.filter(
      ({ address, file }) =>
        file !== undefined &&
        sourceLanguage(file) !== undefined &&
        !named.has(address) &&
        !before.includes(address) &&
        pins.find(network, address) === undefined,
    );
    for (const { address } of added) {
      await pins.add(network, address);
    }
    if (added.length > 0) {
      const all = [...before, ...added.map(({ address }) => address)];
      await context.workspaceState.update(rowsKey, all.slice(-mostRows));
    }
  }
}
