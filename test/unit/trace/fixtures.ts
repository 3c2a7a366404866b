import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { V3TracesAnswer } from '../../../src/toolkit/trace/v3Trace';
import { reference } from '../../support/reference';
import { traceFixtures } from '../../support/traceFixtures';

const folder = reference();
const texts = new Map(
  (folder === undefined ? [] : traceFixtures(folder)).map(({ file, text }) => [
    file.replace(/\.json$/, ''),
    text,
  ]),
);

/** The recorded answers, by file name without extension; none where the reference folder is absent. */
export const recordedNames = [...texts.keys()];

export function recordedAnswer(name: string): V3TracesAnswer {
  return JSON.parse(texts.get(name) ?? '') as V3TracesAnswer;
}

/** The first (in the recordings the only) trace of an answer. */
export function contextOf(answer: unknown): TraceContext {
  const [model] = readTraces(answer);
  if (model === undefined) {
    throw new Error('the answer holds no trace');
  }
  return new TraceContext(model);
}
