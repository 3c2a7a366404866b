import { depthAt } from '../../recording/followValue';
import { finalFailure, instructionAt, stackTextAt } from '../../recording/recording';
import { splitStack } from '../../recording/splitStack';
import { variablesOf } from '../../sourceMap/knownValues';
import { placeAt } from '../../sourceMap/mapSteps';
import type { Activation } from '../../sourceMap/sourceFunctions';
import type { AccountNames } from '../debugValue';
import { shownText, wordValue } from '../debugValue';
import { isFunctionNamed } from '../findStops';
import type { RunView } from '../runView';
import { StopView } from '../stopView';
import { valueAt } from './lineHits';
import type { AskedRun, HitFacts, HitValue, RunHits } from './queryHit';

/** All calls of a function, with their arguments and results as far as they are known. */
export function callHits({ view, nameOf }: AskedRun, name: string): RunHits {
  const { calls, run } = view;
  const functions = run.lines?.map.functions ?? [];
  const isWanted = (one: { name: string }): boolean => isFunctionNamed(one.name, name);
  const found = [...calls.list.entries()].filter(([, call]) => isWanted(call));
  const declared = functions.filter(isWanted);
  if (found.length === 0 && declared.length === 0) {
    const known = [...calls.list, ...functions].map((one) => one.name);
    return { hits: [], notes: [], instead: [...new Set(known)] };
  }
  const ends = endsOf(view);
  const hasCode = run.lines?.map.places.some(
    (place) => place.function !== undefined && isFunctionNamed(place.function, name),
  );
  return {
    hits: found.map(([index, call]) => ({
      step: call.first,
      tell: () => callFacts(view, { call, index, end: ends[index] ?? view.steps }, nameOf),
    })),
    notes:
      found.length === 0 && hasCode !== true
        ? [`No instruction is known to come from ${name}, so whether it was called is unknown.`]
        : [],
  };
}

interface Call {
  call: Activation;
  index: number;
  /** The first step behind it; the number of steps if the execution ended in it. */
  end: number;
}

function callFacts(view: RunView, one: Call, nameOf: AccountNames): HitFacts {
  const { call } = one;
  const { lines } = view.run;
  const given = argumentsOf(view, call, nameOf);
  const results = resultsOf(view, one, nameOf);
  const shown = given.map(({ name, value }) => `${name}: ${value ?? 'unknown'}`).join(', ');
  const [first] = results;
  const returned =
    first === undefined
      ? 'nothing'
      : first.value === undefined
        ? (first.why ?? 'unknown')
        : results.map(({ value }) => value).join(', ');
  return {
    title: `${call.name}(${shown}) → ${returned}`,
    values: [...given, ...results],
    place: lines && placeAt(lines, call.first),
  };
}

/** The parameters that the source declares; where it only names what is on the stack, all of that. */
function argumentsOf(view: RunView, { first, name }: Activation, nameOf: AccountNames): HitValue[] {
  const { lines } = view.run;
  const place = lines && placeAt(lines, first);
  if (lines === undefined || place === undefined) {
    return [{ name: 'arguments', value: undefined, why: `the source of ${name} is not known` }];
  }
  if (lines.map.variables !== undefined) {
    return variablesOf(lines.map, place)
      .filter(({ parameter }) => parameter !== undefined)
      .sort((one, other) => (one.parameter ?? 0) - (other.parameter ?? 0))
      .map((one) => valueAt(view, first, one.name, nameOf));
  }
  const stop = new StopView(view, first, nameOf);
  return stop.locals().map((one): HitValue => ({ name: one.name, value: shownText(one.value) }));
}

/** What a call left on the stack; of a function that the compiler has put into its caller, that is not known. */
function resultsOf(view: RunView, { call, index, end }: Call, nameOf: AccountNames): HitValue[] {
  const { recording, run } = view;
  const unknown = (why: string): HitValue[] => [{ name: 'result', value: undefined, why }];
  const thrown = recording.exceptions.find(
    ({ step }) => step + 1 === end && view.isInside(view.calls.at[step] ?? -1, index),
  );
  const final = finalFailure(recording);
  if (thrown !== undefined || (end === view.steps && final !== undefined)) {
    const code = (thrown ?? final)?.code;
    return unknown(code === undefined ? 'threw' : `threw ${run.exitText(code)}`);
  }
  if (call.isInlined) {
    return unknown('unknown: the compiler has put it into its caller');
  }
  const names = run.lines?.map.names[run.lines.names[call.first] ?? -1];
  const last = end < view.steps ? end : end - 1;
  const hasReturned = end < view.steps || /^(?:implicit )?RET/.test(instructionAt(recording, last));
  const count =
    names === undefined ? -1 : depthAt(recording, last) - (depthAt(recording, call.first) - names.length);
  if (!hasReturned || count < 0) {
    return unknown('unknown: the log does not tell what it left on the stack');
  }
  const words = count === 0 ? [] : splitStack(stackTextAt(recording, last)).slice(-count);
  return words.map((word, at) => ({
    name: count === 1 ? 'result' : `result ${at + 1}`,
    value: wordValue(word, nameOf).text,
  }));
}

/** By call: the first step behind it; the number of steps if the execution ended in it. */
function endsOf(view: RunView): Int32Array {
  const { at, list } = view.calls;
  const ends = new Int32Array(list.length).fill(view.steps);
  for (let step = 1; step < view.steps; step += 1) {
    const now = at[step] ?? -1;
    // A call that goes on is around what runs now.
    for (let left = at[step - 1] ?? -1; left >= 0 && left !== now; left = list[left]?.parent ?? -1) {
      if (view.isInside(now, left)) {
        break;
      }
      ends[left] = step;
    }
  }
  return ends;
}
