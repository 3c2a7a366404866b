import type { OfWindow } from '../networks/sourceNames';
import { perWindow } from '../networks/sourceNames';

/** What the folder's records of deployments name: raw addresses by name, by network. */
const recorded = perWindow(() => new Map<string, ReadonlyMap<string, string>>());

/** Remembers the names of the project's record of a network, with raw addresses. */
export function learnRecorded(services: OfWindow, network: string, names: ReadonlyMap<string, string>): void {
  recorded(services).set(network, names);
}

/** The names that the project's record gives on a network, with raw addresses. */
export function recordedOn(services: OfWindow, network: string): ReadonlyMap<string, string> {
  return recorded(services).get(network) ?? new Map();
}
