import { JettonMinter, JettonWallet } from '@ton-community/assets-sdk';
import type { Cell } from '@ton/core';
import { Address, beginCell, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import type { LocalChain } from '../../../../src/toolkit/localnet/chain/localChain';
import type { TransactionRecord } from '../../../../src/toolkit/localnet/records/records';
import { createServer } from '../../../../src/toolkit/localnet/server/createServer';
import type { Clock } from '../../../../src/toolkit/base/time';
import { ManualClock, addressOf, mineWith, testChain, transfer } from './testChain';

/** A chain with a bit of history, and its server. */
export interface Scenario {
  chain: LocalChain;
  server: FastifyInstance;
  minter: JettonMinter;
  /** Jetton wallets of alice and bob, raw. */
  aliceJettons: string;
  bobJettons: string;
  /** Roots of the traces, in order. */
  comment: TransactionRecord;
  deploy: TransactionRecord;
  mint: TransactionRecord;
  jettonTransfer: TransactionRecord;
  bounce: TransactionRecord;
  /** `Body` is what the caller expects of the JSON, and judges. */
  get<Body = Answer>(path: string): Promise<{ status: number; body: Body }>;
  post<Body = Answer>(path: string, body: unknown): Promise<{ status: number; body: Body }>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are judged field by field in the tests
export type Answer = any;

const upper = (address: Address): string => `0:${address.hash.toString('hex')}`;

/** @param clock of the chain; by default it stands still */
export async function scenario(clock: Clock = new ManualClock()): Promise<Scenario> {
  const chain = await testChain({ clock });
  const [alice, bob] = [addressOf('alice'), addressOf('bob')];
  const admin = Address.parseRaw(alice);
  const content = beginCell().storeUint(1, 8).storeStringTail('https://example.org/jetton.json').endCell();
  const minter = JettonMinter.createFromConfig({ admin, content });
  const jettonsOf = (owner: string): string =>
    upper(
      JettonWallet.createFromConfig({ owner: Address.parseRaw(owner), jettonMaster: minter.address }).address,
    );
  const root = async (message: Buffer): Promise<TransactionRecord> =>
    (await mineWith(chain, message)).transactions[0] as TransactionRecord;
  const minterAddress = minter.address.toRawString();
  const comment = await root(transfer('alice', { seqno: 0, to: bob, value: toNano('2'), body: 'hello' }));
  const deploy = await root(
    transfer('alice', {
      seqno: 1,
      to: minterAddress,
      value: toNano('1'),
      init: minter.init,
      bounce: true,
    }),
  );
  const mint = await root(
    transfer('alice', {
      seqno: 2,
      to: minterAddress,
      value: toNano('1'),
      bounce: true,
      body: mintBody(minter.address, admin, 1_000n),
    }),
  );
  const jettonTransfer = await root(
    transfer('alice', {
      seqno: 3,
      to: jettonsOf(alice),
      value: toNano('1'),
      bounce: true,
      body: transferBody(Address.parseRaw(bob), admin, 400n),
    }),
  );
  const bounce = await root(
    transfer('alice', {
      seqno: 4,
      to: minterAddress,
      value: toNano('1'),
      bounce: true,
      body: beginCell().storeUint(0x12345678, 32).endCell(),
    }),
  );
  const server = await createServer(chain);
  const call = async <Body>(
    method: 'GET' | 'POST',
    url: string,
    payload?: unknown,
  ): Promise<{ status: number; body: Body }> => {
    const response = await server.inject({
      method,
      url,
      ...(payload === undefined
        ? {}
        : { payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.statusCode, body: JSON.parse(response.body) as Body };
  };
  return {
    chain,
    server,
    minter,
    aliceJettons: jettonsOf(alice),
    bobJettons: jettonsOf(bob),
    comment,
    deploy,
    mint,
    jettonTransfer,
    bounce,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  };
}

/** Opcode 21 of the reference minter: an internal transfer wrapped for the wallet. */
export function mintBody(minter: Address, to: Address, amount: bigint): Cell {
  const inner = beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(7, 64)
    .storeCoins(amount)
    .storeAddress(minter)
    .storeAddress(to)
    .storeCoins(toNano('0.01'))
    .storeBit(false)
    .endCell();
  return beginCell()
    .storeUint(21, 32)
    .storeUint(7, 64)
    .storeAddress(to)
    .storeCoins(toNano('0.5'))
    .storeRef(inner)
    .endCell();
}

/** TEP-74 transfer with a text comment. */
export function transferBody(
  to: Address,
  response: Address,
  amount: bigint,
  custom: Cell | null = null,
): Cell {
  return beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(9, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(custom)
    .storeCoins(1n)
    .storeBit(true)
    .storeRef(beginCell().storeUint(0, 32).storeStringTail('for you').endCell())
    .endCell();
}

/** Sends coins from alice; no block is made. Returns the normalized hash of the message. */
export async function sendFromAlice(
  { chain, get }: Pick<Scenario, 'chain' | 'get'>,
  to: string,
  value = toNano('1'),
): Promise<string> {
  const { body } = await get<{ result: { seqno: number } }>(
    `/api/v2/getWalletInformation?address=${addressOf('alice')}`,
  );
  return (await chain.submit(transfer('alice', { seqno: body.result.seqno, to, value }))).normalized;
}
