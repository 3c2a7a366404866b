import type { PageHop } from '../trace/page/tracePage';
import { visibleText } from '../base/text';
import type { HopNames, OriginTree } from './originTree';
import { hopPlace, hopWords } from './originTree';

/** Longest words of a hop, in characters. */
const longest = 160;

/** The way of a value as the page of a trace shows it: the newest hop first, what it was worked out of one deeper. */
export function pageHops({ hops, sources, more }: OriginTree, names: HopNames, depth = 0): PageHop[] {
  return [
    ...hops.map((hop, index): PageHop => ({
      words: visibleText(hopWords(hop), longest),
      place: hopPlace(hop, names),
      ...{ depth, isFirst: index === 0, isUnknown: hop.kind === 'unknown' },
      // Where no code ran, there is no step.
      ...(hop.step < 0 ? {} : { at: { thread: hop.thread, step: hop.number } }),
    })),
    ...sources.flatMap((source) => pageHops(source, names, depth + 1)),
    ...(more === undefined
      ? []
      : [{ words: `and ${more} more`, place: '', depth: depth + 1, isFirst: true, isUnknown: false }]),
  ];
}

/** The answer to a question that cannot be followed at all. */
export function unknownHop(reason: string): PageHop {
  return {
    words: `unknown: ${visibleText(reason, 300)}`,
    ...{ place: '', depth: 0, isFirst: true, isUnknown: true },
  };
}
