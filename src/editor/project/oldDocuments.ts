import * as vscode from 'vscode';
import { perWindow } from '../networks/sourceNames';
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments';
import type { AccountServices } from './accountName';

/** Milliseconds between a block and the look at the accounts, so that several blocks cause one request. */
const debounceMs = 400;
/** Maximum accounts of a document that are looked at. */
const mostAccounts = 20;

interface Services extends AccountServices {
  context: vscode.ExtensionContext;
  documents: ReadOnlyDocuments;
}

/** A document about accounts as they were at one time. */
interface Watched {
  /** Raw addresses. */
  accounts: readonly string[];
  /** Logical times of the accounts' last transactions then; undefined until they are read. */
  before: string | undefined;
  /** Brings the document up to date; its title is replaced. */
  again: vscode.Command | undefined;
  isOld: boolean;
}

/** The lens that updates a document; it gives way to the one that says why. */
const runAgain = '$(refresh) Run again';

/**
 * Documents that show what was true at one block: on the local network, a lens says when one of their accounts has
 * had a transaction since. Elsewhere nothing is asked merely to find out.
 */
class OldDocuments {
  readonly #services: Services;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services) {
    this.#services = services;
    services.context.subscriptions.push(
      services.localNetwork.onDidChange(() => this.#lookLater()),
      new vscode.Disposable(() => clearTimeout(this.#timer)),
    );
  }

  /** From now on, the document says when one of the accounts has changed. */
  async watch(path: string, accounts: readonly string[], again?: vscode.Command): Promise<void> {
    const watched: Watched = {
      accounts: [...new Set(accounts)].slice(0, mostAccounts),
      before: undefined,
      again,
      isOld: false,
    };
    this.#watched.set(path, watched);
    watched.before = await this.#now(watched);
  }

  #lookLater(): void {
    if (this.#watched.size > 0 && this.#services.localNetwork.state().kind === 'running') {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#look().catch((error: unknown) => this.#services.log.debug(`old documents: ${String(error)}`));
      }, debounceMs);
    }
  }

  async #look(): Promise<void> {
    const { documents } = this.#services;
    for (const [path, watched] of this.#watched) {
      if (!documents.isOpen(path)) {
        this.#watched.delete(path);
      } else if (!watched.isOld && watched.before !== undefined) {
        const now = await this.#now(watched);
        if (now !== undefined && now !== watched.before && this.#watched.get(path) === watched) {
          watched.isOld = true;
          this.#mark(path, watched);
        }
      }
    }
  }

  #mark(path: string, { accounts, again }: Watched): void {
    const { documents } = this.#services;
    const document = documents.find(path);
    if (document !== undefined) {
      const what = accounts.length === 1 ? 'The contract has' : 'Its accounts have';
      const lens =
        again === undefined
          ? { title: `$(warning) ${what} changed since.`, command: '' }
          : { ...again, title: `$(warning) ${what} changed since. Run again` };
      documents.keep(path, {
        ...document,
        lenses: [lens, ...document.lenses.filter(({ title }) => title !== runAgain)],
      });
    }
  }

  /** The logical times of the accounts' last transactions; undefined if the network does not say. */
  async #now({ accounts }: Watched): Promise<string | undefined> {
    const { connections, networks, log } = this.#services;
    try {
      const { v3 } = await connections.open(networks.local());
      const answer = await v3.accountStates(
        { address: [...accounts], include_boc: false },
        { priority: 'background' },
      );
      const times = (answer.accounts ?? []).map(
        ({ address, last_transaction_lt: lt }) => `${address ?? ''} ${String(lt)}`,
      );
      return times.sort().join('\n');
    } catch (error) {
      log.debug(`accounts of a document: ${String(error)}`);
      return undefined;
    }
  }
}

/** The window's old documents. */
export const oldDocuments = perWindow((services: Services) => new OldDocuments(services));
