import { padRight } from '../base/formatTable';
import type { AskedValue } from './askedValues';
import { askedOfFailure, askedValue } from './askedValues';
import type { OriginRuns } from './originCrossings';
import type { OriginHop } from './originHops';
import { valueOrigin } from './valueOrigin';
import type { RunView } from './runView';

/** The way of a value, and of those that it was worked out of. */
export interface OriginTree {
  hops: readonly OriginHop[];
  sources: readonly OriginTree[];
  /** Sources that are not followed: the answer would be too long, or has them already. */
  more?: number | undefined;
}

/** How far a tree goes. */
export interface TreeBounds {
  /** Values that are followed. */
  values: number;
  /** Values that are worked out of values that are worked out. */
  depth: number;
}

const usual: TreeBounds = { values: 24, depth: 4 };

/** Follows a value, and those that it was worked out of, as far as an answer that people read should be long. */
export async function originTree(
  runs: OriginRuns,
  asked: AskedValue,
  signal: AbortSignal,
  bounds: TreeBounds = usual,
): Promise<OriginTree> {
  const seen = new Set<string>();
  const follow = async (one: AskedValue, depth: number): Promise<OriginTree> => {
    const { hops, sources } = await valueOrigin(runs, one, signal);
    const trees: OriginTree[] = [];
    let more = 0;
    for (const source of sources) {
      const key = JSON.stringify([source.thread, source.step, source.in, source.part]);
      if (seen.has(key) || seen.size >= bounds.values || depth >= bounds.depth) {
        more += 1;
        continue;
      }
      seen.add(key);
      trees.push(await follow(source, depth + 1));
    }
    return { hops, sources: trees, ...(more > 0 ? { more } : {}) };
  };
  return follow(asked, 0);
}

/** What a question is about, and what was asked for and cannot be. */
export interface AskedNames {
  values: readonly AskedValue[];
  /** A sentence for each name that nothing is known of. */
  problems: readonly string[];
}

/**
 * The values that an expression names at a step; without one, the operands of what failed.
 *
 * @param now the step that the execution is at, if the other one is that of a function in the call stack
 */
export function askedIn(
  view: RunView,
  thread: number,
  step: number,
  expression: string | undefined,
  now = step,
): AskedNames {
  if (expression === undefined) {
    const values = askedOfFailure(view, thread);
    const problems = values.length > 0 ? [] : ['Nothing failed here that depends on a value.'];
    return { values, problems };
  }
  const names = expression.match(/[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g) ?? [];
  const values: AskedValue[] = [];
  const problems: string[] = [];
  for (const name of new Set(names)) {
    const found = askedValue(view, thread, step, name, now);
    if (typeof found === 'string') {
      problems.push(`Cannot tell where ${name} comes from: ${found}.`);
    } else {
      values.push(found);
    }
  }
  return { values, problems: names.length === 0 ? ['The expression names no value.'] : problems };
}

/** How a hop is shown: its words, and where it is. */
export interface HopNames {
  threadName: (thread: number) => string;
  fileName: (file: string) => string;
}

/** `c4.total 5 TON`, `stored: amount 6 TON` */
export function hopWords({ title, value }: OriginHop): string {
  return value === undefined ? title : `${title} = ${value}`;
}

/** `bank.tolk:31, 3 bank, step 120`; without a step if no code ran there. */
export function hopPlace({ thread, number, place }: OriginHop, { threadName, fileName }: HopNames): string {
  const line = place === undefined ? '' : `${fileName(place.file)}:${place.line}, `;
  return `${line}${threadName(thread)}${number > 0 ? `, step ${number}` : ''}`;
}

/** The tree as lines, the newest hop first; sources are indented below what was worked out of them. */
export function originLines(tree: OriginTree, names: HopNames): string[] {
  const rows: [string, string][] = [];
  const add = ({ hops, sources, more }: OriginTree, indent: string): void => {
    hops.forEach((hop, index) => {
      rows.push([`${indent}${index === 0 ? '' : '← '}${hopWords(hop)}`, hopPlace(hop, names)]);
    });
    sources.forEach((source) => add(source, `${indent}    `));
    if (more !== undefined) {
      rows.push([`${indent}    and ${more} more that ${more === 1 ? 'is' : 'are'} not followed`, '']);
    }
  };
  add(tree, '');
  const width = Math.min(72, Math.max(...rows.map(([words]) => words.length)));
  return rows.map(([words, place]) => (place === '' ? words : `${padRight(words, width)}  ${place}`));
}
