import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { V3TracesAnswer } from '../../../src/toolkit/trace/v3Trace';

const folder = path.resolve(process.env.TONWB_REFERENCE ?? '../shared/reference', 'fixtures/v3-traces');

/** The recorded answers, by file name without extension. */
export const recordedNames = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''))
  .sort();

export function recordedAnswer(name: string): V3TracesAnswer {
  return JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as V3TracesAnswer;
}

/** The first (in the recordings the only) trace of an answer. */
export function contextOf(answer: unknown): TraceContext {
  const [model] = readTraces(answer);
  if (model === undefined) {
    throw new Error('the answer holds no trace');
  }
  return new TraceContext(model);
}
