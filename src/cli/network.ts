import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { WorkbenchError } from '../toolkit/errors';
import { redactor } from './output';
import { readGivenText } from './readGivenFile';
import type { Access } from '../toolkit/access/createAccess';
import type { Network } from '../toolkit/access/network';
import type { ProxySettings } from '../toolkit/access/createUndiciTransport';
import { closeWithRun, surroundings } from './surroundings';

/** The options of every command that uses a network. */
export interface NetworkOptions {
  network: string;
  apiKeyFile?: string;
  requestsPerSecond?: number;
}

/** Adds `--network`, `--api-key-file` and `--requests-per-second`. */
export function addNetworkOptions(command: Command): Command {
  return command
    .option(
      '-n, --network <name-or-url>',
      'local (the one of this folder, if it runs in the editor), mainnet, testnet, an origin, or a URL ending in ' +
        '/api/v2 or /api/v3',
      'local',
    )
    .addOption(apiKeyFileOption())
    .addOption(requestsPerSecondOption());
}

/** `--api-key-file`. */
export function apiKeyFileOption(): Option {
  return new Option(
    '--api-key-file <file>',
    'file with the API key for this network (default: the variable TON_API_KEY, except on this machine)',
  );
}

/** `--requests-per-second`: the rate of a plan other than the free one. */
export function requestsPerSecondOption(): Option {
  return new Option(
    '--requests-per-second <number>',
    'maximum requests per second to this network (default: the variable TON_REQUESTS_PER_SECOND, else 1 on public ' +
      'networks, 10 with a key)',
  ).argParser((text) => {
    const rate = readRate(text);
    if (rate === undefined) {
      throw new InvalidArgumentError(rateRule);
    }
    return rate;
  });
}

const rateRule = 'This is a number above 0, up to 10000.';

function readRate(text: string): number | undefined {
  const value = Number(text);
  return /^\s*\d+(\.\d+)?\s*$/.test(text) && value > 0 && value <= 10_000 ? value : undefined;
}

/** @throws WorkbenchError `usage` (input) */
function rateHere({ TON_REQUESTS_PER_SECOND: text }: NodeJS.ProcessEnv): number | undefined {
  const rate = text === undefined ? undefined : readRate(text);
  if (text !== undefined && rate === undefined) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `The variable TON_REQUESTS_PER_SECOND, ${JSON.stringify(text)}, is invalid. ${rateRule}`,
      hint: 'Set it to a number, or remove it.',
    });
  }
  return rate;
}

/**
 * The API key of this run: the content of `--api-key-file`, else the variable TON_API_KEY, else none. The variable
 * does not apply to loopback, which is also the default: a public service's key must not reach whatever program
 * listens there.
 * @throws WorkbenchError `api-key-file-unreadable` (input)
 */
export async function readApiKey(
  chosen: Network,
  file: string | undefined,
  environment = surroundings().environment,
): Promise<string | undefined> {
  if (file === undefined) {
    return chosen.kind === 'local' ? undefined : environment.TON_API_KEY?.trim() || undefined;
  }
  const code = 'api-key-file-unreadable';
  const hint = 'Put only the key in a text file, or set TON_API_KEY.';
  const key = (
    await readGivenText({ path: file, what: 'The API key file', code, hint }, 'secretFile')
  ).trim();
  if (key === '' || /\s/.test(key)) {
    const message = `The API key file ${JSON.stringify(file)} does not have exactly one key on one line.`;
    throw new WorkbenchError({ code, kind: 'input', message, hint });
  }
  return key;
}

/**
 * Access to a network. The toolkit is loaded only here.
 * @param chosen the network that the user chose, if this one was named by a file: this run's key and rate are
 * used for the chosen one only
 */
export async function openAccess(
  network: Network,
  options: Omit<NetworkOptions, 'network'>,
  chosen: Network = network,
): Promise<Access> {
  const [{ createAccess }, { createUndiciTransport }] = await Promise.all([
    import('../toolkit/access/createAccess'),
    import('../toolkit/access/createUndiciTransport'),
  ]);
  const key = await readApiKey(chosen, options.apiKeyFile);
  if (key !== undefined) {
    redactor().add(key);
  }
  const { environment } = surroundings();
  const requestsPerSecond = options.requestsPerSecond ?? rateHere(environment);
  const held = createUndiciTransport(proxiesOf(environment));
  closeWithRun(() => held.close());
  const origins = originsOf(chosen);
  return createAccess({
    network,
    transport: held.transport,
    apiKey: (origin) => Promise.resolve(origins.has(origin) ? key : undefined),
    requestsPerSecond:
      requestsPerSecond !== undefined && isWithin(network, origins) ? () => requestsPerSecond : undefined,
  });
}

/** Whether all requests to the network go to these origins. */
export function isWithin(network: Network, origins: ReadonlySet<string>): boolean {
  return [...originsOf(network)].every((origin) => origins.has(origin));
}

/** Origins (scheme, host, and port) of a network's APIs. */
export function originsOf({ v2, v3 }: Network): ReadonlySet<string> {
  return new Set([v2, v3].flatMap((base) => (base === undefined ? [] : [new URL(base).origin])));
}

/** Where a network is, for reading: its origins. */
export function originsText(network: Network): string {
  return [...originsOf(network)].join(', ');
}

/** The proxies of the usual environment variables; if both spellings are set, lowercase wins. */
function proxiesOf(environment: NodeJS.ProcessEnv): ProxySettings {
  const read = (name: string): string | undefined =>
    environment[name.toLowerCase()] || environment[name] || undefined;
  const every = read('ALL_PROXY');
  return { http: read('HTTP_PROXY') ?? every, https: read('HTTPS_PROXY') ?? every, direct: read('NO_PROXY') };
}
