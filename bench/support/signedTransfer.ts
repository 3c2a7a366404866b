import type { MessageRelaxed } from '@ton/core';
import { Address, beginCell, external, SendMode, storeMessage } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { LocalAccount } from '../../src/toolkit/accounts/localAccount';

/** The external message (BoC) with which a wallet of the local network sends these messages. */
export function signedTransfer(from: LocalAccount, seqno: number, messages: MessageRelaxed[]): Buffer {
  const publicKey = Buffer.from(from.publicKey, 'hex');
  const common = {
    seqno,
    secretKey: Buffer.from(from.secretKey, 'hex'),
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages,
    timeout: 2_000_000_000,
  };
  const body =
    from.kind === 'v5r1'
      ? WalletContractV5R1.create({ publicKey }).createTransfer(common)
      : WalletContractV4.create({ workchain: 0, publicKey }).createTransfer(common);
  const signed = external({ to: Address.parseRaw(from.address), body });
  return beginCell().store(storeMessage(signed)).endCell().toBoc();
}
