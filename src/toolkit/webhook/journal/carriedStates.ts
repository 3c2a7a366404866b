import { JournalFile } from '../../journal/journalFile';
import type { JournalFileOptions } from '../../journal/journalFile';
import { maximumStates } from '../orders/orderBook';
import type { OrderState } from '../orders/orderBook';

/** Its file, beside the segments. */
export const carriedStatesFile = 'orders.log';

/**
 * Order states that outlive their deliveries: before the journal drops its oldest segment, the resulting states are
 * written here, so that repeats are still recognized.
 */
export class CarriedStates {
  /** Problems found when opening, as text. */
  readonly findings: readonly string[];
  readonly #file: JournalFile;

  /** @param onState receives each state, oldest first */
  constructor(options: JournalFileOptions, onState: (state: OrderState) => void) {
    const states: OrderState[] = [];
    const { file, findings } = JournalFile.open(options, {
      onEntry: (payload) => states.push(readState(payload)),
      afterDamage: 'skip',
    });
    this.#file = file;
    this.findings = findings.map(({ text }) => text);
    states.forEach(onState);
    if (states.length > maximumStates) {
      file.rewrite(states.slice(-maximumStates).map(writeState));
    }
  }

  /** Resolves once they are on disk: the deliveries behind them are deleted then. */
  async add(states: readonly OrderState[]): Promise<void> {
    if (states.length > 0) {
      this.#file.append(states.map(writeState));
      await this.#file.flush();
    }
  }

  clear(): void {
    this.#file.rewrite([]);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function writeState(state: OrderState): Buffer {
  return Buffer.from(JSON.stringify(state));
}

/** A state as it was written. Throws if the bytes are not one. */
export function readState(payload: Buffer): OrderState {
  const state = JSON.parse(payload.toString('utf8')) as Partial<OrderState> | null;
  if (typeof state?.reference !== 'string' || (state.state !== 'paid' && state.state !== 'failed')) {
    throw new TypeError('this is not the state of an order');
  }
  return state as OrderState;
}
