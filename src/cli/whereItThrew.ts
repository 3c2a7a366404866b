import type { TraceContext } from '../toolkit/trace/traceContext';
import type { NetworkOptions } from './network';

/** Milliseconds for finding the line that threw: the trace is shown already. */
const patienceMs = 10_000;

/** Where the transaction threw that a trace failed of. */
export interface ThrownHere {
  /** The source line and the values there; empty if they are not known. */
  lines: readonly string[];
  /** The command that tells more, in a sentence. */
  next: string;
}

/**
 * The source line that threw, or the command that tells it. Undefined if no code threw, or if it did not happen.
 *
 * @param findsLine runs the transaction again to find the line
 */
export async function whereItThrew(
  { model }: TraceContext,
  options: NetworkOptions,
  findsLine: boolean,
): Promise<ThrownHere | undefined> {
  const [{ causeOf }, { hasThrown }, { isEmulated }] = await Promise.all([
    import('../toolkit/trace/verdict'),
    import('../toolkit/trace/outcomeOf'),
    import('../toolkit/trace/emulated'),
  ]);
  const cause = causeOf(model);
  if (cause?.hash === undefined || !hasThrown(cause.transaction) || isEmulated(cause)) {
    return undefined;
  }
  const lines = findsLine ? await lineThatThrew(cause.hash, options) : undefined;
  const what = lines === undefined ? 'For the line that threw and every step' : 'For every step';
  const next = `${what}: ton-workbench replay ${cause.hash}${lines === undefined ? '' : ' --steps'}`;
  return { lines: lines ?? [], next };
}

/** Undefined if no source here compiles to the code, or if it takes too long. */
async function lineThatThrew(hash: string, options: NetworkOptions): Promise<string[] | undefined> {
  const [{ openReplayer }, { runWithLines, shownFile }, { thrownAt, thrownText }, { systemClock }] =
    await Promise.all([
      import('./openReplayer'),
      import('./linesHere'),
      import('../toolkit/sourceMap/thrownAt'),
      import('../toolkit/time'),
    ]);
  const find = async (): Promise<string[] | undefined> => {
    const replayer = await openReplayer(options);
    const { steps } = await runWithLines(replayer, hash, undefined);
    const thrown = steps && thrownAt(steps);
    const names = await replayer.names();
    return thrown && thrownText(thrown, shownFile, (address) => names.get(address));
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
