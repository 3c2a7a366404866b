import {
  Address,
  Cell,
  beginCell,
  comment,
  external,
  internal,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import { keyPairFromSeed, signVerify } from '@ton/crypto';
import { WalletContractV3R2, WalletContractV4, WalletContractV5Beta, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fromCoreCell } from '../../../src/toolkit/cell/readBoc';
import { normalizedHash } from '../../../src/toolkit/cell/loadFolded';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { refusalReason } from '../../../src/toolkit/send/preparedSend';
import type { DestinationState } from '../../../src/toolkit/send/preparedSend';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { referenceFolder } from '../../support/referenceFolder';

const keys = keyPairFromSeed(Buffer.alloc(32, 7));
const other = keyPairFromSeed(Buffer.alloc(32, 8));
const to = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs');
const now = 1_800_000_000;

const contracts = {
  'v3 r2': WalletContractV3R2.create({ workchain: 0, publicKey: keys.publicKey }),
  'v4 r2': WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }),
  'v5 beta': WalletContractV5Beta.create({ publicKey: keys.publicKey }),
  'v5 r1': WalletContractV5R1.create({ publicKey: keys.publicKey }),
};
type Wallet = (typeof contracts)[keyof typeof contracts];

interface Variation {
  seqno?: number;
  timeout?: number;
  secretKey?: Buffer;
  from?: Wallet;
}

function transfer(wallet: Wallet, variation: Variation = {}): Cell {
  const settings = {
    seqno: variation.seqno ?? 0,
    secretKey: variation.secretKey ?? keys.secretKey,
    timeout: variation.timeout ?? now + 60,
    sendMode: 3,
    messages: [internal({ to, value: '1' })],
  };
  const maker = (variation.from ?? wallet) as WalletContractV4;
  return maker.createTransfer(settings);
}

function messageOf(
  wallet: Wallet,
  variation: Variation = {},
  init = false,
): ReturnType<typeof readExternalMessage> {
  const message = external({
    to: wallet.address,
    ...(init ? { init: wallet.init } : {}),
    body: transfer(wallet, variation),
  });
  return readExternalMessage(fromCoreCell(beginCell().store(storeMessage(message)).endCell()));
}

const active = (wallet: Wallet): DestinationState => ({
  status: 'active',
  balance: 10n ** 10n,
  code: wallet.init.code,
  data: wallet.init.data,
});

describe('readExternalMessage', () => {
  it('reads destination, wallet, messages, expiry, seqno, and state init', () => {
    const wallet = contracts['v5 r1'];
    const message = messageOf(wallet, {}, true);
    assert.ok(message.destination.equals(wallet.address));
    assert.equal(message.initMatches, true);
    assert.equal(message.initWallet?.name, 'wallet v5 r1');
    assert.equal(message.signed?.family, 'v5');
    assert.equal(message.signed.validUntil, now + 60);
    assert.equal(message.signed.messages.length, 1);
  });

  it('refuses anything but an external-in message', () => {
    assert.throws(() => readExternalMessage(fromCoreCell(comment('x'))), { code: 'message-not-external' });
    const message = internal({ to, value: 1n });
    const cell = beginCell().store(storeMessageRelaxed(message)).endCell();
    assert.throws(() => readExternalMessage(fromCoreCell(cell)), { code: 'message-not-external' });
  });

  it('computes the normalized hash that the service recorded', () => {
    let checked = 0;
    for (const name of ['ton-sent-traces', 'ft-sent-traces', 'nft-received-traces', 'contract-call-traces']) {
      const file = readFileSync(path.join(referenceFolder, 'traces', `${name}.json`), 'utf8');
      const { traces } = JSON.parse(file) as { traces: V3Trace[] };
      for (const trace of traces) {
        const root = trace.transactions![trace.trace!.tx_hash!]!;
        const { in_msg } = root;
        if (in_msg?.source != null || in_msg?.message_content?.body == null) {
          continue;
        }
        const body = Cell.fromBase64(in_msg.message_content.body);
        const { info } = external({ to: Address.parse(in_msg.destination!), body });
        assert.ok(info.type === 'external-in');
        const expected = in_msg.hash_norm ?? in_msg.hash ?? '';
        assert.equal(normalizedHash({ info, body }), Buffer.from(expected, 'base64').toString('hex'));
        checked++;
      }
    }
    assert.ok(checked >= 3, `${checked} recorded messages`);
  });

  it('computes the same normalized hash for every form of the same message', () => {
    const plain = messageOf(contracts['v4 r2']);
    const deploying = messageOf(contracts['v4 r2'], {}, true);
    assert.equal(plain.hashNorm, deploying.hashNorm);
    assert.notEqual(plain.hash, deploying.hash);
  });
});

describe('refusalReason', () => {
  for (const [name, wallet] of Object.entries(contracts)) {
    it(`is undefined for a good message to a wallet ${name}`, () => {
      assert.equal(refusalReason(messageOf(wallet), active(wallet), now, signVerify), undefined);
      const uninit: DestinationState = { status: 'uninit', balance: 1n, code: undefined, data: undefined };
      assert.equal(refusalReason(messageOf(wallet, {}, true), uninit, now, signVerify), undefined);
    });

    const cases: [string, Variation, string, string][] = [
      ['seqno', { seqno: 5 }, 'wrong-seqno', 'seqno 5, the wallet expects 0'],
      ['expiry', { timeout: now - 40 }, 'expired', 'expired 40 s ago'],
      ['key', { secretKey: other.secretKey }, 'wrong-key', "signed with a key that is not the wallet's"],
    ];
    for (const [what, variation, code, text] of cases) {
      it(`names a wrong ${what} for a wallet ${name}`, () => {
        const reason = refusalReason(messageOf(wallet, variation), active(wallet), now, signVerify);
        assert.deepEqual(reason, { code, text });
      });
    }
  }

  it('names a wrong wallet id', () => {
    const from = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey, walletId: 5 });
    const wallet = contracts['v4 r2'];
    assert.deepEqual(refusalReason(messageOf(wallet, { from }), active(wallet), now, signVerify), {
      code: 'wrong-wallet-id',
      text: 'made for wallet id 5, this wallet has 698983191',
    });
  });

  it('names accounts that cannot accept the message', () => {
    const wallet = contracts['v4 r2'];
    const state = (status: DestinationState['status']): DestinationState => ({
      status,
      balance: 0n,
      code: undefined,
      data: undefined,
    });
    const codeOf = (init: boolean, status: DestinationState['status']): string | undefined =>
      refusalReason(messageOf(wallet, {}, init), state(status), now, signVerify)?.code;
    assert.equal(codeOf(true, 'nonexist'), 'no-account');
    assert.equal(codeOf(false, 'uninit'), 'not-deployed');
    assert.equal(codeOf(true, 'frozen'), 'frozen');
    const foreign = external({ to, init: wallet.init, body: transfer(wallet) });
    const message = readExternalMessage(fromCoreCell(beginCell().store(storeMessage(foreign)).endCell()));
    assert.equal(refusalReason(message, state('uninit'), now, signVerify)?.code, 'init-for-another-address');
  });
});
