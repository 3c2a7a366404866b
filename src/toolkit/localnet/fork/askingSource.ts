import type { SourcedAccount } from '../../accounts/accountSource';
import { abortedError, WorkbenchError } from '../../errors';
import type { ForkPoint } from '../records/forkPoint';
import type { ForkAnswer, ForkQuestion } from './forkQuestions';
import type { ForkSource } from './forkSource';

/** The worker's side: a source that asks another thread. */
export class AskingSource implements ForkSource {
  readonly #waiting = new Map<number, (answer: ForkAnswer) => void>();
  #count = 0;

  constructor(private readonly ask: (id: number, question: ForkQuestion) => void) {}

  /** Hands an answer to whoever waits for it. */
  receive(id: number, answer: ForkAnswer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  /** Lets nobody wait any longer. */
  stop(): void {
    const { code, kind, message } = abortedError();
    for (const id of [...this.#waiting.keys()]) {
      this.receive(id, { error: { code, kind, message } });
    }
  }

  pin(): Promise<ForkPoint> {
    return this.#question({ method: 'pin' });
  }

  account(point: ForkPoint, address: string): Promise<SourcedAccount> {
    return this.#question({ method: 'account', point, key: address });
  }

  library(point: ForkPoint, hash: string): Promise<string | undefined> {
    return this.#question({ method: 'library', point, key: hash });
  }

  config(point: ForkPoint): Promise<string | undefined> {
    return this.#question({ method: 'config', point });
  }

  #question<T>(question: ForkQuestion): Promise<T> {
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        if ('error' in answer) {
          reject(new WorkbenchError(answer.error));
        } else {
          resolve(answer.value as T);
        }
      });
      this.ask(id, question);
    });
  }
}
