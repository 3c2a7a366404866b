import assert from 'node:assert/strict';
import { Address, beginCell, Cell } from '@ton/core';
import { makePayment } from './support/makePayment';

describe('the message of a payment', () => {
  it('goes to a user-friendly address, as wallets over TON Connect require; coins stay where no wallet is yet', async () => {
    const raw = `0:${'1f'.repeat(32)}`;
    const { message } = await makePayment({ recipientAddr: raw });
    const read = Address.parseFriendly(message.address);
    assert.deepEqual([read.address.toRawString(), read.isBounceable], [raw, false]);
  });

  it('goes to the address as the shop wrote it', async () => {
    const given = Address.parseRaw(`0:${'1f'.repeat(32)}`).toString();
    assert.equal((await makePayment({ recipientAddr: given })).message.address, given);
  });

  it('has comments of at most 1,000 characters', async () => {
    await makePayment({ commentToSender: 'x'.repeat(1_000) });
    await assert.rejects(makePayment({ commentToSender: 'x'.repeat(1_001) }), {
      message: 'commentToSender must have at most 1000 characters',
    });
  });

  it('is the text comment that @ton/core builds, however many cells it takes', async () => {
    for (const length of [1, 60, 75, 76, 77, 300, 1_000]) {
      const commentToRecipient = '\u20ac'.repeat(Math.floor(length / 3)) + 'x'.repeat(length % 3);
      const { message, bodyBase64Hash, reference } = await makePayment({ commentToRecipient });
      const text = [commentToRecipient, `Reference: ${reference}`].filter((line) => line !== '').join('\n');
      const expected = beginCell().storeUint(0, 32).storeStringTail(text).endCell();
      assert.ok(Cell.fromBase64(message.payload).equals(expected), `${length}`);
      assert.equal(bodyBase64Hash, expected.hash().toString('base64'));
    }
  });
});
