import type * as vscode from 'vscode';

type Values = Record<string, string>;

const key = 'endpointCalls';
const limit = 30;

/** The endpoints called in this workspace, newest first, with the parameters last typed for each. */
export class RememberedCalls {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  recent(): string[] {
    return this.#all().map(([id]) => id);
  }

  values(id: string): Values {
    return this.#all().find(([known]) => known === id)?.[1] ?? {};
  }

  async remember(id: string, values: Values): Promise<void> {
    const rest = this.#all().filter(([known]) => known !== id);
    await this.#state.update(key, [[id, values], ...rest].slice(0, limit));
  }

  #all(): [string, Values][] {
    return this.#state.get<[string, Values][]>(key, []);
  }
}
