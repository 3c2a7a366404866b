import assert from 'node:assert/strict';
import { Address } from '@ton/core';
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
});
