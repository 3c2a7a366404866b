import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import type { TraceFilter } from '../../toolkit/trace/traceFilter';

/** Which traces of the list are shown, and which are fetched. */
export interface ListFilter extends Omit<TraceFilter, 'account'> {
  /** Unix seconds: traces that ended since then. */
  startTime?: number | undefined;
  /** Sent from this window or by a wallet of the user. */
  mineOnly?: boolean | undefined;
}

/** The filter of the view "Traces"; applies to the window, and the view shows it. */
export class TraceFilters {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #value: ListFilter = {};

  value(): ListFilter {
    return this.#value;
  }

  set(value: ListFilter): void {
    this.#value = value;
    setContextKey(vscode.commands, 'tonWorkbench.tracesFiltered', !this.isEmpty());
    this.#changed.fire();
  }

  isEmpty(): boolean {
    const { failedOnly, direction, actionTypes = [], startTime } = this.#value;
    return (
      failedOnly !== true && direction === undefined && actionTypes.length === 0 && startTime === undefined
    );
  }

  /** The filter as short text for the view's title: `failed, since 8/2/2025, 6:00 PM`. */
  words(): string {
    const { mineOnly, failedOnly, direction, actionTypes = [], startTime } = this.#value;
    return [
      ...(mineOnly === true ? ['mine'] : []),
      ...(failedOnly === true ? ['failed'] : []),
      ...(direction === undefined ? [] : [direction === 'in' ? 'incoming' : 'outgoing']),
      ...actionTypes.map((type) => type.replaceAll('_', ' ')),
      ...(startTime === undefined ? [] : [`since ${new Date(startTime * 1000).toLocaleString()}`]),
    ].join(', ');
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
