import type { CallSheetProblem, ConcurrentMark, SheetStep } from './callSheet';
import { groupBy } from '../base/collections';
import type { Line } from './sheetText';
import { part, placeOf } from './sheetText';

/** Reads `@concurrent` or `@concurrent 2.1.3`; undefined for any other line. */
export function readConcurrentMark(line: Line): ConcurrentMark | undefined {
  const text = line.text.trim();
  const read = /^@concurrent(?:\s+([\d.]+))?$/.exec(text);
  if (read === null) {
    return undefined;
  }
  const place = placeOf(line, text);
  const [, order] = read;
  return order === undefined
    ? place
    : { ...place, order: part(line, line.text.trimEnd().length - order.length, order) };
}

/**
 * What is wrong with the scenarios marked as concurrent: their messages come together, after what prepares them and before
 * what is checked once all are delivered.
 */
export function concurrentProblems(steps: readonly SheetStep[]): CallSheetProblem[] {
  const marked = steps.filter(({ concurrent }) => concurrent !== undefined);
  return [...groupBy(marked, ({ scenario }) => scenario).values()].flatMap(problemsOf);
}

function problemsOf(steps: readonly SheetStep[]): CallSheetProblem[] {
  const sends = steps.filter(({ kind }) => kind === 'send');
  const [first] = sends;
  const last = sends.at(-1);
  const [{ concurrent: mark } = {}] = steps;
  if (first === undefined || last === undefined || first === last) {
    return mark === undefined
      ? []
      : [
          {
            ...{ offset: mark.offset, length: mark.length },
            message: 'Concurrent messages are at least two.',
            suggestion: 'Write two send lines below.',
          },
        ];
  }
  const between = steps.filter(
    ({ kind, offset }) => kind !== 'send' && offset > first.offset && offset < last.offset,
  );
  const late = steps.filter(({ kind, offset }) => kind === 'deploy' && offset > last.offset);
  const early = sends
    .filter((send) => send !== last)
    .flatMap(({ expectations }) => expectations.filter(({ subject }) => subject.kind === 'answer'));
  return [
    ...[...between, ...late].map(({ offset, length }) => ({
      ...{ offset, length },
      message:
        'Concurrent messages are sent together: nothing happens between them, and nothing is deployed after them.',
      suggestion: 'Write deployments above the first message, and calls below the last one.',
    })),
    ...early.map(({ offset, length }) => ({
      ...{ offset, length },
      message: 'Answers are checked once all concurrent messages are delivered.',
      suggestion: 'Write this below the last message.',
    })),
  ];
}
