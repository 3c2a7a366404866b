import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { V3TraceListWire as V3TracesAnswer } from '../../../src/toolkit/api/v3Traces';
import { traceFixtures } from '../../support/traceFixtures';

const texts = new Map(traceFixtures().map(({ file, text }) => [file.replace(/\.json$/, ''), text]));

/** The recorded answers, by file name without extension. */
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
