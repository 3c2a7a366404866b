import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import type { ProxySettings } from '../toolkit/access/createUndiciTransport';
import type { ApiProbe, NetworkProbe } from '../toolkit/access/probeNetwork';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/base/errors';
import { addJsonOptions, namedNetworks, networkHere, notesNetwork } from './networkHere';
import { redactor, writeJsonLine, writeText } from './output';
import { readGivenText } from './readGivenFile';
import { stopSignal } from './runTests';
import { closeWithRun, surroundings } from './surroundings';

/** The options of every command that uses a network. */
export interface NetworkOptions {
  network: string;
  apiKeyFile?: string;
  requestsPerSecond?: number;
}

/** Adds `--network`, `--api-key-file` and `--requests-per-second`. */
export function addNetworkOptions(command: Command): Command {
  return notesNetwork(command)
    .option('-n, --network <network>', 'local, mainnet, testnet, a name of TON_NETWORKS, or a URL', 'local')
    .addOption(apiKeyFileOption())
    .addOption(requestsPerSecondOption());
}

/** `--api-key-file`. */
function apiKeyFileOption(): Option {
  return new Option('--api-key-file <file>', 'the API key (default: TON_API_KEY, but not for this machine)');
}

/** `--requests-per-second`: the rate of a plan other than the free one. */
export function requestsPerSecondOption(): Option {
  return new Option(
    '--requests-per-second <n>',
    'rate of your plan (default: TON_REQUESTS_PER_SECOND; public networks: 1, with a key 10)',
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
    streamTransport: held.streamTransport,
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

/** If nothing answers at the local network's address, it nearly always was not started. */
export function withLocalHint(error: WorkbenchError): WorkbenchError {
  if (error.code !== 'unreachable' || !isLocal(error.details['origin'])) {
    return error;
  }
  const { code, kind, message, details, cause } = error;
  const hint =
    'Start the local network in the editor, or with: ton-workbench localnet. Or choose another with --network.';
  return new WorkbenchError({ code, kind, message, hint, details, cause });
}

function isLocal(origin: unknown): boolean {
  try {
    return typeof origin === 'string' && originsOf(networkHere('local').network).has(origin);
  } catch {
    return false;
  }
}

interface NetworksOptions extends Omit<NetworkOptions, 'network'> {
  json?: true;
}

/** Milliseconds to wait for a network's answer. */
const patienceMs = 10_000;

/**
 * `networks [NAME-OR-URL…]`: lists networks with their URLs, whether they answer, and which network each one
 * is.
 */
export function registerNetworksCommand(program: Command): void {
  const command = program
    .command('networks')
    .summary('list the networks: their URLs, whether they answer, and what they are')
    .description(
      'Asks each API of each network for its newest block, and prints the URL, the version, the block, and which ' +
        'network it says it is: mainnet, testnet, or another. Fails if none of the given networks answers.',
    )
    .argument('[name-or-url...]', 'only these: local, mainnet, testnet, an origin, or the URL of an API')
    .addOption(apiKeyFileOption())
    .addOption(requestsPerSecondOption());
  addJsonOptions(
    command,
    'print each network as one JSON line',
    async () => (await import('./networkAnswers')).networkAnswerSchema,
  ).action(async (names: string[], options: NetworksOptions) => {
    await networks(names, options);
  });
  registerNetworksDoctorCommand(command);
}

async function networks(names: readonly string[], options: NetworksOptions): Promise<void> {
  const { probeNetwork } = await import('../toolkit/access/probeNetwork');
  const wanted = names.length === 0 ? namedNetworks().map(({ name }) => name) : names;
  const chosen = wanted.map((name) => networkHere(name).network);
  const stop = stopSignal();
  const probes = chosen.map(async (network) => {
    const access = await openAccess(network, options);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(patienceMs)]);
    return probeNetwork(access, { signal, priority: 'user' });
  });
  const errors: (WorkbenchError | undefined)[] = [];
  for (const [index, probing] of probes.entries()) {
    const probe = await probing;
    errors.push(...probe.apis.map(({ error }) => error));
    stop.throwIfAborted();
    if (options.json === true) {
      const { networkAnswer } = await import('./networkAnswers');
      writeJsonLine(networkAnswer(probe));
    } else {
      writeText(`${index === 0 ? '' : '\n'}${toText(probe)}`);
    }
  }
  const [first] = errors;
  if (names.length > 0 && first !== undefined && !errors.includes(undefined)) {
    throw first;
  }
}

function toText({ network, apis, identity }: NetworkProbe): string {
  const what = identity === undefined ? '' : identity === 'other' ? '' : `, the ${identity}`;
  const answers = apis.some(({ error }) => error === undefined);
  return [
    `${answers ? '✓' : '✗'} ${network.name}, ${network.kind === 'local' ? 'on this machine' : network.kind}${what}`,
    ...apis.map((probe) => `  ${probe.api}  ${probe.url}  ${answerText(probe)}`),
  ].join('\n');
}

function answerText({ version, seqno, elapsedMs, error }: ApiProbe): string {
  if (error !== undefined) {
    return `does not answer: ${error.message}`;
  }
  return [
    ...(seqno === undefined ? [] : [`block ${seqno}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
    `${Math.round(elapsedMs)} ms`,
  ].join(', ');
}

interface NetworksDoctorOptions extends Omit<NetworkOptions, 'network'> {
  json?: true;
}

/** `networks doctor NAME-OR-URL`: what a network's services are, what they lack, and what limits them. */
function registerNetworksDoctorCommand(networks: Command): void {
  const command = networks
    .command('doctor')
    .summary("report what a network's services are, what they lack, and what limits them")
    .description(
      'Asks each API of a network what it is: its kind and version, methods that are missing, limits, clock and blocks, ' +
        'whether both APIs are of one chain, how far back it remembers, the version of the TVM, and whether messages ' +
        'can be sent. Each line has its cause and what to do. It makes at most 18 requests in 20 s and sends nothing ' +
        'to the chain; what it did not ask is "not asked".',
    )
    .argument('<name-or-url>', 'local, mainnet, testnet, an origin, or the URL of an API')
    .addOption(apiKeyFileOption())
    .addOption(requestsPerSecondOption());
  addJsonOptions(
    command,
    'print one JSON line',
    async () => (await import('./networksDoctorAnswer')).networksDoctorSchema,
  ).action(async (name: string) => {
    // Options that `networks` has too, such as --json, end up there if they come first.
    await doctor(name, command.optsWithGlobals<NetworksDoctorOptions>());
  });
}

async function doctor(name: string, options: NetworksDoctorOptions): Promise<void> {
  const [{ diagnoseNetwork }, { networkDiagnosisText }, { engineVersion }] = await Promise.all([
    import('../toolkit/access/doctor/diagnoseNetwork'),
    import('../toolkit/access/doctor/networkDiagnosisText'),
    import('../toolkit/execution/emulator/emulator'),
  ]);
  const { network } = networkHere(name);
  const access = await openAccess(network, options);
  const diagnosis = await diagnoseNetwork(access, {
    clock: surroundings().clock,
    hasKey: (await readApiKey(network, options.apiKeyFile)) !== undefined,
    engineVersion,
    signal: stopSignal(),
  });
  if (options.json === true) {
    const { networksDoctorAnswer } = await import('./networksDoctorAnswer');
    writeJsonLine(networksDoctorAnswer(network, diagnosis));
  } else {
    writeText(networkDiagnosisText(network.name, diagnosis));
  }
}
