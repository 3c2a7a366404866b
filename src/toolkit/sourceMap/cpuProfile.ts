import { pathToFileURL } from 'node:url';
import type { MappedSteps } from './mapSteps';
import { callPaths, placeAt } from './mapSteps';
import { isOwnFile } from './sourceMap';

/** A node of a {@link CpuProfile}. Lines count from 0. */
interface CpuProfileNode {
  id: number;
  callFrame: {
    functionName: string;
    scriptId: string;
    url: string;
    lineNumber: number;
    columnNumber: number;
  };
  hitCount: number;
  children: number[];
  /** Lines count from 1. */
  positionTicks: { line: number; ticks: number }[];
}

/** The format of `.cpuprofile`, as of the Chrome DevTools Protocol (Profiler.Profile); a unit of gas is a microsecond. */
export interface CpuProfile {
  nodes: CpuProfileNode[];
  startTime: number;
  endTime: number;
  samples: number[];
  /** Before each sample. */
  timeDeltas: number[];
}

/** An execution for viewers of profiles: one sample per step, weighted with its gas. */
export function cpuProfile(steps: MappedSteps): CpuProfile {
  const { recording } = steps;
  const paths = callPaths(steps);
  const nodes = paths.nodes.map(({ name, file, line }, index): CpuProfileNode => {
    const callFrame = {
      functionName: index === 0 ? '(no source line)' : name === '' ? '(outside functions)' : (name ?? ''),
      scriptId: String(index),
      url: file === '' || !isOwnFile(file) ? file : pathToFileURL(file).href,
      lineNumber: line - 1,
      columnNumber: 0,
    };
    return { id: index + 1, callFrame, hitCount: 0, children: [], positionTicks: [] };
  });
  paths.nodes.forEach(({ parent }, index) => {
    nodes[parent]?.children.push(index + 1);
  });
  const samples: number[] = [];
  const timeDeltas: number[] = [];
  // Steps that the log has lost come first.
  let before = 0;
  if (recording.gasMissing > 0) {
    samples.push(1);
    timeDeltas.push(0);
    before = recording.gasMissing;
  }
  for (let step = 0; step < recording.steps; step += 1) {
    const node = nodes[paths.node[step]!]!;
    node.hitCount += 1;
    addTicks(node, placeAt(steps, step)?.line, recording.gas[step]!);
    samples.push(node.id);
    timeDeltas.push(before);
    before = recording.gas[step]!;
  }
  const endTime = timeDeltas.reduce((sum, delta) => sum + delta, before);
  return { nodes, startTime: 0, endTime, samples, timeDeltas };
}

function addTicks({ positionTicks }: CpuProfileNode, line: number | undefined, ticks: number): void {
  if (line === undefined) {
    return;
  }
  const known = positionTicks.find((one) => one.line === line);
  if (known === undefined) {
    positionTicks.push({ line, ticks });
  } else {
    known.ticks += ticks;
  }
}
