import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { Services } from '../project/services';
import { FreshAnswers } from './freshAnswers';
import { visibleSources } from './visibleSources';

/** What the forecast for an account says, and why it may be inexact. */
interface Words {
  title: string;
  doubts: readonly string[];
}

/**
 * How long deployed contracts live, above their sources; a click opens the account at its storage fees. On the local
 * network, it is read anew after a block while the source is visible. On other networks, nothing is read for it.
 */
export class ForecastLenses implements vscode.Disposable {
  readonly #services: Services;
  readonly #onChange: () => void;
  readonly #fresh: FreshAnswers<string>;
  readonly #parts: vscode.Disposable;
  /** By address; undefined if there is nothing to say. */
  readonly #known = new Map<string, Words | undefined>();
  /** The contract of each source, as its lenses were last shown. */
  readonly #shown = new WeakMap<vscode.TextDocument, string>();

  /** @param onChange called when a forecast has changed */
  constructor(services: Services, onChange: () => void) {
    this.#services = services;
    this.#onChange = onChange;
    this.#fresh = new FreshAnswers(services, {
      calls: () => [...new Set(visibleSources().flatMap((document) => this.#shown.get(document) ?? []))],
      key: (address) => address,
      run: (address) => this.#read(address),
    });
    const show = (): void => this.#fresh.setVisible(visibleSources().length > 0);
    this.#parts = vscode.Disposable.from(this.#fresh, vscode.window.onDidChangeVisibleTextEditors(show));
    show();
  }

  dispose(): void {
    this.#parts.dispose();
  }

  /** @param address of the contract that the source is deployed as; undefined if none is known */
  of(document: vscode.TextDocument, address: string | undefined): vscode.Command[] {
    if (address === undefined) {
      this.#shown.delete(document);
      return [];
    }
    const open = { account: { address }, section: 'storageFees' };
    if (this.#services.networks.current().kind !== 'local') {
      return [asCommand('tonWorkbench.openAccount', '$(clock) Storage Fees', open)];
    }
    this.#shown.set(document, address);
    this.#fresh.look();
    const words = this.#known.get(address);
    if (words === undefined) {
      return [];
    }
    return [
      {
        ...asCommand('tonWorkbench.openAccount', `$(clock) ${words.title}`, open),
        tooltip: ['Click for what it owes and when it is frozen and deleted.', ...words.doubts].join(' '),
      },
    ];
  }

  async #read(address: string): Promise<void> {
    const [{ readStorageBasis, storageForecastOf }, { storageForecastTitle }] = await Promise.all([
      import('../../toolkit/accountReport/readStorageForecast'),
      import('../../toolkit/accountReport/storageForecastText'),
    ]);
    const access = await this.#services.connections.to(this.#services.networks.local());
    const forecast = storageForecastOf(await readStorageBasis(access, address));
    const title = forecast && storageForecastTitle(forecast);
    const words = title === undefined ? undefined : { title, doubts: forecast?.doubts ?? [] };
    const isChanged = this.#known.get(address)?.title !== title;
    this.#known.set(address, words);
    if (isChanged) {
      this.#onChange();
    }
  }
}
