import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';
import type { SourcePlace } from './sourceMap';

/** Which functions were running at each step. */
export interface CallPaths {
  /** Nodes of the tree of calls; the first is the root, which is no function. */
  readonly nodes: readonly CallNode[];
  /** By step: index of its node. */
  readonly node: Int32Array;
  /** Whether a call begins at a step. */
  isCall(step: number): boolean;
}

/** A function that was called by the one of another node. */
export interface CallNode {
  /** Index of the caller's node; -1 for the root. */
  parent: number;
  /** Undefined for the root. */
  name: string | undefined;
  file: string;
  /** The line where it began. */
  line: number;
}

/**
 * Follows the calls of an execution by its lines: functions are often inlined, so that no instruction calls them. A
 * function that is not running begins when one of its lines runs, and ends when a line of one of its callers does.
 */
export function callPaths(steps: MappedSteps): CallPaths {
  const count = steps.recording.steps;
  const nodes: CallNode[] = [{ parent: -1, name: undefined, file: '', line: 0 }];
  const children = new Map<string, number>();
  const node = new Int32Array(count);
  const begins = new Uint8Array(count);
  let current = 0;
  let last: SourcePlace | undefined;
  for (let step = 0; step < count; step += 1) {
    const place = placeAt(steps, step);
    // On the same line, the same function is running.
    if (place !== undefined && (place !== last || steps.entry[step] === 1)) {
      last = place;
      const { file, line, function: name = '' } = place;
      const running = steps.entry[step] === 1 ? -1 : callerWith(nodes, current, name, file);
      if (running >= 0) {
        current = running;
      } else {
        const key = `${current} ${name} ${file}`;
        const known = children.get(key) ?? nodes.push({ parent: current, name, file, line }) - 1;
        children.set(key, known);
        current = known;
        begins[step] = 1;
      }
    }
    // A step without a line belongs to no function.
    node[step] = place === undefined ? 0 : current;
  }
  return { nodes, node, isCall: (step) => begins[step] === 1 };
}

/** The nearest node of a function on the way to the root; -1 if it is not running. */
function callerWith(nodes: readonly CallNode[], from: number, name: string, file: string): number {
  for (let at = from; at > 0; at = nodes[at]!.parent) {
    if (nodes[at]!.name === name && nodes[at]!.file === file) {
      return at;
    }
  }
  return -1;
}
