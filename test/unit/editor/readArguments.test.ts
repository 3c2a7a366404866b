import assert from 'node:assert/strict';
import { readArguments } from '../../../src/editor/ui/readArguments';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

const address = `0:${'ab'.repeat(32)}`;
const file = { scheme: 'file', path: '/a.boc', fsPath: '/a.boc' };

describe("a command's argument", () => {
  const fitting: [Parameters<typeof readArguments>[0], unknown][] = [
    ['tonWorkbench.openTrace', 'EQ…'],
    ['tonWorkbench.runGetMethod', { address, method: 'seqno', stack: '' }],
    ['tonWorkbench.localFaucet', { account: { address, name: 'alice', kind: 'wallet v4' } }],
    ['tonWorkbench.inspectBoc', file],
    ['tonWorkbench.openAccount', address],
    ['tonWorkbench.openAccount', { account: { address }, sections: ['nfts'] }],
    ['tonWorkbench.resendDelivery', 'm-0001'],
    ['tonWorkbench.resendDelivery', { id: 'm-0001', label: 'order-1', delivery: { id: 'm-0001' } }],
    ['tonWorkbench.removeTrace', { kind: 'trace', key: 'a/b', id: undefined }],
    ['tonWorkbench.replayTransaction', 'ab'.repeat(32)],
    ['tonWorkbench.replayTransaction', { kind: 'node', trace: { key: 'a/b' }, node: { index: 1 } }],
    ['tonWorkbench.replayWithChanges', { replay: 'ab' }],
    ['tonWorkbench.watchCall', { pin: { network: 'TON Local', address }, method: { name: 'seqno' } }],
  ];
  for (const [id, given] of fitting) {
    it(`reaches ${id}: ${JSON.stringify(given)}`, () => {
      const [read, ...others] = readArguments(id, [given, [given]]);
      assert.equal(read, given);
      assert.deepEqual(others, [], 'what comes after the last place is dropped');
    });
  }

  it('counts as absent if it is invalid and can be asked for', () => {
    const cases: [Parameters<typeof readArguments>[0], unknown][] = [
      ['tonWorkbench.openTrace', file],
      ['tonWorkbench.openTrace', { groupId: 1 }],
      ['tonWorkbench.localFaucet', undefined],
      ['tonWorkbench.localFaucet', { account: { address: 5 } }],
      ['tonWorkbench.runGetMethod', { method: ['seqno'] }],
      ['tonWorkbench.inspectCell', file],
    ];
    for (const [id, given] of cases) {
      assert.deepEqual(readArguments(id, [given]), [undefined], `${id} ${JSON.stringify(given)}`);
    }
  });

  it('keeps its position if it is invalid', () => {
    assert.deepEqual(readArguments('tonWorkbench.sendEditedDelivery', [file, true]), [undefined, true]);
  });

  for (const given of [undefined, null, 7, {}, { pin: {} }, { pin: { network: 'x', address: 1 } }]) {
    it(`is rejected if nothing can be done with ${JSON.stringify(given)}`, () => {
      assert.throws(
        () => readArguments('tonWorkbench.removeContract', [given]),
        (error: unknown) => WorkbenchError.is(error, 'command-argument-missing') && error.hint !== undefined,
      );
    });
  }
});
