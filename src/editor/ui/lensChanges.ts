import * as vscode from 'vscode';

/** Milliseconds; VS Code asks for lenses at least 250 ms after it was told. */
const againMs = 1_000;

/**
 * Tells VS Code that lenses have changed, and a moment later once more: an editor that loses the focus before it has
 * asked for the new ones forgets to, and would keep the old ones until it is used again.
 */
export class LensChanges implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly event = this.#changed.event;
  #again: NodeJS.Timeout | undefined;

  fire(): void {
    this.#changed.fire();
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#changed.fire(), againMs);
  }

  dispose(): void {
    clearTimeout(this.#again);
    this.#changed.dispose();
  }
}
