import { openDeployed } from './openDeployed';
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
  const workbench = await openDeployed({
    ...{ file: 'till.tolk', source, storage: { limit: '100' }, getMethod: 'limit' },
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
