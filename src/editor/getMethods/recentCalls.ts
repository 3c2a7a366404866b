import type * as vscode from 'vscode';

/** A complete call. */
export interface CompleteCall {
  address: string;
  method: string;
  /** Stack text that can be read without a signature. */
  stack: string;
  /** The text typed for each parameter, if the signature was known. */
  texts?: string[];
}

/** A call of the history. */
export interface RecentCall extends CompleteCall {
  network: string;
  /** When it was last made, in milliseconds since 1970. */
  at?: number;
  /** Its answer, on one line. */
  answer?: string;
}

const key = 'recentCalls';
const limit = 200;

/** The workspace's calls, newest first, without duplicates. */
export class RecentCalls {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  async add(call: RecentCall): Promise<void> {
    const rest = this.all().filter((known) => !isSameCall(known, call));
    await this.#state.update(key, [call, ...rest].slice(0, limit));
  }

  /** Records a call's answer. */
  async answered(call: RecentCall, answer: string): Promise<void> {
    await this.#state.update(
      key,
      this.all().map((known) => (isSameCall(known, call) ? { ...known, answer } : known)),
    );
  }

  all(): RecentCall[] {
    return this.#state.get<RecentCall[]>(key, []);
  }

  addresses(network: string): string[] {
    return unique(this.#of(network).map((call) => call.address));
  }

  /** Methods called on this contract. */
  methodsOf(network: string, address: string): string[] {
    return unique(
      this.#of(network)
        .filter((call) => call.address === address)
        .map((call) => call.method),
    );
  }

  /** Methods called on any contract. */
  methods(network: string): string[] {
    return unique(this.#of(network).map((call) => call.method));
  }

  /** The last call of a method of a contract. */
  last(network: string, address: string, method: string): CompleteCall | undefined {
    return this.#of(network).find((call) => call.address === address && call.method === method);
  }

  #of(network: string): RecentCall[] {
    return this.all().filter((call) => call.network === network);
  }
}

function isSameCall(one: RecentCall, other: RecentCall): boolean {
  return (
    one.network === other.network &&
    one.address === other.address &&
    one.method === other.method &&
    one.stack === other.stack
  );
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
