import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pressLens } from './pressLens';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

/** Refuses more than its limit, in line 8. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { limit: uint32 }
struct (0x00000031) Withdraw { queryId: uint64 = 0; amount: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val message = Withdraw.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  assert (message.amount <= kept.limit) throw ERR_OVER_LIMIT;
  kept.limit -= message.amount;
  contract.setData(kept.toCell());
}
get fun limit(): int {
  return Storage.fromCell(contract.getData()).limit;
}
`;

/** A window with till.tolk: deployed on the local network with a limit of 100, of which alice wanted 500. */
export async function openTill(settings: Record<string, unknown> = {}): Promise<Workbench> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-till-'));
  await writeFile(path.join(folder, 'till.tolk'), source);
  const workbench = await openWorkbench({ folder, settings });
  await rm(folder, { recursive: true });
  await workbench.runCommand('TON: Start Local Network');
  await workbench.statusBar.item(/TON Local \d+/).waitFor();
  await workbench.openFile('till.tolk');
  await pressLens(
    workbench.editor.lens('Deploy Till…'),
    workbench.page.locator('.quick-input-title:visible'),
  );
  await workbench.quickInput.asks('TON: limit of Till Storage (1/2)');
  await workbench.quickInput.fill('100');
  await workbench.quickInput.asks('TON: Deploy Till (2/2)');
  await workbench.quickInput.accept();
  await workbench.editor.lens(/limit\(\).* on Till/).waitFor();
  await workbench.compose('send Till Withdraw {amount: 500} 0.1ton from alice');
  // The rehearsal says that it fails.
  await workbench.messages.pressInDialog('Send Anyway');
  await workbench
    .view('Traces')
    .row(/Withdraw/)
    .waitFor();
  return workbench;
}
