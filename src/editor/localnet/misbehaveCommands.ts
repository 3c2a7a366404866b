import * as vscode from 'vscode';
import type { Services } from '../services';
import { controlNetwork, say } from './controlNetwork';

/** TON: Make the Local Network Misbehave…: injects faults into its answers, to see how clients cope. */
export async function misbehave(services: Services): Promise<void> {
  const { faultPresets, describeFaults } = await import('../../toolkit/localnet/faults/faultPresets');
  const picked = await vscode.window.showQuickPick(
    faultPresets.map(({ title, detail, faults }) => ({ label: title, detail, faults })),
    {
      title: 'TON: Make the Local Network Misbehave',
      placeHolder: 'Choose how it answers until you end it; this window is affected, too',
      matchOnDetail: true,
    },
  );
  if (picked !== undefined) {
    await controlNetwork(services, 'Making the network misbehave', 'faults', picked.faults);
    say(`The local network misbehaves: ${describeFaults(picked.faults)}`);
  }
}

/** TON: End Misbehaving of the Local Network: it answers as usual again. */
export async function behave(services: Services): Promise<void> {
  await controlNetwork(services, 'Ending the faults', 'faults', {});
  say('The local network answers as usual');
}
