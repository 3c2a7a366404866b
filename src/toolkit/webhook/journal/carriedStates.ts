import { JournalFile } from '../../journal/journalFile';
import type { JournalFileOptions } from '../../journal/journalFile';
import { maximumStates } from '../orders/orderBook';
import type { OrderState } from '../orders/orderBook';

/**
 * Order states that outlive the deliveries they follow from: before the journal drops its oldest segment, the states that
 * came about in it are written here, so that a repeat is still known as one.
 */
export class CarriedStates {
  /** In words: what was found wrong when opening. */
  readonly findings: readonly string[];
  readonly #file: JournalFile;

  /** @param onState takes each state, oldest first */
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

  /** Resolves once they are on the disk: what they follow from is deleted then. */
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

function readState(payload: Buffer): OrderState {
  const state = JSON.parse(payload.toString('utf8')) as Partial<OrderState> | null;
  if (typeof state?.reference !== 'string' || (state.state !== 'paid' && state.state !== 'failed')) {
    throw new TypeError('this is not the state of an order');
  }
  return state as OrderState;
}
