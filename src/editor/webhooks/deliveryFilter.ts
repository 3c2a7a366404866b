import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { Verdict } from '../../toolkit/webhook/delivery/delivery';
import type { DeliveryQuery } from '../../toolkit/webhook/journal/deliveryQuery';

/** Which deliveries the view shows. */
export class DeliveryFilter implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #verdicts: readonly Verdict[] = [];
  #text = '';

  query(): Pick<DeliveryQuery, 'verdicts' | 'text'> {
    return {
      ...(this.#verdicts.length === 0 ? {} : { verdicts: this.#verdicts }),
      ...(this.#text === '' ? {} : { text: this.#text }),
    };
  }

  isActive(): boolean {
    return this.#verdicts.length > 0 || this.#text !== '';
  }

  /** An empty list shows all. */
  setVerdicts(verdicts: readonly Verdict[]): void {
    this.#verdicts = verdicts;
    this.#fire();
  }

  setText(text: string): void {
    this.#text = text.trim();
    this.#fire();
  }

  clear(): void {
    this.#verdicts = [];
    this.#text = '';
    this.#fire();
  }

  /** The filter as text, for the view's description. */
  describe(): string {
    return [...this.#verdicts, ...(this.#text === '' ? [] : [`"${this.#text}"`])].join(', ');
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #fire(): void {
    setContextKey(vscode.commands, 'tonWorkbench.webhooksFiltered', this.isActive());
    this.#changed.fire();
  }
}
