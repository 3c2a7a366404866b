import type { OfWindow } from '../networks/sourceNames';
import { perWindow } from '../networks/sourceNames';

/** What the folder's record of a network names. */
interface Recorded {
  /** Raw addresses by name. */
  names: ReadonlyMap<string, string>;
  /** Raw addresses by the path of the source in the folder; the newest of each. */
  sources: ReadonlyMap<string, string>;
}

const recorded = perWindow(() => new Map<string, Recorded>());

/** Remembers what the project's record of a network names. */
export function learnRecorded(services: OfWindow, network: string, known: Recorded): void {
  recorded(services).set(network, known);
}

/** The contract that the project's record has of a source on a network, raw; the last one that was deployed. */
export function recordedFrom(services: OfWindow, network: string, source: string): string | undefined {
  return recorded(services).get(network)?.sources.get(source);
}

/** The names that the project's record gives on a network, with raw addresses. */
export function recordedOn(services: OfWindow, network: string): ReadonlyMap<string, string> {
  return recorded(services).get(network)?.names ?? new Map();
}
