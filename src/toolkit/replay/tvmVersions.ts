import { engineVersion } from '../execution/emulator/emulator';
import type { Recording } from '../recording/recording';
import { vmPhaseOf } from './replayErrors';
import type { Replay } from './runReplay';
import type { VersionChange } from './versionChanges';
import { versionChanges } from './versionChanges';

/** What later versions changed is known up to this one. */
const newestVersion = 15;

/** Which versions of TVM and rules give the result of a replay. */
export interface TvmVersions {
  /** Those that do, ascending: the one that it ran under, and later ones. */
  same: readonly number[];
  /** The network's: parameter 8. */
  network: number;
  /** What the execution used that a later version changed; empty if nothing. */
  changes: readonly VersionChange[];
}

/** What there is to know of an execution besides its result. */
export interface TvmVersionsOptions {
  /** It was edited, or has not happened: the network's version gave no such result. */
  isEdited?: boolean | undefined;
  /** The original ran on this engine, whatever the configuration says: on the local network. */
  isOurs?: boolean | undefined;
}

/**
 * Works out from the instructions and cases that were really used which versions give the same result: those after the
 * engine's whose changes the execution did not touch. The network's own version gave the original, so it is among them
 * if the replay is exact. Undefined if code ran whose steps were not recorded.
 */
export function tvmVersions(
  replay: Pick<Replay, 'verdict' | 'replayed' | 'config' | 'stateBefore' | 'outcome'>,
  recording: Recording | undefined,
  { isEdited = false, isOurs = false }: TvmVersionsOptions = {},
): TvmVersions | undefined {
  const { replayed, config, stateBefore, outcome } = replay;
  if (recording === undefined && vmPhaseOf(replayed) !== undefined) {
    return undefined;
  }
  const network = config.version;
  const own = Math.min(network, engineVersion);
  // What changed up to the engine's version, it does itself, but as one version: the network's.
  const changes =
    own < engineVersion ? [] : versionChanges({ transaction: replayed, recording, stateBefore, outcome });
  const first = Math.min(...changes.map(({ version }) => version), newestVersion + 1);
  const later = own < engineVersion ? own : first - 1;
  const same = new Set(Array.from({ length: later - own + 1 }, (_, index) => own + index));
  if (replay.verdict === 'exact' && !isEdited && !isOurs) {
    same.add(network);
  }
  return { same: [...same].sort((one, other) => one - other), network, changes };
}

/** {@link TvmVersions} as a sentence. */
export function versionsSentence({ same, network, changes }: TvmVersions): string {
  const versions = same.length === 1 ? `TVM version ${same.join()}` : `TVM versions ${listed(same)}`;
  const why = same.includes(network)
    ? ''
    : network > newestVersion
      ? ` The network runs version ${network}, whose changes are not known here.`
      : ` The network runs version ${network}, and may give another result.`;
  const used = changes.length === 0 ? '' : ` Later versions changed: ${changesText(changes)}.`;
  return `${versions} ${same.length === 1 ? 'gives' : 'give'} this result.${why}${used}`;
}

/**
 * Why a network may give another result than the engine, as a sentence without a period; undefined if it gives the same.
 *
 * @param network parameter 8 of its configuration
 * @param changes what was used, see {@link versionChanges}
 */
export function otherVersionDoubt(network: number, changes: readonly VersionChange[]): string | undefined {
  const rules = `The configuration is of version ${network} of TVM and rules, the emulator runs ${engineVersion}`;
  const acting = changes.filter(({ version }) => version <= network);
  if (acting.length > 0) {
    return `${rules}: a network that runs ${network} may give another result. Changed since: ${changesText(acting)}`;
  }
  return network > newestVersion
    ? `${rules}; what changed after ${newestVersion} is not known here`
    : undefined;
}

function changesText(changes: readonly VersionChange[]): string {
  return changes.map(({ version, what }) => `${what}, in ${version}`).join('; ');
}

function listed(numbers: readonly number[]): string {
  return numbers.length < 3
    ? numbers.join(' and ')
    : `${numbers.slice(0, -1).join(', ')}, and ${numbers.at(-1)}`;
}
