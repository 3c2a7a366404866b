import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { fieldTexts } from '../../../src/toolkit/contracts/layouts/fieldTexts';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';

const source = `
struct Limits { daily: coins; single: coins }
struct (0x01) Deposit { amount: coins }
struct (0x02) Close {}
type Request = Deposit | Close
struct (0x00000011) AddGuardian {
  queryId: uint64
  who: address
  heir: address?
  limits: Cell<Limits>
  isOpen: bool
  request: Request
  weights: map<address, uint32>
  payload: cell
}
fun onInternalMessage(in: InMessage) { val message = lazy AddGuardian.fromSlice(in.body); }
`;
const bob = `0:${'b0'.repeat(32)}`;

describe("the fields of a message's body as text", () => {
  const set = readTolkSourceLayouts('vault.tolk', 'vault', source);

  it('read back to the very same cell', () => {
    const layout = [...set.structs.values()].find(({ name }) => name === 'AddGuardian')!;
    const text =
      `{queryId: 7, who: ${bob}, heir: none, limits: {daily: 2.5ton, single: 1ton}, isOpen: true, ` +
      `request: Deposit {amount: 3ton}, weights: {${bob}: 5}, payload: b(u8 1)}`;
    const body = encodeByLayout(text, layout, set);
    const found = fieldTexts(body, [set]);
    assert.equal(found?.message.layout.name, 'AddGuardian');
    assert.equal(found.texts.get('queryId'), '7');
    assert.equal(found.texts.get('who'), bob);
    assert.equal(found.texts.get('heir'), 'none');
    assert.equal(found.texts.get('limits'), 'Limits {daily: 2.5ton, single: 1ton}');
  });

  it('are none for a body that no message has, and for one with more than its fields', () => {
    assert.equal(fieldTexts(beginCell().storeUint(0x99, 32).endCell(), [set]), undefined);
    assert.equal(fieldTexts(beginCell().storeUint(0x11, 32).endCell(), [set]), undefined);
  });
});
