import assert from 'node:assert/strict';
import { beginCell, Cell, Dictionary } from '@ton/core';
import {
  defaultNetworkConfig,
  importNetworkConfig,
} from '../../../src/toolkit/execution/emulator/networkConfig';

describe('network configuration', () => {
  it("has the public network's current prices and the parameters that contracts read", () => {
    const config = defaultNetworkConfig();
    assert.equal(config.globalId, -239);
    assert.equal(config.version, 12);
    // Gas price of the basechain, 16.16 fixed point, behind flat_gas tag, limit and price.
    const gas = config.parameters
      .get(21)
      ?.beginParse()
      .skip(8 + 64 + 64 + 8);
    assert.equal(gas?.loadUintBig(64), 4_369_067n);
    for (const id of [8, 18, 19, 20, 21, 24, 25, 31, 44, 45]) {
      assert.ok(config.parameters.has(id), `parameter ${id}`);
    }
  });

  it('reduces parameter 43 of an imported configuration to what the emulator supports', () => {
    const limits = beginCell().storeUint(2, 8);
    for (let bit = 8; bit < 401; bit += 1) {
      limits.storeBit(bit % 3 === 0);
    }
    const whole = limits.endCell();
    const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    for (const [id, cell] of defaultNetworkConfig().parameters) {
      dictionary.set(id, cell);
    }
    dictionary.set(43, whole);
    const boc = beginCell().storeDictDirect(dictionary).endCell().toBoc().toString('base64');
    const config = importNetworkConfig(boc, 'a test');
    const cut = config.parameters.get(43);
    assert.equal(cut?.bits.length, 368);
    assert.ok(cut.bits.equals(whole.bits.substring(0, 368)));
    const written = Cell.fromBase64(config.base64).beginParse();
    const back = written.loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    assert.ok(back.get(43)?.equals(cut));
    assert.equal(config.origin, 'a test');
  });

  it('is read once while the same one is imported', () => {
    const boc = defaultNetworkConfig().base64;
    const [one, other] = [importNetworkConfig(boc, 'one'), importNetworkConfig(boc, 'other')];
    assert.equal(one.root, other.root);
    assert.deepEqual([one.origin, other.origin], ['one', 'other']);
    const changed = Cell.fromBase64(boc)
      .beginParse()
      .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
      .set(19, beginCell().storeInt(-3, 32).endCell());
    const third = beginCell().storeDictDirect(changed).endCell().toBoc().toString('base64');
    assert.deepEqual(
      [third, boc].map((text) => importNetworkConfig(text, 'third').globalId),
      [-3, -239],
    );
  });
});
