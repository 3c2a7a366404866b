import { JettonMinter } from '@ton-community/assets-sdk/dist/jetton/JettonMinter';
import type { Address } from '@ton/core';
import { beginCell, toNano } from '@ton/core';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { until } from './until';

/** A deployed jetton: its minter, alice who owns it, and alice's jetton wallet as the library computes it. */
export interface DeployedJetton {
  minter: Address;
  owner: Address;
  wallet: Address;
}

/**
 * Deploys the jetton minter of @ton-community/assets-sdk from alice and mints to her, through v2 only. Another address of
 * its content makes it another jetton.
 */
export async function deployJetton(
  v2: string,
  contentUrl = 'https://example.invalid/jetton.json',
): Promise<DeployedJetton> {
  const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
  const account = namedAccounts.find(({ name }) => name === 'alice');
  if (account === undefined) {
    throw new Error('The local network has no alice.');
  }
  const keys = {
    publicKey: Buffer.from(account.publicKey, 'hex'),
    secretKey: Buffer.from(account.secretKey, 'hex'),
  };
  const alice = client.open(WalletContractV5R1.create({ workchain: 0, publicKey: keys.publicKey }));
  const sender = alice.sender(keys.secretKey);
  const minter = client.open(
    JettonMinter.createFromConfig({
      admin: alice.address,
      // Off-chain content as TEP-64 writes it.
      content: beginCell().storeUint(1, 8).storeStringTail(contentUrl).endCell(),
    }),
  );
  await afterNext(alice, () => minter.sendDeploy(sender, toNano('0.1')));
  await afterNext(alice, () => minter.sendMint(sender, alice.address, 1000n, { value: toNano('0.2') }));
  const wallet = await minter.getWalletAddress(alice.address);
  return { minter: minter.address, owner: alice.address, wallet };
}

/** Mints more of it to alice, who owns it. */
export async function mintJetton(v2: string, address: Address, amount: bigint): Promise<void> {
  const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
  const account = namedAccounts.find(({ name }) => name === 'alice');
  const alice = client.open(
    WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.from(account?.publicKey ?? '', 'hex') }),
  );
  const sender = alice.sender(Buffer.from(account?.secretKey ?? '', 'hex'));
  const minter = client.open(JettonMinter.createFromAddress(address));
  await afterNext(alice, () => minter.sendMint(sender, alice.address, amount, { value: toNano('0.2') }));
}

/** Sends and waits until the wallet has counted it. */
async function afterNext(wallet: { getSeqno(): Promise<number> }, send: () => Promise<void>): Promise<void> {
  const before = await wallet.getSeqno();
  await send();
  await until(async () => (await wallet.getSeqno()) !== before, 'the wallet has executed the message');
}
