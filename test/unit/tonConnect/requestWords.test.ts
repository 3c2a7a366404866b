import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { requestWords } from '../../../src/toolkit/tonConnect/requestWords';
import type { WalletRequest } from '../../../src/toolkit/tonConnect/walletBook';

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

  it('begins with how many there are and what they cost in all, and folds the recipients', () => {
    const [vault, eve, dan, tom] = ['c1', 'e0', 'd0', 'f0'].map((byte) => `0:${byte.repeat(32)}`);
    const many = (...messages: { address: string | undefined; amount: string }[]): string => {
      const request: WalletRequest = {
        ...{ number: 1, session: '', id: '0', digest: '', at: 0, method: 'sendTransaction' },
        params: {
          messages: messages.map((one) => ({ bounce: false, address: one.address!, amount: one.amount })),
        },
      };
      return requestWords(request, (address) => ({ [vault!]: 'Vault', [bob]: 'bob' })[address]);
    };
    const tenth = '100000000';
    assert.equal(
      many(...Array.from({ length: 59 }, () => ({ address: vault, amount: tenth }))),
      'send 59 messages with 5.9 TON in all: to Vault',
    );
    const mixed = [bob, vault, vault, eve, dan, tom].map((address) => ({ address, amount: tenth }));
    const words = many(...mixed, { address: bob, amount: '900000000' });
    assert.match(
      words,
      /^send 7 messages with 1\.5 TON in all: to bob 1 TON in 2, Vault 0\.2 TON in 2, \S+ 0\.1 TON, and 2 more accounts$/,
    );
    assert.ok(words.length < 140, 'it is one line');
  });
});
