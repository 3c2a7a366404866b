import { plainName } from '../abi/projectContract';
import { keepNewest } from '../keepNewest';
import type { SummaryPart } from './summaryText';

/** What a get-method answered last, as shown above its declaration. */
export interface LastAnswer {
  /** The contract's name in the workspace. */
  contract: string;
  /** As the source calls it. */
  method: string;
  /** Name of the network. */
  network: string;
  /** Of the deployed contract: raw, lowercase. */
  address: string;
  /** Stack text that needs no signature. */
  stack: string;
  /** The arguments as they were typed; kept when the call runs again by itself. */
  typed?: string | undefined;
  answer: readonly SummaryPart[];
  failed: boolean;
  /** Null if the network does not report it. */
  gas: number | null;
  /** The block that it ran at, where the network reports it. */
  block?: number | undefined;
  /** When, in milliseconds since 1970. */
  at: number;
  /** Of the code that answered, lowercase hex. */
  codeHash?: string | undefined;
  /** The source that declares the method, as the workspace names it, and the SHA-256 of its text at that time. */
  source?: { file: string; hash: string } | undefined;
  /** Somebody wanted this answer; otherwise the editor only kept a view current. */
  isAsked: boolean;
}

/** The oldest answers are dropped. */
const mostAnswers = 200;

/** The last answer of each get-method of each contract. */
export class LastAnswers {
  readonly #kept = new Map<string, LastAnswer>();

  /**
   * Keeps an answer. One that nobody asked for replaces only an older answer to the same call.
   * @returns whether something that is shown has changed
   */
  note(answer: LastAnswer): boolean {
    const known = this.of(answer.contract, answer.method);
    const isSame = known !== undefined && isSameCall(known, answer);
    if (!answer.isAsked && known !== undefined && !isSame) {
      return false;
    }
    const kept: LastAnswer = isSame
      ? { ...answer, isAsked: answer.isAsked || known.isAsked, typed: answer.typed ?? known.typed }
      : answer;
    keepNewest(this.#kept, keyOf(answer.contract, answer.method), kept, mostAnswers);
    return !isSame || shownOf(known) !== shownOf(answer);
  }

  of(contract: string, method: string): LastAnswer | undefined {
    return this.#kept.get(keyOf(contract, method));
  }

  /** Forgets the answer to a call: it cannot be asked again, for example because its contract is gone. */
  forget(answer: LastAnswer): boolean {
    const known = this.of(answer.contract, answer.method);
    return known !== undefined && isSameCall(known, answer)
      ? this.#kept.delete(keyOf(answer.contract, answer.method))
      : false;
  }
}

function keyOf(contract: string, method: string): string {
  return `${plainName(contract)} ${method}`;
}

function isSameCall(one: LastAnswer, other: LastAnswer): boolean {
  return one.network === other.network && one.address === other.address && one.stack === other.stack;
}

/** The block and the time change with each run, and are shown only where somebody looks closer. */
function shownOf({ answer, failed, gas, codeHash, source }: LastAnswer): string {
  return JSON.stringify([answer, failed, gas, codeHash, source]);
}
