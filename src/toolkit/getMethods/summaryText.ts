import { plainName } from '../contracts/abi/projectContract';
import { keepNewest } from '../base/collections';
import { visibleText } from '../base/text';

/** One value of a summary, with the field's name, if any. */
export interface SummaryPart {
  name?: string;
  text: string;
}

/** The summary on one line. */
export function summaryText(parts: readonly SummaryPart[]): string {
  return parts.map(({ name, text }) => (name === undefined ? text : `${name} ${text}`)).join(', ');
}

/** The answer as a value: `42`, or `{owner: alice, count: 0, … 2 more}` where its parts have names. */
function answerText(parts: readonly SummaryPart[]): string {
  const texts = parts.map(({ name, text }) => (name === undefined ? text : `${name}: ${text}`));
  return parts.some(({ name }) => name !== undefined) ? `{${texts.join(', ')}}` : texts.join(', ');
}

/** What changed: `supply 1 000 → 1 337`. If the parts cannot be compared, both in full. */
export function changeText(before: readonly SummaryPart[], now: readonly SummaryPart[]): string {
  if (before.length !== now.length || before.some(({ name }, index) => name !== now[index]?.name)) {
    return `${summaryText(before)} → ${summaryText(now)}`;
  }
  const changed = now.flatMap(({ name, text }, index) => {
    const was = before[index]?.text ?? '';
    return was === text ? [] : [{ ...(name === undefined ? {} : { name }), text: `${was} → ${text}` }];
  });
  return summaryText(changed);
}

/** The last answer of a get-method, as shown above its declaration. */
export interface LastAnswer {
  /** The contract's name in the workspace. */
  contract: string;
  /** The method's name in the source. */
  method: string;
  /** Name of the network. */
  network: string;
  /** Address of the deployed contract: raw, lowercase. */
  address: string;
  /** Stack text that can be read without a signature. */
  stack: string;
  /** The arguments as typed; kept when the call reruns automatically. */
  typed?: string | undefined;
  answer: readonly SummaryPart[];
  failed: boolean;
  /** Null if the network does not report it. */
  gas: number | null;
  /** The block it ran at, if the network reports it. */
  block?: number | undefined;
  /** Time of the answer, in milliseconds since 1970. */
  at: number;
  /** Hash of the code that answered, lowercase hex. */
  codeHash?: string | undefined;
  /**
   * The source that declares the method: its path in the workspace, and the SHA-256 of its text at the time.
   */
  source?: { file: string; hash: string } | undefined;
  /** Whether the user wanted this answer, rather than the editor keeping a view current. */
  isAsked: boolean;
}

/** Maximum number of answers; the oldest are dropped. */
const mostAnswers = 200;

/** The last answer of each get-method of each contract. */
export class LastAnswers {
  readonly #kept = new Map<string, LastAnswer>();

  /**
   * Keeps an answer. One that the user did not ask for only replaces an older answer to the same call.
   * @returns whether anything that is shown has changed
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

  /** The answers of all get-methods of a contract, the newest first. */
  ofContract(contract: string): LastAnswer[] {
    const own = [...this.#kept.values()].filter((one) => plainName(one.contract) === plainName(contract));
    return own.sort((a, b) => b.at - a.at);
  }

  /** Forgets the answer to a call that cannot be repeated, for example because its contract is gone. */
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

/** Without block and time, which change with each run and are shown only on hover. */
function shownOf({ answer, failed, gas, codeHash, source }: LastAnswer): string {
  return JSON.stringify([answer, failed, gas, codeHash, source]);
}

/** Maximum characters of the arguments and of the answer. */
const longestArguments = 40;
const longestAnswer = 80;

/** What is shown around an answer. */
interface AnswerSurroundings {
  /** Name of the deployed contract. */
  instance: string;
  /** Network and time, unless the answer is the local network's. */
  elsewhere?: string | undefined;
  /** What it cost: `gas 479`. */
  cost?: string | undefined;
  /** Whether the source has changed since the code that answered was compiled. */
  isEdited: boolean;
}

/** An answer as shown above its get-method: `weightOf(bob) = 3 on Vault, gas 812`. */
export function answerTitle(
  { method, typed, stack, answer, failed }: LastAnswer,
  { instance, elsewhere, cost, isEdited }: AnswerSurroundings,
): string {
  const call = `${method}(${visibleText(typed ?? stack, longestArguments)})`;
  const value = visibleText(answerText(answer), longestAnswer);
  const place = visibleText(instance) + (elsewhere === undefined ? '' : ` (${elsewhere})`);
  return `${call} ${failed ? '' : '= '}${value} on ${place}${cost === undefined ? '' : `, ${cost}`}${isEdited ? ' (source edited since)' : ''}`;
}
