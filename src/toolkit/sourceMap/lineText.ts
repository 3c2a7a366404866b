import { placeAt } from './mapSteps';
import type { MappedSteps } from './mapSteps';

/**
 * The line of a step, such as `counter.tolk:44`; empty if it has none.
 * @param nameOf how files are named
 */
export function lineText(steps: MappedSteps, step: number, nameOf: (file: string) => string): string {
  const place = placeAt(steps, step);
  return place === undefined ? '' : `${nameOf(place.file)}:${place.line}`;
}
