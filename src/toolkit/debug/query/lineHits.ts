import { WorkbenchError } from '../../base/errors';
import { placeAt } from '../../sourceMap/mapSteps';
import { isLibraryFile } from '../../sourceMap/sourceMap';
import { shownText } from '../debugValue';
import type { AccountNames } from '../debugValue';
import { evaluate } from '../evaluate';
import type { LineSource, RunView } from '../runView';
import { StopView } from '../stopView';
import type { AskedRun, HitValue, RunHits } from './queryHit';
import { hitValueText } from './queryHit';
import type { Question } from './readQuestion';

/** All runs of a line: the steps at which a breakpoint there stops. */
export function lineHits(
  { view, nameOf, pathOf }: AskedRun,
  { file, line, values }: Extract<Question, { kind: 'line' }>,
): RunHits {
  const { lines } = view.run;
  const files = [...new Set(lines?.map.places.map((place) => place.file))];
  const wanted = files.filter((one) => isFileNamed(one, file));
  if (wanted.length === 0) {
    return { hits: [], notes: [], instead: files.filter((one) => !isLibraryFile(one)) };
  }
  const sources = wanted.map((one): LineSource => {
    const library = view.libraries.get(one);
    return library === undefined ? { file: pathOf(one) ?? one } : { library };
  });
  const steps = sources.flatMap((source) => view.stepsAt(source, line)).sort((one, other) => one - other);
  return {
    hits: steps.map((step) => ({
      step,
      tell: () => {
        const place = lines && placeAt(lines, step);
        const asked = values.map((expression) => valueAt(view, step, expression, nameOf));
        const title = asked.length === 0 ? (place?.text ?? '') : asked.map(hitValueText).join(', ');
        return { title, values: asked, place };
      },
    })),
    notes:
      steps.length > 0 ? [] : sources.flatMap((source) => whyNone(view, source, `${file}:${line}`, line)),
  };
}

/** Whether a file is meant by the end of its path: `contracts/counter.tolk` also by `counter.tolk`. */
function isFileNamed(file: string, wanted: string): boolean {
  const path = file.replaceAll('\\', '/');
  return path === wanted || path.endsWith(`/${wanted.replace(/^(?:\.?\/)+/, '')}`);
}

function whyNone(view: RunView, source: LineSource, name: string, line: number): string[] {
  const reach = view.reachOf(source, line);
  switch (reach.kind) {
    case 'none':
      return [`No instruction is known to come from ${name}, so whether it ran is unknown.`];
    case 'unclear':
      return [`Whether ${name} ran is unknown: it only calls ${reach.name}, which other lines call, too.`];
    case 'never':
      return [];
  }
}

/** The value of an expression before a step, or why it has none. */
export function valueAt(view: RunView, step: number, expression: string, nameOf: AccountNames): HitValue {
  try {
    const value = evaluate(expression, new StopView(view, step, nameOf).scope);
    return { name: expression, value: shownText(value) };
  } catch (error) {
    if (!WorkbenchError.is(error, 'expression-invalid')) {
      throw error;
    }
    return { name: expression, value: undefined, why: error.message.replace(/\.$/, '') };
  }
}
