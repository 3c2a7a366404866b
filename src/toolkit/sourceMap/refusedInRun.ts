import type { MappedSteps } from './mapSteps';
import { refusedNotes } from './refusedNotes';

/** A sentence for each method without lines that an execution has run. */
export function refusedInRun({ map, selected }: MappedSteps): string[] {
  const ran = new Set(selected);
  return refusedNotes(map, (method) => ran.has(method));
}
