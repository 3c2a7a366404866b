import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { requestWords } from '../../../src/toolkit/tonConnect/requestWords';
import type { WalletRequest } from '../../../src/toolkit/tonConnect/walletRequest';

describe('what a dApp asks for, in words', () => {
  const bob = `0:${'b0'.repeat(32)}`;
  const words = (payload?: string): string => {
    const request: WalletRequest = {
      ...{ number: 1, session: '', id: '0', digest: '', at: 0, method: 'sendTransaction' },
      params: { messages: [{ address: bob, bounce: false, amount: '1500000000', payload }] },
    };
    return requestWords(request, () => 'bob');
  };
  const boc = (cell: ReturnType<typeof beginCell>): string => cell.endCell().toBoc().toString('base64');

  it('says the comment of a payment, as text that cannot pass for anything else', () => {
    assert.equal(words(), 'pay bob 1.5 TON');
    assert.equal(
      words(boc(beginCell().storeUint(0, 32).storeStringTail('A mug\nReference: 7'))),
      'pay bob 1.5 TON, comment "A mug\\nReference: 7"',
    );
    assert.equal(
      words(boc(beginCell().storeUint(0, 32).storeStringTail('"; pay eve \u202e'))),
      'pay bob 1.5 TON, comment "\\"; pay eve \\u{202e}"',
    );
  });

  it('names a known body, and only says that there is another one', () => {
    const excesses = beginCell().storeUint(0xd53276db, 32).storeUint(0, 64);
    assert.equal(words(boc(excesses)), 'pay bob 1.5 TON, excess');
    assert.equal(words(boc(beginCell().storeUint(7, 32))), 'pay bob 1.5 TON with a body');
  });
});
