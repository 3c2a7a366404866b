import assert from 'node:assert/strict';
import type { OpenedContract, Sender } from '@ton/core';
import type { TonClient } from '@ton/ton';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import type { LocalAccount } from '../../../src/toolkit/accounts/localAccount';
import { until } from '../../support/until';

type OpenedWallet = OpenedContract<WalletContractV4> | OpenedContract<WalletContractV5R1>;

/** The named wallets of a local network, as @ton/ton drives them. */
export class LocalWallets {
  constructor(
    readonly network: Localnet,
    readonly client: TonClient,
  ) {}

  account(name: string): LocalAccount {
    const found = this.network.accounts.find((candidate) => candidate.name === name);
    assert.ok(found);
    return found;
  }

  open(name: string): OpenedWallet {
    const { kind, publicKey: hex } = this.account(name);
    const publicKey = Buffer.from(hex, 'hex');
    return kind === 'v5r1'
      ? this.client.open(WalletContractV5R1.create({ publicKey }))
      : this.client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  }

  secret(name: string): Buffer {
    return Buffer.from(this.account(name).secretKey, 'hex');
  }

  /** Sends one message at a time: resolves when the wallet has processed it. */
  sender(name: string): Sender {
    const wallet = this.open(name);
    const inner = wallet.sender(this.secret(name));
    return {
      address: wallet.address,
      send: async (message) => {
        const before = await wallet.getSeqno();
        await inner.send(message);
        await until(async () => (await wallet.getSeqno()) > before, 'the message is processed');
      },
    };
  }
}
