import { Address, SendMode, beginCell, internal } from '@ton/core';
import type { Cell } from '@ton/core';
import { keyPairFromSeed, signVerify } from '@ton/crypto';
import {
  WalletContractV1R3,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton';
import assert from 'node:assert/strict';
import { readSignedBody } from '../../../src/toolkit/contracts/opcodes/readSignedBody';
import { walletCodes } from '../../../src/toolkit/contracts/opcodes/walletCodes';

const keys = keyPairFromSeed(Buffer.alloc(32, 7));
const to = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs');
const messages = (count: number): ReturnType<typeof internal>[] =>
  Array.from({ length: count }, (_, i) =>
    internal({ to, value: BigInt(i + 1), body: `note ${i}`, bounce: true }),
  );
const settings = { workchain: 0, publicKey: keys.publicKey };
const common = { secretKey: keys.secretKey, seqno: 9, timeout: 1_900_000_000 };
const sendMode = SendMode.PAY_GAS_SEPARATELY;

const wallets: [family: string, code: Cell, body: (count: number) => Cell][] = [
  [
    'v1',
    WalletContractV1R3.create(settings).init.code,
    () =>
      WalletContractV1R3.create(settings).createTransfer({ ...common, sendMode, message: messages(1)[0]! }),
  ],
  [
    'v2',
    WalletContractV2R2.create(settings).init.code,
    (count) =>
      WalletContractV2R2.create(settings).createTransfer({ ...common, sendMode, messages: messages(count) }),
  ],
  [
    'v3',
    WalletContractV3R1.create(settings).init.code,
    (count) =>
      WalletContractV3R1.create(settings).createTransfer({ ...common, sendMode, messages: messages(count) }),
  ],
  [
    'v3',
    WalletContractV3R2.create(settings).init.code,
    (count) =>
      WalletContractV3R2.create(settings).createTransfer({ ...common, sendMode, messages: messages(count) }),
  ],
  [
    'v4',
    WalletContractV4.create(settings).init.code,
    (count) =>
      WalletContractV4.create(settings).createTransfer({ ...common, sendMode, messages: messages(count) }),
  ],
  [
    'v5-beta',
    WalletContractV5Beta.create(settings).init.code,
    (count) =>
      WalletContractV5Beta.create(settings).createTransfer({
        ...common,
        sendMode,
        messages: messages(count),
      }),
  ],
  [
    'v5',
    WalletContractV5R1.create(settings).init.code,
    (count) =>
      WalletContractV5R1.create(settings).createTransfer({ ...common, sendMode, messages: messages(count) }),
  ],
];

describe('readSignedBody', () => {
  for (const [family, code, body] of wallets) {
    for (const count of family === 'v1' ? [1] : [0, 1, 4]) {
      it(`recognizes ${family} (${walletCodes.get(code.hash().toString('hex'))?.name}) with ${count} messages`, () => {
        const cell = body(count);
        const signed = readSignedBody(cell);
        assert.equal(signed?.family, family);
        assert.equal(walletCodes.get(code.hash().toString('hex'))?.family, family);
        assert.equal(signed.seqno, 9);
        assert.equal(signed.validUntil, family === 'v1' ? undefined : 1_900_000_000);
        assert.equal(signed.messages.length, count);
        assert.ok(
          signVerify(signed.signedHash, signed.signature, keys.publicKey),
          'the signature is of signedHash',
        );
        signed.messages.forEach(({ message, mode }, i) => {
          assert.ok(message.refs[0] !== undefined || message.beginParse().remainingBits > 0);
          assert.equal(mode & 1, 1);
          const expected = beginCell().storeStringTail(`note ${i}`).endCell();
          assert.ok(message.toString().includes(expected.toString().slice(2, -1)));
        });
      });
    }
  }

  it('reads extended actions of v5 like other actions, still with the right signature', () => {
    const body = WalletContractV5R1.create(settings).createRequest({
      ...common,
      authType: 'external',
      actions: [{ type: 'addExtension', address: to }],
    });
    const signed = readSignedBody(body);
    assert.deepEqual(signed?.changes, [{ kind: 'add', account: to.toRawString() }]);
    assert.ok(signVerify(signed.signedHash, signed.signature, keys.publicKey));
  });

  it('reads every extended action of v5, in their order, beside messages', () => {
    const body = WalletContractV5R1.create(settings).createRequest({
      ...common,
      authType: 'external',
      actions: [
        { type: 'sendMsg', mode: sendMode, outMsg: messages(1)[0]! },
        { type: 'addExtension', address: to },
        { type: 'removeExtension', address: Address.parseRaw(`0:${'ab'.repeat(32)}`) },
        { type: 'setIsPublicKeyEnabled', isEnabled: false },
      ],
    });
    const signed = readSignedBody(body);
    assert.deepEqual(signed?.changes, [
      { kind: 'add', account: to.toRawString() },
      { kind: 'remove', account: `0:${'ab'.repeat(32)}` },
      { kind: 'signatures', isAllowed: false },
    ]);
    assert.equal(signed.messages.length, 1);
  });

  it('reads a plugin request of v4', () => {
    const body = WalletContractV4.create(settings).createRequest({
      ...common,
      action: { type: 'addPlugin', address: to, forwardAmount: 5n },
    });
    const signed = readSignedBody(body);
    assert.equal(signed?.family, 'v4');
    assert.deepEqual(signed.changes, [{ kind: 'add', account: to.toRawString() }]);
  });

  it('recognizes no other body as signed', () => {
    assert.equal(readSignedBody(beginCell().storeUint(0, 32).storeStringTail('hello').endCell()), undefined);
    assert.equal(readSignedBody(beginCell().endCell()), undefined);
    const random = beginCell().storeBuffer(Buffer.alloc(100, 3)).storeRef(beginCell().endCell()).endCell();
    assert.equal(readSignedBody(random), undefined);
  });
});
