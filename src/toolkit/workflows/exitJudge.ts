import { explainExitCode } from '../contracts/exitCodes';
import type { ExitPhase, ExitSource } from '../contracts/exitCodes';
import { isSuccessCode } from '../contracts/standardExitCode';
import type { OrderStep } from '../explore/exploreOrders';
import type { TraceContext } from '../trace/traceContext';
import { stepTrace } from './flowTraces';

/** A failure that the contract's source does not name. */
export interface UnnamedExit<Phase extends ExitPhase = ExitPhase> {
  /** Raw address. */
  account: string;
  code: number;
  phase: Phase;
  /** What the code usually means, if it is known. */
  meaning: string | undefined;
}

/** The phases of a delivery that can fail with a code. */
type DeliveryPhase = 'compute' | 'action';

/** Judges exit codes by whether the source of the contract names them. */
export class ExitJudge {
  /** Accounts (raw) that failed with a code, and whose source is not known: nobody knows whether it names the code. */
  readonly unjudged = new Set<string>();
  readonly #sources = new Map<string, Promise<ExitSource | undefined>>();

  /**
   * @param describe adds names to a trace
   * @param accepted exit codes that are as good as named
   */
  constructor(
    private readonly describe: (model: TraceContext['model']) => Promise<TraceContext>,
    private readonly accepted: ReadonlySet<number>,
  ) {}

  /** What is wrong with how a delivery ended. @param isExpected whether the sheet says that it may end with a code */
  async delivery(
    step: OrderStep,
    isExpected: (code: number) => boolean,
  ): Promise<UnnamedExit<DeliveryPhase> | undefined> {
    const failure = deliveryFailure(step);
    if (failure === undefined || this.accepted.has(failure.code) || isExpected(failure.code)) {
      return undefined;
    }
    const key = step.before.codeHash ?? step.after.codeHash ?? step.address;
    const source = this.#sources.get(key) ?? this.#read(step);
    this.#sources.set(key, source);
    return this.#judge({ account: step.address, ...failure }, await source);
  }

  /** What is wrong with the exit code of a get-method. @param source what the contract's source says */
  getMethod(
    account: string,
    code: number,
    source: ExitSource | undefined,
  ): UnnamedExit<'get-method'> | undefined {
    return isSuccessCode(code) || this.accepted.has(code)
      ? undefined
      : this.#judge({ account, code, phase: 'get-method' }, ofKnownSource(source));
  }

  #judge<Phase extends ExitPhase>(
    failure: Omit<UnnamedExit<Phase>, 'meaning'>,
    source: ExitSource | undefined,
  ): UnnamedExit<Phase> | undefined {
    if (source === undefined) {
      this.unjudged.add(failure.account);
      return undefined;
    }
    const known = explainExitCode(failure.code, failure.phase, source);
    return known?.by === 'contract' ? undefined : { ...failure, meaning: known?.name };
  }

  async #read(step: OrderStep): Promise<ExitSource | undefined> {
    const { knowledge } = await this.describe(stepTrace(step));
    return ofKnownSource(knowledge.exitSource?.(step.address));
  }
}

/** What is known from a source, and not from code alone. */
function ofKnownSource(source: ExitSource | undefined): ExitSource | undefined {
  const isKnown = source?.standards?.some((name) => /^(?:tolk|tact|func)$/i.test(name)) === true;
  return isKnown ? source : undefined;
}

/** The code that a delivery failed with; undefined if it did not, or if no code ran. */
export function deliveryFailure({
  exitCode,
  actionCode,
}: Pick<OrderStep, 'exitCode' | 'actionCode'>): { code: number; phase: DeliveryPhase } | undefined {
  if (exitCode !== null && !isSuccessCode(exitCode)) {
    return { code: exitCode, phase: 'compute' };
  }
  return actionCode === null || actionCode === 0 ? undefined : { code: actionCode, phase: 'action' };
}
