import type { Address } from '@ton/core';
import { beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';

/** A signed transfer of alice's, not sent yet. */
export interface SignedTransfer {
  /** The external message as a BoC. */
  boc: Buffer;
  sender: Address;
}

/** Signs a transfer from alice with her present seqno. */
export async function signTransfer(
  v2: string,
  to: Address,
  coins: string,
  comment?: string,
): Promise<SignedTransfer> {
  const account = namedAccounts.find(({ name }) => name === 'alice');
  if (account === undefined) {
    throw new Error('The local network has no alice.');
  }
  const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
  const wallet = WalletContractV5R1.create({
    workchain: 0,
    publicKey: Buffer.from(account.publicKey, 'hex'),
  });
  const body = wallet.createTransfer({
    seqno: await client.open(wallet).getSeqno(),
    secretKey: Buffer.from(account.secretKey, 'hex'),
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [
      internal({
        to,
        value: toNano(coins),
        bounce: false,
        ...(comment === undefined ? {} : { body: comment }),
      }),
    ],
  });
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell();
  return { boc: message.toBoc(), sender: wallet.address };
}
