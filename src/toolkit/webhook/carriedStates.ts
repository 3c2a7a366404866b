import path from 'node:path';
import { ignoreMissing } from './fileSystem';
import type { JournalFileSystem } from './fileSystem';
import { maximumStates } from './orderBook';
import type { OrderState } from './orderBook';

/**
 * Order states that outlive the deliveries they follow from: before the journal drops its oldest segment, the states that
 * came about in it are written here, so that a repeat is still known as one.
 */
export class CarriedStates {
  readonly #file: string;
  readonly #fileSystem: JournalFileSystem;

  constructor(directory: string, fileSystem: JournalFileSystem) {
    this.#file = path.join(directory, 'orders.jsonl');
    this.#fileSystem = fileSystem;
  }

  /** All states, oldest first; a damaged line is passed over. */
  async load(): Promise<OrderState[]> {
    const lines = (await this.#read()).split('\n').filter((line) => line !== '');
    const states = lines.map(readState).filter((state) => state !== undefined);
    if (lines.length > maximumStates) {
      await this.#replace(states.slice(-maximumStates));
    }
    return states;
  }

  async add(states: readonly OrderState[]): Promise<void> {
    if (states.length === 0) {
      return;
    }
    const file = await this.#fileSystem.open(this.#file, 'a', 0o600);
    try {
      // A line break in front: the last line may have been cut off in the middle.
      const bytes = Buffer.from(`\n${toLines(states)}`, 'utf8');
      for (let offset = 0; offset < bytes.length;) {
        offset += (await file.write(bytes, offset, bytes.length - offset)).bytesWritten;
      }
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async clear(): Promise<void> {
    await this.#fileSystem.unlink(this.#file).catch(ignoreMissing);
  }

  async #read(): Promise<string> {
    try {
      return (await this.#fileSystem.readFile(this.#file)).toString('utf8');
    } catch (error) {
      ignoreMissing(error as NodeJS.ErrnoException);
      return '';
    }
  }

  async #replace(states: readonly OrderState[]): Promise<void> {
    const temporary = `${this.#file}.new`;
    await this.#fileSystem.writeFile(temporary, toLines(states), { flag: 'w', mode: 0o600 });
    await this.#fileSystem.rename(temporary, this.#file);
  }
}

function toLines(states: readonly OrderState[]): string {
  return states.map((state) => `${JSON.stringify(state)}\n`).join('');
}

function readState(line: string): OrderState | undefined {
  try {
    const state = JSON.parse(line) as OrderState;
    return typeof state.reference === 'string' ? state : undefined;
  } catch {
    return undefined;
  }
}
