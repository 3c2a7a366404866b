import { Address, beginCell, Cell, comment, contractAddress, toNano } from '@ton/core';
import assert from 'node:assert/strict';
import type { ComposedMessage } from '../../../src/toolkit/send/prepareComposed';
import type { ComposeLineOptions } from '../../../src/toolkit/send/parseComposeLine';
import { parseComposeLine } from '../../../src/toolkit/send/parseComposeLine';
import { printComposeLine } from '../../../src/toolkit/send/printComposeLine';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { randomNumbers } from '../cell/support/randomNumbers';

const minter = new Address(0, Buffer.alloc(32, 0x4d));
const options: ComposeLineOptions = {
  accounts: new Map([
    ...namedAccounts.map(({ name, address }) => [name, address] as const),
    ['minter', minter.toRawString()],
  ]),
  wallets: namedAccounts.map(({ name }) => name),
};
const alice = Address.parse(namedAccounts[0]!.address);
const bob = Address.parse(namedAccounts[1]!.address);
const parse = (line: string): ComposedMessage => parseComposeLine(line, options);
const code = beginCell().storeUint(0xff00, 16).endCell();
const data = beginCell().storeUint(1, 32).endCell();
const boc = (cell: Cell): string => cell.toBoc().toString('base64');

function assertSame(left: ComposedMessage, right: ComposedMessage): void {
  assert.deepEqual(
    [left.to.toRawString(), left.value, left.bounce, senderText(left)],
    [right.to.toRawString(), right.value, right.bounce, senderText(right)],
  );
  assert.ok(left.body.equals(right.body));
  assert.equal(left.init === undefined, right.init === undefined);
  assert.ok(left.init === undefined || left.init.code.equals(right.init!.code));
  assert.ok(left.init === undefined || left.init.data.equals(right.init!.data));
}

function senderText({ sender }: ComposedMessage): string {
  return sender.kind === 'wallet' ? sender.name : sender.address.toRawString();
}

describe('parseComposeLine', () => {
  it('reads destination, amount, and body', () => {
    const message = parse('send minter 0.1ton body b(u32 0x642b7d07, addr @alice)');
    assertSame(message, {
      sender: { kind: 'wallet', name: 'alice' },
      to: minter,
      value: toNano('0.1'),
      bounce: true,
      body: beginCell().storeUint(0x642b7d07, 32).storeAddress(alice).endCell(),
      init: undefined,
    });
  });

  const body = beginCell().storeUint(7, 32).endCell();
  for (const [what, line, expected] of [
    ['without the word send', 'minter 5', { value: 5n }],
    ['a name with @', 'send @bob 1ton', { to: bob, value: toNano('1') }],
    ['a raw address', `send ${minter.toRawString()} 1nano`, { value: 1n }],
    [
      'a link',
      `send https://testnet.tonviewer.com/${bob.toString({ bounceable: false })} 1nano`,
      { to: bob, value: 1n, bounce: true },
    ],
    ['a link without a query', `ton://transfer/${bob.toString()} 1nano`, { to: bob, value: 1n }],
    ['a comment', 'send minter 1 comment "hi, \\"you\\""', { body: comment('hi, "you"') }],
    ['a body as BoC', `send minter 1 body cell ${boc(body)}`, { body }],
    ['a body as BoC without its kind', `send minter 1 body ${boc(body)}`, { body }],
    ['a body as bits', 'send minter 1 body x{00000007}', { body }],
    ['another wallet', 'send minter 1 from carol', { sender: { kind: 'wallet', name: 'carol' } }],
    ['a contract', 'send minter 1 as bob', { sender: { kind: 'contract', address: bob } }],
    [
      'clauses in any order',
      'send minter 1 no-bounce from bob comment "x"',
      { bounce: false, body: comment('x') },
    ],
    [
      'an address that does not bounce',
      `send ${minter.toString({ bounceable: false })} 1`,
      { bounce: false },
    ],
    ['an address that bounces', `send ${minter.toString()} 1`, { bounce: true }],
    [
      'an address for test networks that bounces',
      `send ${minter.toString({ testOnly: true })} 1 as ${bob.toString({ testOnly: true })}`,
      { to: minter, bounce: true, sender: { kind: 'contract', address: bob } },
    ],
    [
      'an address for test networks that does not bounce',
      `send ${minter.toString({ testOnly: true, bounceable: false })} 1`,
      { to: minter, bounce: false },
    ],
    [
      'what is said before the form of the address',
      `send ${minter.toString({ bounceable: false })} 1 bounce`,
      { bounce: true },
    ],
    [
      'a new contract',
      `send new 1ton code ${boc(code)} data b(u32 1)`,
      { to: contractAddress(0, { code, data }), init: { code, data }, bounce: false },
    ],
    [
      'a state init for an address',
      `send minter 1 code ${boc(code)} data b(u32 1) bounce`,
      { init: { code, data } },
    ],
  ] as [string, string, Partial<ComposedMessage>][]) {
    it(`reads ${what}`, () => {
      const message = parse(line);
      assertSame(message, { ...message, ...expected });
    });
  }

  // The place that is wrong stands between ‹ and ›.
  for (const line of [
    'send‹›',
    '‹minter2› 1ton',
    'send ‹EQabc› 1',
    'send minter‹›',
    'send minter ‹body› b()',
    'send minter ‹0.1›',
    'send minter ‹-1›',
    'send minter 1ton ‹b›(u32 7)',
    'send minter 1ton ‹frm› alice',
    'send minter 1ton from ‹minter›',
    'send minter 1ton from‹›',
    'send minter 1ton as ‹nobody›',
    'send minter 1ton comment ‹hi›',
    'send minter 1ton comment ‹"hi›',
    'send minter 1ton body b(u32 ‹x›)',
    'send minter 1ton body b(u8 ‹256›)',
    'send minter 1ton body ‹›',
    'send minter 1ton body b() ‹comment› "x"',
    'send minter 1ton bounce ‹no-bounce›',
    'send minter 1ton from alice ‹as› bob',
    'send minter 1ton code x{ff}‹›',
    'send new 1ton‹›',
    'send minter 1ton ‹)›',
  ]) {
    it(`refuses ${line}, at the right position`, () => {
      const text = line.replace(/[‹›]/g, '');
      const offset = line.indexOf('‹');
      const length = line.indexOf('›') - offset - 1;
      assert.throws(
        () => parse(text),
        (error: unknown) => {
          assert.ok(WorkbenchError.is(error, 'compose-line-invalid'), String(error));
          assert.equal(error.details['offset'], offset, error.message);
          assert.ok(length === 0 || error.details['length'] === length, `${String(error.details['length'])}`);
          return true;
        },
      );
    });
  }

  it('suggests what was probably meant', () => {
    const hint = (line: string): string => {
      try {
        parse(line);
      } catch (error) {
        return (error as WorkbenchError).hint ?? '';
      }
      return 'read';
    };
    assert.match(hint('send mintr 1ton'), /minter/);
    assert.match(hint('send minter 0.1'), /0\.1ton/);
    assert.match(hint('send minter 1ton b(u32 7)'), /body/);
    assert.match(hint('send minter 1ton "hi"'), /comment/);
    assert.match(hint('send minter 1ton from minter'), /as minter/);
  });

  it('takes no link to pay, which says more than whom', () => {
    assert.throws(() => parse(`ton://transfer/${bob.toString()}?amount=5 1nano`), {
      code: 'compose-line-invalid',
    });
    assert.throws(
      () => parse(`https://tonviewer.com/transaction/${'ab'.repeat(32)} 1nano`),
      /not an account/,
    );
  });

  it('requires a sender if there are no wallets', () => {
    const none = { ...options, wallets: [] };
    assert.throws(() => parseComposeLine('send minter 1', none), { code: 'compose-line-invalid' });
    assert.equal(parseComposeLine('send minter 1 as bob', none).sender.kind, 'contract');
  });
});

