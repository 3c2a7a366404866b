import { withoutTrailing } from '../base/errors';

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
    kind: entry.kind === 'test' ? 'testnet' : (kinds.find((kind) => kind === entry.kind) ?? 'custom'),
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

/**
 * The role of a network: decides colors, confirmations, default limits, and who signs. It is what is declared, also for a
 * network on this machine: with `kind: "test"`, a local network stands for a public one, and no published keys sign there.
 */
type NetworkKind = 'local' | 'mainnet' | 'testnet' | 'custom';

/** One network: the URLs of its two APIs and its role. Either URL may be missing. */
export interface Network {
  /** Unique, as shown. */
  name: string;
  kind: NetworkKind;
  /** Base of the non-indexed API, for example `https://toncenter.com/api/v2`, without a trailing slash. */
  v2?: string | undefined;
  /** Base of the indexed API, for example `https://toncenter.com/api/v3`, without a trailing slash. */
  v3?: string | undefined;
  /** Configuration parameter 19: -239 main network, -3 test network. Part of what v5 wallets sign. */
  globalId: number;
  /** Origin of a block explorer for links, if the network has one. */
  explorer?: string | undefined;
}

/** The two public networks of TON Center. */
export const publicNetworks: readonly Network[] = [
  {
    name: 'Mainnet',
    kind: 'mainnet',
    v2: 'https://toncenter.com/api/v2',
    v3: 'https://toncenter.com/api/v3',
    globalId: -239,
    explorer: 'https://tonviewer.com',
  },
  {
    name: 'Testnet',
    kind: 'testnet',
    v2: 'https://testnet.toncenter.com/api/v2',
    v3: 'https://testnet.toncenter.com/api/v3',
    globalId: -3,
    explorer: 'https://testnet.tonviewer.com',
  },
];

/** Cache key of a network: by name and addresses. */
export function networkKey({ name, v2, v3 }: Network): string {
  return JSON.stringify([name, v2, v3]);
}

const publicOrigins: ReadonlySet<string> = new Set(
  publicNetworks.flatMap(({ v2, v3 }) =>
    [v2, v3].flatMap((url) => (url === undefined ? [] : [new URL(url).origin])),
  ),
);

/** Whether it is a host of TON Center's public networks, whatever the network's name. */
export function isPublicOrigin(origin: string): boolean {
  return publicOrigins.has(origin);
}

/**
 * Requests per second that a host of TON Center's public networks allows: 1 without a key, `withKey` with one (10 on
 * the free plan). Undefined for other hosts: their limits are unknown.
 */
export function publicPace(origin: string, hasKey: boolean, withKey = 10): number | undefined {
  if (!isPublicOrigin(origin)) {
    return undefined;
  }
  return hasKey ? withKey : 1;
}
