// Takes more than 20 s: two contracts are deployed, called, and replayed line by line.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { deployFrom, openDeployed } from './support/openDeployed';
import { pressLens } from './support/pressLens';
import { waitForMark } from './support/waitForMark';
import type { Workbench } from './support/workbench';

/** Two messages, one of which takes the first way of the choice at line 10. */
const meterSource = `struct Storage { total: uint32 }
struct (0x00000041) Fill { queryId: uint64 = 0; amount: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) {
    return;
  }
  val message = Fill.fromSlice(in.body);
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

/** Adds up the squares below a number, with a function that is called for each. */
const source = `struct Storage { total: uint64 }
struct (0x00000041) Add { count: uint8 }

@noinline
fun squared(value: int): int {
  return value * value;
}
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val message = Add.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  var number = 0;
  while (number < message.count) {
    kept.total += squared(number);
    number += 1;
  }
  contract.setData(kept.toCell());
}
get fun total(): int {
  return Storage.fromCell(contract.getData()).total;
}
`;

describe('what the runs of a contract tell about its source', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openDeployed({
      file: 'meter.tolk',
      source: meterSource,
      storage: { total: '7' },
      getMethod: 'total',
      files: { 'squares.tolk': source },
    });
  });
  after(() => workbench?.close());

  describe('the coverage of a contract', () => {
    const send = async (amount: number): Promise<void> => {
      await workbench.compose(`send Meter Fill {amount: ${amount}} 0.1ton from alice`);
    };
    /** The row of the file in the coverage view. */
    const row = (): Locator =>
      workbench.page.locator('.test-coverage-list-item, .monaco-list-row', { hasText: 'meter.tolk' }).first();

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

  describe('gas in the editor', () => {
    const line = (text: string): Locator => workbench.page.locator('.view-line', { hasText: text }).first();
    const edit = async (text: string): Promise<void> => {
      await workbench.page.evaluate((whole) => navigator.clipboard.writeText(whole), text);
      await workbench.page.keyboard.press('ControlOrMeta+A');
      await workbench.page.keyboard.press('ControlOrMeta+V');
    };
    const send = async (count: number): Promise<void> => {
      await workbench.compose(`send Squares Add {count: ${count}} 0.1ton from alice`);
      await workbench.view('Traces').row(/Add/).waitFor();
    };

    before(async () => {
      await deployFrom(workbench, { file: 'squares.tolk', storage: { total: '0' }, getMethod: 'total' });
      await send(20);
    });

    it('stands above functions and after lines, for the last run of each message and get-method', async () => {
      await workbench.openFile('squares.tolk');
      await workbench.runCommand('TON: Show Gas…');
      await workbench.quickInput.asks('TON: Show Gas');
      await workbench.screenshot('gas runs dark');
      await workbench.quickInput.pick(/Add to Squares/);
      await workbench.editor.lens(/^\s*\d[\d ]* gas \(\d+%\) · 20 times$/).waitFor();
      await workbench.editor.lens(/^Squares Add: \d[\d ]* gas$/).waitFor();
      await waitForMark(line('return value * value;'), /\d+ gas · \d+%/);
      await waitForMark(line('kept.total += squared(number);'), /\d[\d ]* gas · \d+%/);
      await workbench.inBothThemes('gas of a message');
    });

    it('is saved line by line as a baseline', async () => {
      await workbench.editor.lens('Save Baseline').click();
      const file = path.join(workbench.folder, 'gas-baseline.json');
      await workbench.page.locator('.statusbar-item', { hasText: 'in gas-baseline.json' }).waitFor();
      const saved = JSON.parse(await readFile(file, 'utf8')) as Record<
        string,
        { gas: number; lines: object }
      >;
      const { gas, lines } = saved['Squares Add']!;
      assert.equal(typeof saved['Squares total()'], 'number');
      const figures = Object.values(lines as Record<string, Record<string, Record<string, number>>>)
        .flatMap((functions) => Object.values(functions))
        .flatMap((texts) => Object.values(texts));
      const sum = figures.reduce((total, one) => total + one, 0);
      assert.ok(sum > 0.9 * gas && sum <= gas, `${sum} of ${gas}`);
      await workbench.editor.lens(/^Squares Add: \d[\d ]* gas \(±0\)$/).waitFor();
    });

    it('opens as a flame chart in the view of profiles', async () => {
      await pressLens(
        workbench.editor.lens('Flame Chart'),
        workbench.page.locator('.tab.active', { hasText: 'Squares-Add.cpuprofile' }),
      );
      const table = workbench.editor.webview();
      await table.getByText('squared').first().waitFor();
      await table.getByText('onInternalMessage').first().waitFor();
      await workbench.inBothThemes('gas flame chart');
    });

    it('is hidden when the source changes, and then compared with the baseline', async () => {
      await workbench.openFile('squares.tolk');
      await edit(source.replace('squared(number)', 'number * number'));
      await workbench.editor.lens(/^Squares Add: /).waitFor({ state: 'detached' });
      await workbench.page.keyboard.press('ControlOrMeta+S');
      await workbench.editor.lens('Set Code…').click();
      await workbench.editor.lens('Squares runs older code').waitFor({ state: 'detached' });
      await send(20);
      await workbench.openFile('squares.tolk');
      await workbench.editor.lens(/^gas \d[\d ]* \(−\d[\d ]*\)$/).waitFor();
      await workbench.runCommand('TON: Show Gas…');
      await workbench.quickInput.asks('TON: Show Gas');
      await workbench.quickInput.pick(/Add to Squares/);
      await workbench.editor.lens(/^Squares Add: \d[\d ]* gas \(−\d[\d ]*\)$/).waitFor();
      await waitForMark(line('kept.total += number'), /\d[\d ]* gas · \d+% · −\d/);
      await workbench.inBothThemes('gas compared');
      await workbench.editor.lens('Compare…').click();
      await workbench.quickInput.pick(/The baseline/);
      await workbench.editor.waitForTitle('gas of Squares Add, compared with the baseline');
      const text = await workbench.openDocumentText();
      assert.match(text, /\n\d[\d ]* -> \d[\d ]* gas \(−\d[\d ]*, -\d+\.\d%\)\n/);
      assert.match(text, / squares\.tolk:\d+ +edited: kept\.total \+= number \* number;\n/);
      assert.match(text, / squares\.tolk +removed: return value \* value;\n/);
      await workbench.inBothThemes('gas comparison');
    });

    it('is shown for a get-method from its answer, until it is hidden', async () => {
      await workbench.openFile('squares.tolk');
      await pressLens(
        workbench.editor.lens(/^\s*total\(\) = \d/),
        workbench.page.locator('.tab', { hasText: 'total on' }).first(),
      );
      await workbench.editor.lens(/^\s*Gas$/).click();
      await workbench.editor.lens(/^Squares total\(\): \d+ gas/).waitFor();
      // The source was visible beside the answer, so it is not opened again.
      assert.equal(await workbench.page.locator('.tab', { hasText: 'squares.tolk' }).count(), 1);
      await workbench.inBothThemes('gas of a get-method');
      await workbench.runCommand('TON: Hide Gas');
      await workbench.editor.lens(/^Squares total\(\): /).waitFor({ state: 'detached' });
    });
  });
});
