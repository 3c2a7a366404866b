import { fileName, visibleText } from '../base/text';
import { finalFailure, instructionAt } from '../recording/recording';
import type { PageStep } from '../trace/page/tracePage';
import { counted } from '../trace/figures';
import type { AccountNames, DebugVariable } from './debugValue';
import { shownText } from './debugValue';
import type { RunView } from './runView';
import { StopView } from './stopView';

/** Lines of the execution that are shown before and after the one that runs. */
const around = { before: 3, after: 3 };
/** Most values, and entries of the stack where the source names none. */
const most = { values: 30, entries: 8 };
/** Longest texts, in characters. */
const longest = { line: 200, value: 300 };

/**
 * What the page of a trace shows of a step: the lines that ran around it, and the values before it.
 *
 * @param node of the page
 * @param number of the step, from 1 with those that the log has lost; undefined: where it failed, else its first line
 */
export function pageStep(
  view: RunView,
  node: number,
  number: number | undefined,
  nameOf: AccountNames,
): PageStep {
  const { recording, steps } = view;
  const { stepsMissing: missing } = recording;
  const wanted = number === undefined ? (view.failedStep ?? view.entry) : number - 1 - missing;
  const step = Math.min(Math.max(wanted, 0), steps - 1);
  const place = view.placeOf(step);
  const thrown = finalFailure(recording);
  const stop = new StopView(view, step, nameOf);
  const named = view.hasNames ? stop.named() : [];
  const [shown, noun] = named.length > 0 ? [named, 'variable'] : [stop.stack(0, stop.depth), 'entry'];
  const count = named.length > 0 ? most.values : most.entries;
  const more = shown.length - count;
  return {
    ...{ node, first: missing + 1, last: missing + steps, step: missing + step + 1 },
    place: place?.file === undefined ? '' : `${fileName(place.file)}:${place.line}`,
    function: visibleText(view.calls.list[view.calls.at[step] ?? -1]?.name ?? '', 60),
    instruction: instructionAt(recording, step).slice(0, 60),
    lines: linesAround(view, step),
    values: shown.slice(0, count).map((one) => stepValue(one)),
    more: more > 0 ? counted(more, `more ${noun}`) : '',
    isStack: named.length === 0,
    failure:
      step === view.failedStep
        ? thrown?.code === undefined
          ? 'It added the action that failed afterward.'
          : `Exit code ${view.run.exitText(thrown.code)}`
        : '',
  };
}

function stepValue({ name, value, expression }: DebugVariable): PageStep['values'][number] {
  return {
    name: visibleText(name, 80),
    text: visibleText(shownText(value), longest.value),
    expression: expression ?? name,
  };
}

/** The lines that ran before and after a step, in the order in which they did. */
function linesAround(view: RunView, step: number): PageStep['lines'] {
  const own = startBefore(view, step);
  const found = own === undefined ? [] : [own];
  for (let count = 0; count < around.before; count += 1) {
    const before = found[0] === undefined ? undefined : startBefore(view, found[0] - 1);
    if (before === undefined) {
      break;
    }
    found.unshift(before);
  }
  let after = 0;
  for (let at = step + 1; at < view.steps && after < around.after; at += 1) {
    if (view.starts[at] !== 0) {
      found.push(at);
      after += 1;
    }
  }
  return found.map((at) => ({
    step: view.recording.stepsMissing + at + 1,
    ...lineAt(view, at),
    isHere: at === own,
  }));
}

/** The last step up to this one at which a line begins, or goes on behind a call. */
function startBefore({ starts }: RunView, step: number): number | undefined {
  let at = step;
  while (at >= 0 && starts[at] === 0) {
    at -= 1;
  }
  return at < 0 ? undefined : at;
}

function lineAt(view: RunView, step: number): { place: string; text: string } {
  const place = view.run.lines?.map.places[view.line[step] ?? -1];
  return place === undefined
    ? { place: '', text: instructionAt(view.recording, step).slice(0, 60) }
    : { place: `${fileName(place.file)}:${place.line}`, text: visibleText(place.text, longest.line) };
}
