import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import type { Log } from '../../toolkit/base/log';
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import type { ApiKeys } from './apiKeys';
import { networkOrigins } from './apiKeys';
import type { Connections, LocalNetwork } from './localNetwork';
import type { Networks } from './networks';

/**
 * TON: Check Network…: what the services of a network are, what they lack, and what limits them, as a document. It asks
 * for at most 20 s and sends nothing to the chain.
 */
export async function diagnoseNetworkCommand(services: NetworkServices): Promise<void> {
  const picked = await pickNetwork(services);
  if (picked === undefined) {
    return;
  }
  const [{ diagnoseNetwork }, { networkDiagnosisText }, { engineVersion }, { systemClock }] =
    await Promise.all([
      import('../../toolkit/access/doctor/diagnoseNetwork'),
      import('../../toolkit/access/doctor/networkDiagnosisText'),
      import('../../toolkit/execution/emulator/emulator'),
      import('../../toolkit/base/time'),
    ]);
  const diagnosis = await withProgress(`Checking ${picked.name}`, async (signal) => {
    const access = await services.connections.open(picked, signal);
    const keys = await Promise.all(
      networkOrigins(access.network).map((origin) => services.apiKeys.get(origin)),
    );
    const hasKey = keys.some((key) => key !== undefined);
    return diagnoseNetwork(access, { clock: systemClock, hasKey, engineVersion, signal });
  });
  await services.documents.show(
    `network/${picked.name}`,
    { text: `${networkDiagnosisText(picked.name, diagnosis)}\n`, lenses: [] },
    { language: 'ton-report' },
  );
}

async function pickNetwork({ networks }: NetworkServices): Promise<Network | undefined> {
  const current = networks.current();
  const others = networks.list().filter(({ name }) => name !== current.name);
  const picked = await vscode.window.showQuickPick(
    [current, ...others].map((network) => ({
      label: network.name,
      description: network === current ? 'current' : '',
      network,
    })),
    { title: 'TON: Check Network', placeHolder: 'Choose the network to check' },
  );
  return picked?.network;
}

/** A window's networks and the access to them. */
export interface NetworkServices {
  log: Log;
  documents: ReadOnlyDocuments;
  networks: Networks;
  apiKeys: ApiKeys;
  connections: Connections;
  localNetwork: LocalNetwork;
}
