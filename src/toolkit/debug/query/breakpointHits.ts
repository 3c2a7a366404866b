import { fileName } from '../../base/text';
import { placeAt } from '../../sourceMap/mapSteps';
import { namesInCode } from '../../sourceMap/decidingCode';
import type { AccountNames } from '../debugValue';
import type { DataStop, FunctionStop, InstructionStop, LineStop, StopRules } from '../findStops';
import { findStops } from '../findStops';
import type { RunView } from '../runView';
import { valueChangeText } from '../valueChangeText';
import { valueAt } from './lineHits';
import type { AskedRun, HitFacts, HitValue, RunHits } from './queryHit';
import { hitValueText } from './queryHit';

/** Most values of a line in a hit. */
const mostValues = 6;

/** Everything that one breakpoint or logpoint hits. */
export interface BreakpointQuestion {
  kind: 'breakpoint';
  /** It alone. */
  rules: StopRules;
}

/**
 * All that a breakpoint hits: the steps at which it stops, or writes. A hit has what a logpoint writes, the change that a
 * watched value made, or else the values that the line names.
 */
export async function breakpointHits(
  { view, nameOf }: AskedRun,
  { rules }: BreakpointQuestion,
): Promise<RunHits> {
  const problems = new Set<string>();
  const stops = await findStops(view, rules, nameOf, (problem) => problems.add(problem));
  const [watched] = rules.data;
  return {
    hits: stops.map(({ step, logs }) => ({
      step,
      tell: () =>
        watched === undefined
          ? factsAt(view, step, logs, nameOf)
          : { ...factsAt(view, step, logs, nameOf), ...changeAt(view, watched, step, nameOf) },
    })),
    notes: [...problems],
  };
}

function changeAt(
  view: RunView,
  { data }: DataStop,
  step: number,
  nameOf: AccountNames,
): Pick<HitFacts, 'title' | 'place'> {
  const { lines } = view.run;
  // The step before is the one that made the change.
  const place = lines && (placeAt(lines, step - 1) ?? placeAt(lines, step));
  return { title: valueChangeText(view, data, step, nameOf), place };
}

function factsAt(view: RunView, step: number, logs: readonly string[], nameOf: AccountNames): HitFacts {
  const place = view.run.lines && placeAt(view.run.lines, step);
  const values = place === undefined ? [] : valuesOf(view, step, place.text, nameOf);
  const title = logs[0] ?? (values.length === 0 ? (place?.text ?? '') : values.map(hitValueText).join(', '));
  return { title, values, place };
}

/** The values that are known of what a line names. */
function valuesOf(view: RunView, step: number, text: string, nameOf: AccountNames): HitValue[] {
  return [...new Set(namesInCode(text))]
    .filter((name) => !view.run.constants.has(name))
    .map((name) => valueAt(view, step, name, nameOf))
    .filter(({ value }) => value !== undefined)
    .slice(0, mostValues);
}

/** What a breakpoint is called in a list: `till.tolk:31 if by > 5`, `Storage.save()`, `changes of c4.total`. */
export function breakpointTitle({ lines, functions, instructions, data }: StopRules): string {
  const [stop] = [...lines, ...functions, ...instructions, ...data];
  if (stop === undefined) {
    return '';
  }
  const { condition, hitCondition } = stop;
  return [
    placeOf(stop),
    ...(condition === undefined ? [] : [`if ${condition}`]),
    ...(hitCondition === undefined ? [] : [`hits ${hitCondition}`]),
  ].join(' ');
}

function placeOf(stop: LineStop | FunctionStop | InstructionStop | DataStop): string {
  if ('line' in stop) {
    return 'file' in stop.source ? `${fileName(stop.source.file)}:${stop.line}` : `line ${stop.line}`;
  }
  if ('name' in stop) {
    return `${stop.name}()`;
  }
  if ('offset' in stop) {
    return `instruction at ${stop.offset}`;
  }
  const { data } = stop;
  return `changes of ${data.kind === 'name' ? data.name : data.kind === 'global' ? `c7[${data.index}]` : data.kind}`;
}
