import type { Command } from 'commander';
import { readAddressForm, toFriendlyAddress } from '../toolkit/address/addressForm';
import { friendlyWallet } from '../toolkit/address/friendlyWallet';
import type { LocalAccount } from '../toolkit/localnet/accounts/localAccount';
import type { LocalnetStatus } from '../toolkit/localnet/control/localnetStatus';
import { WorkbenchError } from '../toolkit/errors';
import { addJsonOptions } from './jsonOptions';
import { networkHere } from './networkHere';
import { writeJsonLine, writeText } from './output';

interface StatusOptions {
  network: string;
  json?: true;
}

/** `localnet status`: shows the folder's running local network. */
export function registerLocalnetStatusCommand(localnet: Command): void {
  const command = localnet
    .command('status')
    .summary('show the running local network of this folder')
    .description(
      'Shows the URLs of the local network of this folder, its newest block, and its named accounts. The editor ' +
        'puts the URLs into TON_LOCAL_V2 and TON_LOCAL_V3 in its terminals; it and ton-workbench localnet write them into ' +
        '.ton/local.json in the folder.',
    )
    .option('-n, --network <name-or-url>', 'another local network, by its URL', 'local');
  addJsonOptions(
    command,
    'print one JSON line',
    async () => (await import('./networkAnswers')).localnetStatusSchema,
  ).action(async () => {
    // Options that `localnet` has too, such as --json, end up there if they come first.
    await showStatus(command.optsWithGlobals<StatusOptions>());
  });
}

async function showStatus({ network: name, json }: StatusOptions): Promise<void> {
  const [{ callControl }, { localControlOf }] = await Promise.all([
    import('../toolkit/localnet/callControl'),
    import('../toolkit/localnet/controlOf'),
  ]);
  const { network } = networkHere(name);
  const control = localControlOf(network);
  if (control === undefined) {
    throw new WorkbenchError({
      code: 'network-unknown',
      kind: 'input',
      message: `${network.name} is not a local network.`,
      hint: 'Leave --network out, or give the URL of a local network.',
    });
  }
  let status: LocalnetStatus;
  let accounts: readonly LocalAccount[];
  try {
    status = await callControl(control, 'status', {});
    accounts = await callControl(control, 'accounts', {});
  } catch (error) {
    if (!WorkbenchError.is(error, 'localnet-unreachable')) {
      throw error;
    }
    throw new WorkbenchError({
      code: 'localnet-unreachable',
      kind: 'network',
      message: `No local network answers at ${new URL(control).origin}.`,
      hint: 'Start it in the editor (TON: Start Local Network), or with: ton-workbench localnet.',
      cause: error,
    });
  }
  const { v2, v3 } = network;
  const names = Object.entries(status.names ?? {}).map(([address, contract]) => ({
    name: contract,
    address,
  }));
  const { seqno, transactions, ahead, fork } = status;
  if (json === true) {
    const { localnetStatusAnswer } = await import('./networkAnswers');
    writeJsonLine(localnetStatusAnswer(network, status, accounts));
    return;
  }
  const rows = [
    ...names.map(({ name: contract, address }) => ({
      ...{ name: contract, kind: 'contract' },
      address: toFriendlyAddress(readAddressForm(address), { bounceable: true, testOnly: false }),
    })),
    ...accounts.map(({ name: wallet, address, kind }) => ({
      ...{ name: wallet, kind: `wallet ${kind}`, address: friendlyWallet(address) },
    })),
  ];
  const [nameWidth, kindWidth] = [
    Math.max(0, ...rows.map((row) => row.name.length)),
    Math.max(0, ...rows.map((row) => row.kind.length)),
  ];
  writeText(
    [
      `The local network is running${fork === undefined ? '' : `, a fork of ${fork.network} at block ${fork.seqno}`}: ` +
        `block ${seqno}, ${transactions} transactions${ahead === 0 ? '' : `, its clock ${ahead} s ahead`}.`,
      `  v2  ${v2}`,
      `  v3  ${v3}`,
      '',
      ...rows.map((row) => `  ${row.name.padEnd(nameWidth)}  ${row.kind.padEnd(kindWidth)}  ${row.address}`),
    ].join('\n'),
  );
}