describe('printComposeLine', () => {
  it('prints readable text', () => {
    const name = (raw: string): string | undefined => (raw === minter.toRawString() ? 'minter' : undefined);
    assert.equal(
      printComposeLine(parse('minter 100000000 comment "rent"'), { name }),
      'send minter 0.1ton comment "rent" from alice',
    );
    assert.equal(
      printComposeLine(parse('minter 1ton no-bounce body b(u32 7) as bob'), { name }),
      `send minter 1ton body x{00000007} as ${bob.toString()} no-bounce`,
    );
  });

  it('can be read back to the same message', () => {
    const random = randomNumbers(17);
    const names: Record<string, string> = { [minter.toRawString()]: 'minter' };
    const bodies = (): Cell =>
      [
        Cell.EMPTY,
        comment('Grüße, "you" \\ '),
        comment('two\nlines'),
        comment(''),
        comment('long '.repeat(60)),
        beginCell()
          .storeUint(random(1 << 30), 31)
          .endCell(),
        beginCell().storeUint(0, 64).storeRef(beginCell().storeUint(3, 5).endCell()).endCell(),
        beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 5)).endCell({ exotic: true }),
      ][random(8)]!;
    for (let i = 0; i < 500; i++) {
      const message: ComposedMessage = {
        sender:
          random(2) === 0
            ? { kind: 'wallet', name: options.wallets[random(10)]! }
            : { kind: 'contract', address: new Address(-random(2), Buffer.alloc(32, random(256))) },
        to: random(3) === 0 ? minter : new Address(-random(2), Buffer.alloc(32, random(256))),
        value: BigInt(random(2 ** 31)) * BigInt(random(2 ** 31)) + BigInt(random(3)),
        bounce: random(2) === 0,
        body: bodies(),
        init: random(3) === 0 ? { code: bodies(), data: bodies() } : undefined,
      };
      const line = printComposeLine(message, { name: (raw) => (i % 2 === 0 ? names[raw] : undefined) });
      assertSame(parse(line), message);
    }
  });
});
