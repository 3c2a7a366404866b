import type { Command } from 'commander';
import { addJsonOptions } from './jsonOptions';
import { apiKeyFileOption, openAccess, readApiKey, requestsPerSecondOption } from './network';
import type { NetworkOptions } from './network';
import { networkHere } from './networkHere';
import { writeJsonLine, writeText } from './output';
import { stopSignal } from './stopSignal';
import { surroundings } from './surroundings';

interface NetworksDoctorOptions extends Omit<NetworkOptions, 'network'> {
  json?: true;
}

/** `networks doctor NAME-OR-URL`: what a network's services are, what they lack, and what limits them. */
export function registerNetworksDoctorCommand(networks: Command): void {
  const command = networks
    .command('doctor')
    .summary("say what a network's services are, what they lack, and what limits them")
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
    import('../toolkit/replay/tvmVersions'),
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
