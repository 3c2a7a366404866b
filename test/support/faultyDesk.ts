import type { Cell } from '@ton/core';
import { Address, beginCell, Cell as CoreCell, storeMessage, storeShardAccount } from '@ton/core';
import { createShardAccount } from '@ton/sandbox';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig';
import type { Emulator } from '../../src/toolkit/execution/emulator/emulator';
import type { ReplayInputs } from '../../src/toolkit/replay/replayInputs';

/** A fault, and what it should be instead; both once in the source. */
interface Fault {
  op: number;
  faulty: string;
  mended: string;
  /** Of the struct after its opcode. */
  body: (n: number) => Cell;
  /** The exit code with the fault, and the one that is right. */
  exit: number;
  right?: number;
}

const bits = (...parts: readonly [value: number | bigint, bits: number][]): Cell => {
  const builder = beginCell();
  parts.forEach(([value, width]) => builder.storeUint(value, width));
  return builder.endCell();
};

/** Ten faults of one contract, each in a message of its own. */
export const faults: readonly Fault[] = [
  {
    op: 1,
    faulty: 'assert (m.amount <= 10) throw 101;',
    mended: 'assert (m.amount <= 100) throw 101;',
    body: (n) => bits([60 + n, 32]),
    exit: 101,
  },
  {
    op: 2,
    faulty: 'assert (m.low > m.high) throw 102;',
    mended: 'assert (m.low < m.high) throw 102;',
    body: (n) => bits([n, 32], [n + 5, 32]),
    exit: 102,
  },
  { op: 3, faulty: 'throw 103;', mended: 'keep(m.amount);', body: (n) => bits([n, 32]), exit: 103 },
  {
    op: 4,
    faulty: 'keep(m.wide * m.wide / m.wide);',
    mended: 'keep(m.wide);',
    body: (n) => bits([(1n << 200n) + BigInt(n), 256]),
    exit: 4,
  },
  {
    op: 5,
    faulty: 'storeUint(m.count, 8)',
    mended: 'storeUint(m.count, 16)',
    body: (n) => bits([300 + n, 16]),
    exit: 5,
  },
  {
    op: 6,
    faulty: 'rest.loadUint(64)',
    mended: 'rest.loadUint(32)',
    body: (n) => bits([n, 32]),
    exit: 9,
  },
  {
    op: 7,
    faulty: 'value: ton("0.001") * m.parts * 1000000',
    mended: 'value: ton("0.001") * m.parts',
    body: (n) => bits([n + 1, 32]),
    exit: 37,
  },
  {
    op: 8,
    faulty: 'if (m.open) { throw 108; } else { keep(m.amount); }',
    mended: 'if (!m.open) { throw 108; } else { keep(m.amount); }',
    body: (n) => bits([1, 1], [n, 32]),
    exit: 108,
  },
  {
    op: 9,
    faulty: 'keep(m.total / m.shares);',
    mended: 'keep(m.shares == 0 ? 0 : m.total / m.shares);',
    body: (n) => bits([n, 32], [0, 32]),
    exit: 4,
  },
  {
    op: 10,
    faulty: 'keep(m.secret + 0);',
    mended: 'assert (m.secret == 7) throw 401; keep(m.secret);',
    body: (n) => bits([100 + n, 32]),
    exit: 0,
    right: 401,
  },
];

/** The contract, with all faults or with none. */
export function deskSource(kind: 'faulty' | 'mended'): string {
  const [limit, order, raise, wide, count, rest, pay, gate, share, secret] = faults.map((one) => one[kind]);
  return `struct (0x00000001) Limit { amount: uint32 }
struct (0x00000002) Order { low: uint32  high: uint32 }
struct (0x00000003) Raise { amount: uint32 }
struct (0x00000004) Wide { wide: uint256 }
struct (0x00000005) Count { count: uint16 }
struct (0x00000006) Rest { rest: RemainingBitsAndRefs }
struct (0x00000007) Pay { parts: uint32 }
struct (0x00000008) Gate { open: bool  amount: uint32 }
struct (0x00000009) Share { total: uint32  shares: uint32 }
struct (0x0000000a) Open { secret: uint32 }
type Wish = Limit | Order | Raise | Wide | Count | Rest | Pay | Gate | Share | Open

fun keep(value: int) { contract.setData(beginCell().storeUint(value, 256).endCell()); }

fun onInternalMessage(in: InMessage) {
  match (val m = lazy Wish.fromSlice(in.body)) {
    Limit => { ${limit} keep(m.amount); }
    Order => { ${order} keep(m.high); }
    Raise => { ${raise} }
    Wide => { ${wide} }
    Count => { contract.setData(beginCell().${count}.endCell()); }
    Rest => { var rest = m.rest; keep(${rest}); }
    Pay => {
      val paid = createMessage({ bounce: false, ${pay}, dest: in.senderAddress });
      paid.send(SEND_MODE_REGULAR);
    }
    Gate => { ${gate} }
    Share => { ${share} }
    Open => { ${secret} }
    else => { throw 0xFFFF }
  }
}
get fun value(): int { return contract.getData().beginParse().loadUint(256); }
`;
}

/** What a message to the contract ran, as a transaction that can be replayed: each `n` is another message. */
export async function deskTransaction(
  emulator: Emulator,
  code: Cell,
  { op, body }: Fault,
  n: number,
): Promise<ReplayInputs> {
  const address = new Address(0, Buffer.alloc(32, 0xd0 + op));
  const account = createShardAccount({
    address,
    code,
    data: bits([0, 256]),
    balance: 5_000_000_000n,
  });
  const shardAccount = beginCell().store(storeShardAccount(account)).endCell().toBoc().toString('base64');
  const message = beginCell()
    .store(
      storeMessage({
        info: {
          ...{ type: 'internal', ihrDisabled: true, bounce: true, bounced: false, dest: address },
          src: new Address(0, Buffer.alloc(32, 0xa1)),
          ...{ value: { coins: 1_000_000_000n }, ihrFee: 0n, forwardFee: 0n },
          ...{ createdLt: 1n, createdAt: 1_800_000_000 },
        },
        body: beginCell().storeUint(op, 32).storeSlice(body(n).beginParse()).endCell(),
      }),
    )
    .endCell();
  const seed = Buffer.alloc(32, 1 + n);
  const outcome = await emulator.runTransaction({
    ...{ config: defaultConfig, libraries: null, shardAccount, seed },
    message: message.toBoc().toString('base64'),
    ...{ now: 1_800_000_000 + n, lt: 1_000_000n, ignoreSignatures: false, verbosity: 'short' },
  });
  if (!outcome.success) {
    throw new Error(outcome.error);
  }
  return {
    network: 'a desk',
    account: address.toRawString(),
    target: {
      boc: CoreCell.fromBase64(outcome.transaction).toBoc().toString('base64'),
      seed: seed.toString('hex'),
    },
    state: { shardAccount, fidelity: 'exact' },
    ...{ earlier: [], config: defaultConfig, libraries: [], missingLibraries: [] },
  };
}
