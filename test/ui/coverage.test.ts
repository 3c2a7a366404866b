import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Workbench } from './support/workbench';
import { keepEvidenceOf } from './support/keepEvidenceOf';
import { openDeployed } from './support/openDeployed';
import { pressLens } from './support/pressLens';

/** Two messages, one of which takes the first way of the choice at line 10. */
const source = `struct Storage { total: uint32 }
struct (0x00000041) Add { queryId: uint64 = 0; amount: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) {
    return;
  }
  val message = Add.fromSlice(in.body);
  assert (message.amount < 1000) throw 402;
  var kept = Storage.fromCell(contract.getData());
  if (message.amount > 100) {
    kept.total = 100;
  } else {
    kept.total += message.amount;
  }
  contract.setData(kept.toCell());
}
get fun total(): int {
  return Storage.fromCell(contract.getData()).total;
}
`;

describe('the coverage of a contract', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  const send = async (amount: number): Promise<void> => {
    await workbench.compose(`send Meter Add {amount: ${amount}} 0.1ton from alice`);
  };
  /** The row of the file in the coverage view. */
  const row = (): Locator =>
    workbench.page.locator('.test-coverage-list-item, .monaco-list-row', { hasText: 'meter.tolk' }).first();

  before(async () => {
    workbench = await openDeployed({
      file: 'meter.tolk',
      source,
      storage: { total: '7' },
      getMethod: 'total',
    });
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(() => workbench?.close());

  /** How many lines are marked as run, and as not run: those that went only one way are both. */
  const marks = (): Promise<number[]> =>
    Promise.all(
      ['hit', 'miss'].map((kind) =>
        workbench.page.locator(`.coverage-deco-gutter.coverage-deco-${kind}`).count(),
      ),
    );

  it('shows which lines and branches its transactions and its get-method ran', async () => {
    await send(5);
    await workbench.editor.lens(/total\(\) = 12 on Meter/).waitFor();
    // The contract of the open source is the only one on this network.
    await workbench.runCommand('TON: Show Coverage of Contract…');
    await workbench.messages.waitForNotification(
      /10 of 11 lines and 4 of 6 branches ran in all 2 transactions and 1 get-method of Meter\./,
    );
    await row().waitFor();
    // Lines, branches, and functions together: 16 of 19.
    assert.match((await row().textContent()) ?? '', /84\.21%/);
    assert.deepEqual(await marks(), [10, 3]);
    await workbench.inBothThemes('coverage');
  });

  it('grows with another message, from the lens above the source', async () => {
    await send(500);
    await workbench.editor.lens(/total\(\) = 100 on Meter/).waitFor();
    await pressLens(
      workbench.editor.lens('Coverage'),
      workbench.page.locator('.notification-list-item', { hasText: '11 of 11 lines' }),
    );
    await workbench.messages.waitForNotification(
      /11 of 11 lines and 5 of 6 branches ran in all 3 transactions and 1 get-method/,
    );
    await row().filter({ hasText: '94.74%' }).waitFor();
    assert.deepEqual(await marks(), [11, 1]);
    await workbench.inBothThemes('coverage of both ways');
  });
});
