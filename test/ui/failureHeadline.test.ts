import assert from 'node:assert/strict';
import { keepEvidenceOf } from './support/keepEvidenceOf';
import { openDeployed } from './support/openDeployed';
import type { Workbench } from './support/workbench';

/** Its second parameter is what decides, and no instruction hands it over: the function is inlined. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { limit: coins  spent: coins = 0 }
struct (0x00000031) Withdraw { queryId: uint64 = 0; amount: coins }
fun checkLimit(st: Storage, amount: coins) {
  assert (st.spent + amount <= st.limit) throw ERR_OVER_LIMIT;
}
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Withdraw.fromSlice(in.body);
  var st = Storage.fromCell(contract.getData());
  checkLimit(st, msg.amount);
  st.spent += msg.amount;
  contract.setData(st.toCell());
}
get fun spent(): coins {
  return Storage.fromCell(contract.getData()).spent;
}
`;

describe('a failure, in a dialog and on a page', function () {
  this.timeout(120_000);
  let workbench: Workbench;

  before(async () => {
    workbench = await openDeployed({
      ...{ file: 'vault.tolk', source, storage: { limit: '10ton', spent: '6ton' }, getMethod: 'spent' },
    });
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(() => workbench?.close());

  it('is told before it happens: the verdict, the line with the values that decide, and nothing twice', async () => {
    await workbench.compose('send Vault Withdraw {amount: 6ton} 0.1ton from alice');
    const { message, detail } = await workbench.messages.dialog();
    await workbench.screenshot('failure headline dialog dark');
    assert.equal(message, 'Vault would refuse Withdraw: ERR_OVER_LIMIT, 402');
    assert.match(
      detail,
      /^vault\.tolk:5 +assert \(st\.spent \+ amount <= st\.limit\)\n6 TON \+ 6 TON <= 10 TON\n/,
    );
    assert.match(detail, /\nalice → Vault, 0\.1 TON; 0\.\d+ TON would come back\n/);
    assert.doesNotMatch(detail, /ERR_OVER_LIMIT|402|[0-9a-f]{64}/);
    await workbench.messages.pressInDialog('Send Anyway');
  });

  it('begins the page of its trace with the same lines', async () => {
    const view = workbench.view('Traces');
    await view.row(/Withdraw/).waitFor();
    await view.row(/Withdraw/).click();
    const page = workbench.editor.webview();
    const source = page.locator('.source');
    await source.waitFor();
    assert.equal(await page.locator('h1').innerText(), '✗ Vault refused Withdraw: ERR_OVER_LIMIT, 402');
    assert.equal(await source.locator('button').innerText(), 'vault.tolk:5');
    const [code = '', values = ''] = (await source.locator('pre').innerText()).split('\n');
    assert.equal(code, 'assert (st.spent + amount <= st.limit)');
    assert.equal(values.trim().replace(/ +/g, ' '), '6 TON + 6 TON <= 10 TON');
    assert.equal(values.indexOf('10 TON'), code.indexOf('st.limit'), 'each value is under its name');
    assert.doesNotMatch(await page.locator('.details > p').first().innerText(), /refused/);
    await workbench.inBothThemes('failure headline page');
    await workbench.page.setViewportSize({ width: 400, height: 800 });
    await workbench.inBothThemes('failure headline 400');
  });
});
