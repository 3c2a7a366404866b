import type { Builder, Cell } from '@ton/core';
import { Address, beginCell } from '@ton/core';
import { createHash } from 'node:crypto';
import { opcodeOf, opcodes } from '../../contracts/opcodes/opcodes';

/** What a minter is told to do. */
export interface MintOrder {
  /** In the jetton's smallest unit. */
  amount: bigint;
  /** Who gets the jettons; raw. */
  owner: string;
  /** The minter's admin, who gets the coins that are left; raw. */
  admin: string;
  /** Nanocoins that go on to the owner's jetton wallet. */
  walletCoins: bigint;
}

/** A message with which published minters are told to mint. */
export interface MintForm {
  /** For people: its opcode and what it has. */
  name: string;
  body(order: MintOrder): Cell;
}

/** The opcodes of `mint` in both editions of the reference minter, which others share, some with other fields. */
const mintOpcodes = [...opcodes].filter(([, { name }]) => name === 'jetton_mint').map(([code]) => code);

/**
 * The known forms, the most usual first. The sender of an internal transfer is nobody (as TEP-74 has it for new jettons),
 * or, for wallets that require one, the admin.
 */
export const mintForms: readonly MintForm[] = [
  ...mintOpcodes.map((code) => ({
    name: `${opName(code)} with an internal transfer`,
    body: (order: MintOrder) => wrapped(code, order, null),
  })),
  ...mintOpcodes.map((code) => ({
    name: `${opName(code)} with an internal transfer that names a sender`,
    body: (order: MintOrder) => wrapped(code, order, order.admin),
  })),
  ...mintOpcodes.flatMap((code) => [
    {
      name: `${opName(code)} with jettons and coins`,
      body: (order: MintOrder) =>
        head(code, order).storeCoins(order.amount).storeCoins(order.walletCoins).endCell(),
    },
    {
      name: `${opName(code)} with coins and jettons`,
      body: (order: MintOrder) =>
        head(code, order).storeCoins(order.walletCoins).storeCoins(order.amount).endCell(),
    },
  ]),
  tactForm('Mint{amount:int257,receiver:address}', (body, { amount, owner }) =>
    body.storeInt(amount, 257).storeAddress(Address.parseRaw(owner)),
  ),
  tactForm('Mint{amount:coins,receiver:address}', (body, { amount, owner }) =>
    body.storeCoins(amount).storeAddress(Address.parseRaw(owner)),
  ),
  tactForm(
    'JettonMint{origin:address,receiver:address,amount:int257,custom_payload:Maybe ^cell,forward_ton_amount:coins,forward_payload:remainder<slice>}',
    (body, { amount, owner, admin }) =>
      body
        .storeAddress(Address.parseRaw(admin))
        .storeAddress(Address.parseRaw(owner))
        .storeInt(amount, 257)
        .storeMaybeRef(null)
        .storeCoins(0)
        .storeBit(false),
  ),
];

/** The internal transfer for the wallet, which the minter passes on. */
function wrapped(opcode: number, order: MintOrder, sender: string | null): Cell {
  const transfer = beginCell()
    .storeUint(opcodeOf('jetton_internal_transfer'), 32)
    .storeUint(0, 64)
    .storeCoins(order.amount)
    .storeAddress(sender === null ? null : Address.parseRaw(sender))
    .storeAddress(Address.parseRaw(order.admin))
    .storeCoins(0)
    .storeBit(false)
    .endCell();
  return head(opcode, order).storeCoins(order.walletCoins).storeRef(transfer).endCell();
}

function head(opcode: number, { owner }: MintOrder): Builder {
  return beginCell().storeUint(opcode, 32).storeUint(0, 64).storeAddress(Address.parseRaw(owner));
}

/** @param type the message as Tact describes it: its opcode, if it has no own, is the beginning of the hash */
function tactForm(type: string, write: (body: Builder, order: MintOrder) => Builder): MintForm {
  const opcode = createHash('sha256').update(type).digest().readUInt32BE(0);
  const name = type.slice(0, type.indexOf('{'));
  return {
    name: `${opName(opcode)}, Tact's ${name}`,
    body: (order) => write(beginCell().storeUint(opcode, 32), order).endCell(),
  };
}

function opName(opcode: number): string {
  return `op 0x${opcode.toString(16).padStart(8, '0')}`;
}
