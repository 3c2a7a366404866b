import { tillSource } from '../../support/tillSource';
import { openDeployed } from './openDeployed';
import type { Workbench } from './workbench';

/** A window with till.tolk: deployed on the local network with a limit of 100, of which alice wanted 500. */
export async function openTill(settings: Record<string, unknown> = {}): Promise<Workbench> {
  const workbench = await openDeployed({
    ...{ file: 'till.tolk', source: tillSource, storage: { limit: '100' }, getMethod: 'limit' },
    settings,
  });
  await workbench.compose('send Till Withdraw {amount: 500} 0.1ton from alice');
  // The rehearsal says that it fails.
  await workbench.messages.pressInDialog('Send Anyway');
  await workbench
    .view('Traces')
    .row(/Withdraw/)
    .waitFor();
  return workbench;
}
