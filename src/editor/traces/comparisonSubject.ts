import type { UndoRef } from '../../commandTargets';
import { clockTime } from '../../toolkit/clockTime';
import type { ComparedPage } from '../../toolkit/tracePage/comparedPage';
import type { OpenTrace } from './openTraces';
import type { PageSubject } from './pageSubject';
import { detailsOf } from './pageSubject';
import { traceTitle } from './traceDocuments';
import type { TraceServices } from './traceServices';

const prefix = 'comparison ';

/** The keys of the traces that a page compares; undefined if it is another page. */
export function comparisonTraces(key: string): string[] | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length).split(' ').map(decodeURIComponent) : undefined;
}

/** The page of two traces. */
export function comparisonSubject(
  services: TraceServices,
  firstLeft: OpenTrace,
  firstRight: OpenTrace,
): PageSubject {
  const key = prefix + [firstLeft, firstRight].map((trace) => encodeURIComponent(trace.key)).join(' ');
  const current = (trace: OpenTrace): OpenTrace => services.traces.find(trace.key) ?? trace;
  const sides = (): [left: OpenTrace, right: OpenTrace] => [current(firstLeft), current(firstRight)];
  const undoOf = ({ key: of }: OpenTrace): UndoRef | undefined => services.traces.undoable.get(of);
  let compared: ComparedPage | undefined;
  const nodeAt: PageSubject['at'] = (index) => {
    const [left, right] = sides();
    const pair = index === undefined ? undefined : compared?.pairs[index];
    return pair?.right === undefined && pair?.left !== undefined
      ? { trace: left, node: pair.left }
      : { trace: right, node: pair?.right };
  };
  return {
    key,
    title: () => `${sides().map(traceTitle).join(' and ')}`,
    parts: () => [...sides().map(({ context }) => context), undoOf(sides()[1])],
    page: async () => {
      const { comparedPage } = await import('../../toolkit/tracePage/comparedPage');
      const [left, right] = sides();
      const [name, otherName] = sideNames(left, right, undoOf(right) !== undefined);
      compared = comparedPage(
        { name, context: left.context },
        { name: otherName, context: right.context },
        { key, commands: undoOf(right) === undefined ? ['text'] : ['undo', 'text'] },
      );
      return compared.page;
    },
    at: nodeAt,
    details: async (index) => {
      const { trace, node } = nodeAt(index);
      const side = compared?.pairs[index]?.right === undefined ? 'left' : 'right';
      const context = compared?.contexts[side] ?? trace.context;
      const details = await detailsOf(services, { ...trace, context }, node, false);
      return details && { ...details, node: index };
    },
    run: (command, node) => {
      if (command !== 'text' || node !== undefined) {
        return undefined;
      }
      return import('./compareTracesCommand').then((module) => module.showComparison(services, ...sides()));
    },
  };
}

/** What the traces are called in sentences, by what sets them apart: what they are, else their times. */
function sideNames(left: OpenTrace, right: OpenTrace, isSentAgain: boolean): [left: string, right: string] {
  if (isSentAgain) {
    return ['the trace before', 'the trace sent again'];
  }
  const [one, other] = [left, right].map(nameOf) as [string, string];
  if (one !== other) {
    const isRehearsed = left.status === 'rehearsal' && right.status !== 'rehearsal';
    return isRehearsed ? ['the rehearsal', 'what happened'] : [one, other];
  }
  return left.status === 'rehearsal'
    ? ['the left rehearsal', 'the right rehearsal']
    : ['the left trace', 'the right trace'];
}

function nameOf({ status, model }: OpenTrace): string {
  const time = model.source.start_utime ?? model.nodes[0]?.transaction?.now ?? undefined;
  const noun = status === 'rehearsal' ? 'the rehearsal' : 'the trace';
  return time === undefined ? noun : `${noun} of ${clockTime(time)}`;
}
