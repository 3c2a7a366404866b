import assert from 'node:assert/strict';
import type { Cell } from '@ton/core';
import { Address, beginCell, external, internal, SendMode, storeMessage } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { fromCoreCell } from '../../../src/toolkit/cell/readBoc';
import { shortenMiddle } from '../../../src/toolkit/base/text';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import type { OrderTextOptions } from '../../../src/toolkit/send/orderText';
import { orderText } from '../../../src/toolkit/send/orderText';

const keys = keyPairFromSeed(Buffer.alloc(32, 7));
const to = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs');
const who = shortenMiddle(to.toString());
const settings = { workchain: 0, publicKey: keys.publicKey };
const common = { secretKey: keys.secretKey, seqno: 9, timeout: 1_900_000_000 };

const textOf = (wallet: { address: Address }, body: Cell, options: OrderTextOptions = {}): string =>
  orderText(
    readExternalMessage(
      fromCoreCell(
        beginCell()
          .store(storeMessage(external({ to: wallet.address, body })))
          .endCell(),
      ),
    ),
    options,
  );

describe('the first line before a message is sent', () => {
  it('says who gets control of the wallet before anything that it pays', () => {
    const wallet = WalletContractV5R1.create(settings);
    const body = wallet.createRequest({
      ...common,
      authType: 'external',
      actions: [
        { type: 'sendMsg', mode: SendMode.PAY_GAS_SEPARATELY, outMsg: internal({ to, value: 1n }) },
        { type: 'addExtension', address: to },
        { type: 'setIsPublicKeyEnabled', isEnabled: false },
      ],
    });
    assert.match(
      textOf(wallet, body),
      new RegExp(
        `gives ${who} control of all it has; stops taking signed requests; sends 0\\.000000001 TON to ${who}$`,
      ),
    );
  });

  it('says it of a plugin of v4, too, and of one that loses it', () => {
    const wallet = WalletContractV4.create(settings);
    const request = (type: 'addPlugin' | 'removePlugin'): string =>
      textOf(wallet, wallet.createRequest({ ...common, action: { type, address: to, forwardAmount: 5n } }));
    assert.match(request('addPlugin'), new RegExp(`gives ${who} control of all it has$`));
    assert.match(request('removePlugin'), new RegExp(`takes its control from ${who}$`));
  });

  it('shortens the form of an address that the dialog writes out', () => {
    const wallet = WalletContractV5R1.create(settings);
    const testForm = (raw: string): string => Address.parseRaw(raw).toString({ testOnly: true });
    const body = wallet.createTransfer({
      ...common,
      sendMode: SendMode.NONE,
      messages: [internal({ to, value: 1n })],
    });
    assert.match(
      textOf(wallet, body, { address: testForm, name: () => 'bob' }),
      new RegExp(`to bob \\(${shortenMiddle(testForm(to.toRawString()))}\\)`),
    );
  });

  it('counts extra currencies', () => {
    const wallet = WalletContractV5R1.create(settings);
    const message = internal({ to, value: 1n, extracurrency: { 100: 5_000n } });
    const body = wallet.createTransfer({ ...common, sendMode: SendMode.NONE, messages: [message] });
    assert.match(textOf(wallet, body), /0\.000000001 TON and 5 000 units of extra currency 100 to/);
  });
});
