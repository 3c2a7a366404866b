import * as vscode from 'vscode';
import { limits } from '../../toolkit/limits';
import type { SentTest } from '../../toolkit/webhook/views/sentNodes';

const key = 'webhookSentTests';

/** The tests that this workspace has sent to its own server, newest first, also in earlier sessions. */
export class SentTests implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #tests: readonly SentTest[];

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#tests = memento.get<SentTest[]>(key, []);
  }

  all(): readonly SentTest[] {
    return this.#tests;
  }

  add(test: SentTest): void {
    this.#set([test, ...this.#tests].slice(0, limits.webhookSentTests.most));
  }

  clear(): void {
    this.#set([]);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(tests: readonly SentTest[]): void {
    this.#tests = tests;
    this.#changed.fire();
    void this.#memento.update(key, tests);
  }
}
