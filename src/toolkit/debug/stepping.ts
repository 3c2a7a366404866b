import type { RunView } from './runView';

/** How far a step goes. `over` passes what is called, `in` does not, `out` ends the function. */
export type StepKind = 'over' | 'in' | 'out' | 'instruction';

/** The step to stop at next; undefined if the execution ends before. */
export function stepForward(view: RunView, from: number, kind: StepKind): number | undefined {
  if (kind === 'instruction') {
    return from + 1 < view.steps ? from + 1 : undefined;
  }
  const here = view.calls.at[from] ?? -1;
  for (let step = from + 1; step < view.steps; step += 1) {
    if ((view.starts[step] ?? 0) > 0 && isNext(view, here, step, kind)) {
      return step;
    }
  }
  return undefined;
}

/**
 * The step where the line before begins, without going into what was called; behind a call, the beginning of the line
 * that made it. Undefined at the beginning of the execution.
 */
export function stepBackward(view: RunView, from: number, kind: 'over' | 'instruction'): number | undefined {
  if (kind === 'instruction') {
    return from > 0 ? from - 1 : undefined;
  }
  const here = view.calls.at[from] ?? -1;
  const begin = lineBegin(view, from, here);
  if (view.starts[from] === 2 && begin !== undefined) {
    return begin;
  }
  for (let step = (begin ?? from) - 1; step >= 0; step -= 1) {
    const at = view.calls.at[step] ?? -1;
    if ((view.starts[step] ?? 0) > 0 && view.isInside(here, at) && (at >= 0 || here < 0)) {
      return lineBegin(view, step, at) ?? step;
    }
  }
  return undefined;
}

function isNext(view: RunView, here: number, step: number, kind: Exclude<StepKind, 'instruction'>): boolean {
  const at = view.calls.at[step] ?? -1;
  switch (kind) {
    case 'in':
      return at !== here || view.starts[step] === 1;
    case 'over':
      return at === here ? view.starts[step] === 1 : here < 0 || !view.isInside(at, here);
    case 'out':
      return here >= 0 && !view.isInside(at, here);
  }
}

/** Where the line of a step began in its function; undefined if it has none. */
function lineBegin(view: RunView, from: number, at: number): number | undefined {
  for (let step = from; step >= 0; step -= 1) {
    if (view.starts[step] === 1 && view.calls.at[step] === at) {
      return step;
    }
  }
  return undefined;
}
