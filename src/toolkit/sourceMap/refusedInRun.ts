import type { MappedSteps } from './mapSteps';
import { refusedNotes } from './refusedNotes';

/** A sentence for each method without lines that an execution has run; for each of a code that shows none of its own. */
export function refusedInRun({ map, selected }: MappedSteps): string[] {
  const ran = new Set(selected);
  const isKnown = map.methods.some(({ refused }, index) => refused === undefined || ran.has(index));
  return refusedNotes(map, (method) => !isKnown || ran.has(method));
}
