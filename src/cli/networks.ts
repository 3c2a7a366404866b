import type { Command } from 'commander';
import type { ApiProbe, NetworkProbe } from '../toolkit/access/probeNetwork';
import type { WorkbenchError } from '../toolkit/errors';
import { addJsonOptions } from './jsonOptions';
import { openAccess } from './network';
import type { NetworkOptions } from './network';
import { apiKeyFileOption, requestsPerSecondOption } from './network';
import { writeJsonLine, writeText } from './output';
import { registerNetworksDoctorCommand } from './networksDoctor';
import { stopSignal } from './stopSignal';

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
  const [{ probeNetwork }, { configuredNetworks }, { networkHere }] = await Promise.all([
    import('../toolkit/access/probeNetwork'),
    import('../toolkit/access/resolveNetwork'),
    import('./networkHere'),
  ]);
  const wanted = names.length === 0 ? configuredNetworks.map(({ name }) => name) : names;
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
