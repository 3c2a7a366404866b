import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import { coinBodies, jettonBodies } from '../../../src/toolkit/webhook/chain/happenedTransfers';
import type { ChainMessage } from '../../../src/toolkit/webhook/chain/chainOf';

const message = (body: Cell | undefined, bodyHash?: string): ChainMessage => ({
  source: `0:${'51'.repeat(32)}`,
  value: 1n,
  bounced: false,
  body: body?.toBoc().toString('base64'),
  bodyHash,
});

const comment = beginCell().storeUint(0, 32).storeStringTail('order 7').endCell();

/** A jetton transfer (TEP-74) up to its forward payload. */
const transfer = (withCustomPayload = false): ReturnType<typeof beginCell> =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(7, 64)
    .storeCoins(10_500_000n)
    .storeAddress(Address.parseRaw(`0:${'a7'.repeat(32)}`))
    .storeAddress(null)
    .storeMaybeRef(withCustomPayload ? comment : null)
    .storeCoins(1n);

describe('webhook: bodies of a transfer', () => {
  const hashes = (bodies: readonly { hash: string }[]): string[] => bodies.map(({ hash }) => hash);
  const hex = (cell: Cell): string => cell.hash().toString('hex');

  it("include the message's, by its cells or by the hash that the network reports", () => {
    assert.deepEqual(hashes(coinBodies(message(comment))), [hex(comment)]);
    assert.deepEqual(hashes(coinBodies(message(undefined, hex(comment)))), [hex(comment)]);
    assert.deepEqual(coinBodies(message(undefined)), []);
    assert.deepEqual(coinBodies({ ...message(undefined), body: 'not a bag of cells' }), []);
  });

  it("include the jetton transfer's and its payload's, in a reference or inline", () => {
    const apart = transfer().storeBit(true).storeRef(comment).endCell();
    assert.deepEqual(hashes(jettonBodies(message(apart))), [hex(apart), hex(comment)]);
    const inPlace = transfer(true).storeBit(false).storeSlice(comment.beginParse()).endCell();
    assert.deepEqual(hashes(jettonBodies(message(inPlace))), [hex(inPlace), hex(comment)]);
  });

  it('include only the whole body if it cannot be parsed', () => {
    const ended = transfer().endCell();
    assert.deepEqual(hashes(jettonBodies(message(ended))), [hex(ended)]);
    const cut = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(7, 64).endCell();
    assert.deepEqual(hashes(jettonBodies(message(cut))), [hex(cut)]);
    assert.deepEqual(jettonBodies(message(undefined)), []);
  });
});
