import * as vscode from 'vscode';
import type { Services } from '../project/services';
import { controlNetwork, say } from './controlNetwork';

/** TON: Inject Faults into the Local Network…: injects faults into its answers, to see how clients cope. */
export async function misbehave(services: Services): Promise<void> {
  const { faultPresets, describeFaults } = await import('../../toolkit/localnet/faults/faults');
  const picked = await vscode.window.showQuickPick(
    faultPresets.map(({ title, detail, faults }) => ({ label: title, detail, faults })),
    {
      title: 'TON: Inject Faults into the Local Network',
      placeHolder: 'Choose how it answers until you stop; this window is affected, too',
      matchOnDetail: true,
    },
  );
  if (picked !== undefined) {
    await controlNetwork(services, 'Injecting faults', 'faults', picked.faults);
    say(`The local network injects faults: ${describeFaults(picked.faults)}`);
  }
}

/** TON: Stop Injecting Faults into the Local Network: it answers as usual again. */
export async function behave(services: Services): Promise<void> {
  await controlNetwork(services, 'Ending the faults', 'faults', {});
  say('The local network answers as usual');
}
