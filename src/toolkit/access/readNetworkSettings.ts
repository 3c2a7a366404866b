import type { Network, NetworkKind } from './network';
import { withoutTrailing } from '../withoutTrailing';

/** An entry as written in the setting; entirely unvalidated. */
type Entry = Partial<Record<'name' | 'kind' | 'v2' | 'v3' | 'explorer' | 'globalId', unknown>>;

const kinds: readonly NetworkKind[] = ['mainnet', 'testnet', 'custom'];

/**
 * Reads the setting `tonWorkbench.networks`. Invalid entries are skipped and listed in `problems`, one sentence each;
 * the others still work.
 */
export function readNetworkSettings(
  settings: unknown,
  reservedNames: readonly string[],
): { networks: Network[]; problems: string[] } {
  const networks: Network[] = [];
  const problems: string[] = [];
  const names = new Set(reservedNames.map((name) => name.toLowerCase()));
  const entries: unknown[] = Array.isArray(settings) ? settings : [];
  entries.forEach((entry, index) => {
    const result = readEntry(entry ?? {}, names);
    if (typeof result === 'string') {
      problems.push(`Network ${index + 1} of tonWorkbench.networks: ${result}`);
    } else {
      networks.push(result);
      names.add(result.name.toLowerCase());
    }
  });
  return { networks, problems };
}

function readEntry(entry: Entry, names: ReadonlySet<string>): Network | string {
  const name = typeof entry.name === 'string' ? entry.name.trim() : '';
  if (name === '') {
    return 'a name is missing.';
  }
  if (names.has(name.toLowerCase())) {
    return `the name "${name}" is already taken.`;
  }
  const v2 = readUrl(entry.v2);
  const v3 = readUrl(entry.v3);
  if (v2 === false || v3 === false) {
    return `"${name}": ${v2 === false ? 'v2' : 'v3'} must be an http or https URL without a password or query.`;
  }
  if (v2 === undefined && v3 === undefined) {
    return `"${name}" needs a v2 or a v3 URL.`;
  }
  const explorer = readUrl(entry.explorer);
  return {
    name,
    kind: kinds.find((kind) => kind === entry.kind) ?? 'custom',
    globalId: Number.isInteger(entry.globalId) ? Number(entry.globalId) : -3,
    v2,
    v3,
    explorer: explorer === false ? undefined : explorer,
  };
}

/** The URL without a trailing slash, undefined if absent, false if invalid. */
function readUrl(text: unknown): string | undefined | false {
  if (text === undefined || text === null || text === '') {
    return undefined;
  }
  if (typeof text !== 'string' || !URL.canParse(text)) {
    return false;
  }
  const url = new URL(text);
  const plain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return plain && /^https?:$/.test(url.protocol) ? withoutTrailing(url.href, '/') : false;
}
