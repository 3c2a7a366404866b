import type { ThrownLine } from '../toolkit/sourceMap/thrownAt';
import type { TraceContext } from '../toolkit/trace/traceContext';
import { networkWords } from './networkHere';
import type { NetworkOptions } from './networkOptions';

/** Milliseconds for finding the line that threw: the trace is shown already. */
const patienceMs = 10_000;

/** Where the transaction threw that a trace failed of. */
export interface ThrownHere {
  /** The trace, which names the source line and the values there if they are known. */
  context: TraceContext;
  /** The command that tells more, in a sentence. */
  next: string;
}

/**
 * The source line that threw, or the command that tells it. Undefined if no code threw, or if it did not happen.
 *
 * @param findsLine runs the transaction again to find the line
 */
export async function whereItThrew(
  context: TraceContext,
  options: NetworkOptions,
  findsLine: boolean,
): Promise<ThrownHere | undefined> {
  const [{ causeOf }, { hasFailedAtLine }, { isEmulated }] = await Promise.all([
    import('../toolkit/trace/verdict'),
    import('../toolkit/trace/outcomeOf'),
    import('../toolkit/trace/isEmulated'),
  ]);
  const cause = causeOf(context.model);
  if (cause?.hash === undefined || !hasFailedAtLine(cause.transaction) || isEmulated(cause)) {
    return undefined;
  }
  const { hash } = cause;
  const { TraceContext: Context } = await import('../toolkit/trace/traceContext');
  const line = findsLine ? await lineThatThrew(hash, options) : undefined;
  const what = line === undefined ? 'For the line that threw and every step' : 'For every step';
  const next = `${what}: ton-workbench replay ${hash}${line === undefined ? '' : ' --steps'}${networkWords()}`;
  return {
    context:
      line === undefined
        ? context
        : new Context(context.model, {
            ...context.knowledge,
            thrownLine: (one) => (one === hash ? line : undefined),
          }),
    next,
  };
}

/** Undefined if no source here compiles to the code, or if it takes too long. */
async function lineThatThrew(hash: string, options: NetworkOptions): Promise<ThrownLine | undefined> {
  const [{ openReplayer }, { runWithLines, shownFile }, { failureAt }, { thrownLine }, { systemClock }] =
    await Promise.all([
      import('./openReplayer'),
      import('./linesHere'),
      import('../toolkit/replay/failureAt'),
      import('../toolkit/sourceMap/thrownAt'),
      import('../toolkit/base/time'),
    ]);
  const find = async (): Promise<ThrownLine | undefined> => {
    const replayer = await openReplayer(options);
    const { steps, replay } = await runWithLines(replayer, hash, undefined);
    const thrown = steps && failureAt(steps, replay?.replayed);
    const names = await replayer.names();
    return thrown && thrownLine(thrown, shownFile, (address) => names.get(address));
  };
  let stopWaiting = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    stopWaiting = systemClock.after(patienceMs, () => resolve(undefined));
  });
  try {
    return await Promise.race([find(), late]);
  } catch {
    // The trace is shown; `replay` says what is wrong.
    return undefined;
  } finally {
    stopWaiting();
  }
}
