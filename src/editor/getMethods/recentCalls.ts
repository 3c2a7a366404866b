import type * as vscode from 'vscode';

/** A call with everything filled in. */
export interface CompleteCall {
  address: string;
  method: string;
  stack: string;
}

const key = 'recentCalls';
const limit = 50;

interface Stored extends CompleteCall {
  network: string;
}

/** The calls of this workspace, newest first, each once. */
export class RecentCalls {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  async add(network: string, call: CompleteCall): Promise<void> {
    const rest = this.#all().filter(
      (known) =>
        known.network !== network ||
        known.address !== call.address ||
        known.method !== call.method ||
        known.stack !== call.stack,
    );
    await this.#state.update(key, [{ network, ...call }, ...rest].slice(0, limit));
  }

  addresses(network: string): string[] {
    return unique(this.#of(network).map((call) => call.address));
  }

  methods(network: string, address: string): string[] {
    const calls = this.#of(network);
    const here = calls.filter((call) => call.address === address);
    return unique([...here, ...calls].map((call) => call.method));
  }

  /** The stack text last used for a method of an address. */
  stack(network: string, address: string, method: string): string | undefined {
    return this.#of(network).find((call) => call.address === address && call.method === method)?.stack;
  }

  #of(network: string): Stored[] {
    return this.#all().filter((call) => call.network === network);
  }

  #all(): Stored[] {
    return this.#state.get<Stored[]>(key, []);
  }
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
