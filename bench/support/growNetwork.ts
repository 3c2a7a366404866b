import { JettonMinter, JettonWallet } from '@ton-community/assets-sdk';
import type { MessageRelaxed, StateInit } from '@ton/core';
import { Address, beginCell, Cell, internal, toNano } from '@ton/core';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import type { LocalChain } from '../../src/toolkit/localnet/chain/localChain';
import type { LocalAccount } from '../../src/toolkit/accounts/localAccount';
import { signedTransfer } from './signedTransfer';
import { spreadMessage } from './spreadingEmulator';

const senders = namedAccounts.filter(({ kind }) => kind === 'v5r1');
/** Number of messages that a wallet sends with one external message, and number of those in a block. */
const perMessage = 100;
const perBlock = 800;

/** Signs for the v5 wallets and tracks their seqnos. */
export class Senders {
  readonly #seqnos = new Map<LocalAccount, number>();

  /** The next external message (BoC) of a wallet with all these messages. */
  sign(from: LocalAccount, messages: MessageRelaxed[]): Buffer {
    const seqno = this.#seqnos.get(from) ?? 0;
    this.#seqnos.set(from, seqno + 1);
    return signedTransfer(from, seqno, messages);
  }
}

/** Owns the jettons of {@link beginWithJettons}. */
const jettonOwner = senders[0] as LocalAccount;

/** Deploys a jetton, mints it, and sends it once, so that it is rare and old once the chain has grown. */
export async function beginWithJettons(chain: LocalChain, by: Senders): Promise<void> {
  const admin = Address.parseRaw(jettonOwner.address);
  const content = beginCell().storeUint(1, 8).storeStringTail('https://example.org/jetton.json').endCell();
  const minter = JettonMinter.createFromConfig({ admin, content });
  const wallet = JettonWallet.createFromConfig({ owner: admin, jettonMaster: minter.address });
  const send = async (to: Address, body: Cell, init?: StateInit): Promise<void> => {
    await chain.submit(
      by.sign(jettonOwner, [internal({ to, value: toNano('1'), bounce: true, body, init: init ?? null })]),
    );
    await chain.mine();
  };
  await send(minter.address, Cell.EMPTY, minter.init);
  const inner = beginCell().storeUint(0x178d4519, 32).storeUint(7, 64).storeCoins(1_000n);
  inner.storeAddress(minter.address).storeAddress(admin).storeCoins(toNano('0.01')).storeBit(false);
  const mint = beginCell().storeUint(21, 32).storeUint(7, 64).storeAddress(admin).storeCoins(toNano('0.5'));
  await send(minter.address, mint.storeRef(inner).endCell());
  const transfer = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(9, 64).storeCoins(400n);
  transfer.storeAddress(Address.parseRaw((senders[1] as LocalAccount).address)).storeAddress(admin);
  await send(wallet.address, transfer.storeMaybeRef(null).storeCoins(1n).storeBit(false).endCell());
}

/**
 * Sends coins to unused addresses until the chain has this many transactions; the chain runs on a {@link
 * spreadingEmulator}.
 */
export async function growNetwork(chain: LocalChain, transactions: number): Promise<void> {
  const { length: present } = chain.ledger.transactions;
  for (let target = present; chain.ledger.transactions.length < transactions;) {
    const wanted = Math.min(transactions - chain.ledger.transactions.length, perBlock);
    for (let sent = 0; sent < wanted; sent += perMessage) {
      const { address } = senders[(sent / perMessage) % senders.length] as LocalAccount;
      const count = Math.min(perMessage, wanted - sent);
      await chain.submit(spreadMessage(Address.parseRaw(address), target, count));
      target += count;
    }
    await chain.mine();
  }
}
