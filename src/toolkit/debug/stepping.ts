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
    if (view.starts[step] === 1 && isNext(view, { from, here, step, kind })) {
      return step;
    }
  }
  return undefined;
}

/**
 * The step where the line before begins, without going into what was called; the beginning of the line itself, if the
 * step is in its middle. Undefined at the beginning of the execution.
 */
export function stepBackward(view: RunView, from: number, kind: 'over' | 'instruction'): number | undefined {
  if (kind === 'instruction') {
    return from > 0 ? from - 1 : undefined;
  }
  const here = view.calls.at[from] ?? -1;
  let found: number | undefined;
  for (let step = from - 1; step >= 0; step -= 1) {
    const at = view.calls.at[step] ?? -1;
    if (view.starts[step] !== 1 || !view.isInside(here, at) || (at < 0 && here >= 0)) {
      continue;
    }
    if (found === undefined) {
      // The rest of this line, behind a call, is no other line.
      if (at !== here || view.line[step] !== view.line[from] || isAssembly(view, step)) {
        found = step;
      }
    } else if (
      view.calls.at[found] !== at ||
      view.line[step] !== view.line[found] ||
      isAssembly(view, step)
    ) {
      return found;
    } else {
      found = step;
    }
  }
  return found ?? lineBegin(view, from);
}

/** The nearest step at which a line begins, after the given step or else before it. */
export function nearestStart(
  view: RunView,
  from: number,
  isWanted: (step: number) => boolean,
): number | undefined {
  for (let step = from + 1; step < view.steps; step += 1) {
    if (view.starts[step] === 1 && isWanted(step)) {
      return step;
    }
  }
  for (let step = from; step >= 0; step -= 1) {
    if (view.starts[step] === 1 && isWanted(step)) {
      return step;
    }
  }
  return undefined;
}

interface Candidate {
  from: number;
  here: number;
  step: number;
  kind: Exclude<StepKind, 'instruction'>;
}

function isNext(view: RunView, { from, here, step, kind }: Candidate): boolean {
  const at = view.calls.at[step] ?? -1;
  const isElsewhere = at !== here || view.line[step] !== view.line[from] || isAssembly(view, step);
  switch (kind) {
    case 'in':
      return isElsewhere;
    case 'over':
      return isElsewhere && (here < 0 || at === here || !view.isInside(at, here));
    case 'out':
      return here >= 0 && !view.isInside(at, here);
  }
}

function isAssembly(view: RunView, step: number): boolean {
  return (view.line[step] ?? -1) >= (view.run.lines?.map.places.length ?? 0);
}

/** The first step of the line that a step is in the middle of; undefined if it is that step. */
function lineBegin(view: RunView, from: number): number | undefined {
  for (let step = from - 1; step >= 0; step -= 1) {
    if (view.starts[step] === 1) {
      return step;
    }
  }
  return undefined;
}
