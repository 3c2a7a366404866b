import assert from 'node:assert/strict';
import { answerReader } from '../../src/toolkit/api/answerReader';
import { v3Trace } from '../../src/toolkit/api/v3Traces';
import type { V3TraceWire } from '../../src/toolkit/api/v3Traces';
import { buildTrace } from '../../src/toolkit/trace/buildTrace';
import type { TraceSurroundings } from '../../src/toolkit/trace/buildTrace';
import type { TraceModel } from '../../src/toolkit/trace/traceModel';

/** The model of a trace as a service sends it; the given object is converted in place. */
export function modelFrom(trace: V3TraceWire, surroundings?: TraceSurroundings): TraceModel {
  const read = answerReader(v3Trace).salvage(trace);
  assert.ok(read);
  return buildTrace(read, surroundings);
}
