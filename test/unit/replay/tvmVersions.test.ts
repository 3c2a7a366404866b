import assert from 'node:assert/strict';
import type { Message, StateInit, Transaction } from '@ton/core';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  Dictionary,
  internal,
  loadTransaction,
  storeMessage,
  storeMessageRelaxed,
  storeStateInit,
  toNano,
} from '@ton/core';
import { compileCell } from 'ton-assembly/dist/runtime';
import { parse } from 'ton-assembly/dist/text/parse';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../../src/toolkit/execution/emulator/emulator';
import { everyStep } from '../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { recordTransaction } from '../../../src/toolkit/execution/emulator/recordTransaction';
import type { Recording } from '../../../src/toolkit/recording/recording';
import type { TvmVersions } from '../../../src/toolkit/replay/tvmVersions';
import { otherVersionDoubt, tvmVersions, versionsSentence } from '../../../src/toolkit/replay/tvmVersions';

/** An account before a transaction, and the message that it gets. */
interface Setting {
  code?: Cell;
  data?: Cell;
  libraries?: StateInit['libraries'];
  /** Nanocoins; default 10 TON. */
  balance?: bigint;
  /** Default `0:00…`. */
  address?: Address;
  /** Unix seconds of its last payment for storage; by default, it was just now. */
  lastPaid?: number;
  value?: bigint;
  bounce?: boolean;
  extra?: Record<number, bigint>;
  body?: Cell;
  /** Comes with the message, to an account without a state. */
  init?: StateInit;
}

interface Run {
  replay: Parameters<typeof tvmVersions>[0];
  recording: Recording | undefined;
}

/*
 * Not in these tables, because no transaction alone shows it: since version 13, a block may have the time of the block
 * before; since 15, libraries that an account has already stay there, unused.
 */

const now = 1_790_000_000;
const nobody = new Address(0, Buffer.alloc(32));
const elsewhere = new Address(0, Buffer.alloc(32, 9));
const identity = (1n << 248n).toString();
const assemble = (text: string): Cell => {
  const parsed = parse('rule.tasm', text.split(' | ').join('\n'));
  assert.ok(parsed.$ === 'ParseSuccess', text);
  return compileCell(parsed.instructions);
};
const message = (forwardFee: bigint): Cell => {
  const one = internal({ to: nobody, value: 1n });
  return beginCell()
    .store(storeMessageRelaxed({ ...one, info: { ...one.info, forwardFee } as typeof one.info }))
    .endCell();
};
const emptyCell = 'NEWC | ENDC';

describe('the versions of the TVM that give the result of an execution', () => {
  let emulator: Emulator;
  const config = { ...defaultNetworkConfig(), version: 15 };

  before(async () => {
    emulator = await createSandboxEmulator();
  });

  const stateOf = ({ code, data, libraries, balance, address, lastPaid }: Setting): string => {
    const state = beginCell();
    if (code === undefined) {
      state.storeUint(0, 2);
    } else {
      state.storeBit(true).store(
        storeStateInit({
          code,
          data: data ?? Cell.EMPTY,
          ...(libraries === undefined ? {} : { libraries }),
        }),
      );
    }
    const account = beginCell()
      .storeBit(true)
      .storeAddress(address ?? nobody)
      .storeVarUint(lastPaid !== undefined ? 31 : 0, 3)
      .storeVarUint(lastPaid !== undefined ? 30_000 : 0, 3)
      .storeUint(0, 3)
      .storeUint(lastPaid ?? now, 32)
      .storeBit(false)
      .storeUint(0, 64)
      .storeCoins(balance ?? toNano('10'))
      .storeBit(false)
      .storeBuilder(state);
    const shard = beginCell().storeRef(account.endCell()).storeUint(0n, 256).storeUint(0, 64);
    return shard.endCell().toBoc().toString('base64');
  };
  /** The engine runs it, under its own rules. */
  const run = async (setting: Setting): Promise<Run> => {
    const {
      address = nobody,
      value = toNano('1'),
      bounce = false,
      body = Cell.EMPTY,
      init,
      extra = {},
    } = setting;
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    Object.entries(extra).forEach(([id, amount]) => other.set(Number(id), amount));
    const sent: Message = {
      info: {
        ...{ type: 'internal', ihrDisabled: true, bounce, bounced: false, src: nobody, dest: address },
        value: other.size === 0 ? { coins: value } : { coins: value, other },
        ...{ ihrFee: 0n, forwardFee: 0n, createdAt: now, createdLt: 1n },
      },
      body,
      ...(init === undefined ? {} : { init }),
    };
    const stateBefore = stateOf(setting);
    const outcome = await emulator.runTransaction({
      config: defaultNetworkConfig().base64,
      ...{ libraries: null, shardAccount: stateBefore, now, lt: 10n, seed: Buffer.alloc(32, 1) },
      message: beginCell().store(storeMessage(sent)).endCell().toBoc().toString('base64'),
      verbosity: everyStep,
    });
    assert.ok(outcome.success, JSON.stringify(outcome));
    const replayed = loadTransaction(Cell.fromBase64(outcome.transaction).beginParse());
    const recording = recordTransaction(outcome.transaction, outcome.vmLog);
    return { replay: { verdict: 'diverged', replayed, config, stateBefore, outcome }, recording };
  };
  const versionsOf = async (setting: Setting): Promise<TvmVersions> => {
    const { replay, recording } = await run(setting);
    const found = tvmVersions(replay, recording);
    assert.ok(found);
    return found;
  };
  const upTo = (last: number): number[] => [12, 13, 14, 15].filter((version) => version <= last);

  it('end before the version that changed an instruction, in the case in which it was used', async () => {
    for (const [code, last, what, data] of [
      ['PUSHINT_4 0 | PUSHNAN | AND', 12, 'operands of AND that are not numbers'],
      ['PUSHINT_4 0 | PUSHNAN | QAND', 12, 'operands of AND that are not numbers'],
      ['PUSHNAN | PUSHINT_4 -1 | OR', 12, 'operands of OR that are not numbers'],
      ['PUSHNAN | RSHIFT 3', 12, 'operands of RSHIFT that are not numbers'],
      ['PUSHNAN | PUSHINT_4 3 | RSHIFT_VAR', 12, 'operands of RSHIFT that are not numbers'],
      ['PUSHNAN | PUSHINT_4 3 | RSHIFTR', 12, 'operands of SHR/MOD that are not numbers'],
      ['PUSHNAN | PUSHINT_4 3 | QRSHIFTMOD', 12, 'operands of SHR/MOD that are not numbers'],
      ['PUSHINT_4 1 | PUSHNAN | PUSHINT_4 2 | MULRSHIFT', 12, 'operands of MULSHR/MOD that are not numbers'],
      ['PUSHINT_4 1 | PUSHINT_16 2000 | QLSHIFT_VAR', 12, 'a quiet shift out of range by LSHIFT'],
      ['PUSHINT_4 1 | PUSHINT_16 2000 | QRSHIFT_VAR', 12, 'a quiet shift out of range by RSHIFT'],
      ['PUSHINT_4 1 | PUSHNAN | QLSHIFT_VAR', 12, 'a quiet shift out of range by LSHIFT'],
      ['PUSHINT_16 2000 | QPOW2', 12, 'a quiet shift out of range by POW2'],
      ['PUSHINT_4 1 | DUP | PUSHINT_16 2000 | QLSHIFTDIV', 12, 'a quiet shift out of range by SHLDIV/MOD'],
      ['PUSHINT_4 1 | PUSHINT_16 2000 | QRSHIFTMOD', 13, 'a quiet shift out of range by SHR/MOD'],
      ['PUSHINT_4 1 | PUSHNAN | QMODPOW2', 13, 'a quiet shift out of range by SHR/MOD'],
      ['PUSHINT_4 1 | DUP | PUSHINT_16 2000 | QMULRSHIFT', 13, 'a quiet shift out of range by MULSHR/MOD'],
      [
        'PUSHCTR c4 | PUSHINT_16 1024 | SENDMSG',
        13,
        'the fee that SENDMSG estimates for a message with fees of its own',
        message(7n),
      ],
      ['PUSHINT_4 0 | PUSHINT_4 5 | RIST255_QMUL', 13, 'RIST255_MUL whose result is the identity'],
      ['PUSHINT_4 0 | PUSHINT_8 27 | PUSHINT_4 1 | DUP | ECRECOVER', 13, 'ECRECOVER with v 27 or 28'],
      [`${emptyCell} | CTOS | DUP | PUSHINT_4 0 | CHKSIGNS`, 13, 'signatures of the zero key'],
      [
        `PUSHINT_4 1 | PUSHCTR c4 | CTOS | PUSHINT_LONG ${identity} | CHKSIGNU`,
        13,
        'signatures of the identity key',
        beginCell().storeUint(0, 512).endCell(),
      ],
      [
        `PUSHCONT_SHORT { NOP } | ${emptyCell} | SWAP | SETCONTCTR c4 | ${emptyCell} | SWAP | SETCONTCTR c4`,
        13,
        'setting a register of a continuation that has one already',
      ],
      [
        `${emptyCell} | PUSHCONT_SHORT { NOP } | PUSHINT_4 4 | SETCONTCTRX | ${emptyCell} | SWAP | PUSHINT_4 4 | SETCONTCTRX`,
        13,
        'setting a register of a continuation that has one already',
      ],
      [
        'PUSHCONT_SHORT { NOP } | SETCONTCTRMANY 16 | SETCONTCTRMANY 16',
        13,
        'setting a register of a continuation that has one already',
      ],
      [
        'PUSHCONT_SHORT { NOP } | PUSHINT_8 16 | SETCONTCTRMANYX | PUSHINT_8 16 | SETCONTCTRMANYX',
        13,
        'setting a register of a continuation that has one already',
      ],
      [
        `${emptyCell} | SETRETCTR c4 | ${emptyCell} | SETRETCTR c4`,
        13,
        'setting a register of a continuation that has one already',
      ],
      [
        `${emptyCell} | SETALTCTR c4 | ${emptyCell} | SETALTCTR c4`,
        13,
        'setting a register of a continuation that has one already',
      ],
      ['SAVECTR c4 | SAVECTR c4', 13, 'setting a register of a continuation that has one already'],
      ['SAVEALTCTR c4 | SAVEALTCTR c4', 13, 'setting a register of a continuation that has one already'],
      [`${emptyCell} | PUSHINT_4 0 | SETLIBCODE`, 14, 'who may change a library'],
      ['PUSHINT_4 5 | PUSHINT_4 0 | CHANGELIB', 14, 'who may change a library'],
    ] as const) {
      const { same, changes } = await versionsOf({
        code: assemble(code),
        ...(data === undefined ? {} : { data }),
      });
      const [change] = changes;
      assert.deepEqual([same, change?.what.replace(/ \(step \d+\)$/, '')], [upTo(last), what], code);
      assert.equal(change?.version, last + 1);
    }
  });

  it('are all known ones if the execution used such an instruction in no case that changed', async () => {
    for (const [code, data] of [
      ['PUSHINT_4 1 | PUSHINT_4 2 | ADD'],
      ['PUSHINT_4 1 | PUSHINT_4 2 | AND'],
      // Already an error, or NaN.
      ['PUSHNAN | PUSHINT_4 1 | XOR'],
      ['PUSHNAN | PUSHINT_4 1 | AND'],
      ['PUSHNAN | QLSHIFT 3'],
      ['PUSHNAN | PUSHINT_4 1 | PUSHINT_4 2 | LSHIFTDIV'],
      ['PUSHNAN | PUSHINT_4 3 | QMODPOW2'],
      ['PUSHNAN | PUSHINT_4 1 | PUSHINT_4 2 | ADD'],
      ['PUSHINT_4 1 | PUSHINT_16 2000 | LSHIFT_VAR'],
      ['PUSHINT_4 1 | PUSHINT_16 2000 | RSHIFTMOD'],
      ['PUSHCTR c4 | PUSHINT_16 1024 | SENDMSG', message(0n)],
      ['PUSHINT_4 0 | PUSHINT_4 0 | RIST255_MUL'],
      ['PUSHINT_4 0 | PUSHINT_4 1 | DUP | DUP | ECRECOVER'],
      [
        `PUSHINT_4 1 | PUSHCTR c4 | CTOS | PUSHINT_16 12345 | CHKSIGNU`,
        beginCell().storeUint(0, 512).endCell(),
      ],
      [`PUSHCONT_SHORT { NOP } | ${emptyCell} | SWAP | SETCONTCTR c4`],
      ['PUSHINT_4 1 | SETRETCTR c7'],
      ['SAVEBOTHCTR c4 | SAVEBOTHCTR c4'],
      [`${emptyCell} | SETCODE`],
    ] as readonly (readonly [code: string, data?: Cell])[]) {
      const { same, changes } = await versionsOf({
        code: assemble(code),
        ...(data === undefined ? {} : { data }),
      });
      assert.deepEqual([same, changes], [upTo(15), []], code);
    }
  });

  it('end before the version that changed a rule of the transaction, and only if it acted', async () => {
    const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (library: { public: boolean; root: Cell }, builder) =>
        builder.storeBit(library.public).storeRef(library.root),
      parse: (slice) => ({ public: slice.loadBit(), root: slice.loadRef() }),
    });
    libraries.set(BigInt(`0x${Cell.EMPTY.hash().toString('hex')}`), { public: false, root: Cell.EMPTY });
    // Large enough to owe more than 0.1 TON after years.
    let large = Cell.EMPTY;
    for (let size = 0; size < 30; size += 1) {
      large = beginCell().storeBuffer(Buffer.alloc(120, size)).storeRef(large).endCell();
    }
    const plain: StateInit = { code: assemble('NOP'), data: large };
    const [own, withLibraries] = [plain, { ...plain, libraries }].map((init) => ({
      ...init,
      address: contractAddress(0, init),
    }));
    // A source that is not the account's own.
    const { info: ownInfo, ...rest } = internal({ to: nobody, value: 1n });
    const foreign = beginCell()
      .store(storeMessageRelaxed({ ...rest, info: { ...ownInfo, src: elsewhere } }))
      .endCell();
    const send = (mode: number): Cell => assemble(`PUSHCTR c4 | PUSHINT_8 ${mode} | SENDRAWMSG`);
    const tooMuch = beginCell()
      .store(storeMessageRelaxed(internal({ to: nobody, value: toNano('99') })))
      .endCell();
    const twice = assemble(
      'PUSHCTR c4 | CTOS | LDREF | LDREF | DROP | SWAP | PUSHINT_4 0 | SENDRAWMSG | PUSHINT_4 0 | SENDRAWMSG',
    );
    const enough = beginCell()
      .store(storeMessageRelaxed(internal({ to: nobody, value: toNano('0.5') })))
      .endCell();
    const both = beginCell().storeRef(enough).storeRef(tooMuch).endCell();
    // What it pays for is what its state says of its size: 31 cells with 30,000 bits.
    const longAgo = { lastPaid: now - 300_000_000 };
    for (const [name, setting, last] of [
      ['a source that is ignored', { code: send(2), data: foreign }, 12],
      ['a source that is not', { code: send(0), data: foreign }, 15],
      ['an invalid mode that is ignored', { code: send(6), data: message(0n) }, 12],
      ['a message that is ignored', { code: send(2), data: tooMuch }, 15],
      ['freezing in the state of the address', { ...own, ...longAgo, balance: 0n, value: 0n }, 12],
      [
        'freezing in another state',
        { ...own, ...longAgo, code: assemble('NOP | NOP'), balance: 0n, value: 0n },
        15,
      ],
      [
        'deletion for storage fees',
        { ...longAgo, lastPaid: now - 1_700_000_000, balance: 1n, value: 0n, code: undefined },
        12,
      ],
      ['bounced extra currencies', { code: assemble('THROW_SHORT 33'), bounce: true, extra: { 7: 5n } }, 12],
      ['a bounce', { code: assemble('THROW_SHORT 33'), bounce: true }, 15],
      ['a bounce after failed actions', { code: send(16), data: tooMuch, bounce: true }, 13],
      ['failed actions without a bounce', { code: send(0), data: tooMuch }, 15],
      ['a fine for messages that succeeded', { code: twice, data: both }, 14],
      ['deploying', { address: own?.address, init: plain }, 15],
      ['deploying with libraries', { address: withLibraries?.address, init: { ...plain, libraries } }, 14],
      ['private libraries', { code: assemble('NOP'), libraries }, 14],
    ] as readonly (readonly [string, Setting, number])[]) {
      const { same, changes } = await versionsOf(setting);
      assert.deepEqual(same, upTo(last), `${name}: ${JSON.stringify(changes)}`);
    }
    // 20,481 cells take more gas than a test should: the figures of the engine are replaced.
    const { replay, recording } = await run({ code: send(0), data: message(0n) });
    const { description } = replay.replayed;
    assert.ok(description.type === 'generic' && description.actionPhase != null);
    for (const [bits, cells, last] of [
      [5_242_880n, 20_480n, 15],
      [5_242_881n, 1n, 14],
      [1n, 20_481n, 14],
    ] as const) {
      const actionPhase = { ...description.actionPhase, totalMessageSize: { bits, cells } };
      const replayed: Transaction = { ...replay.replayed, description: { ...description, actionPhase } };
      assert.deepEqual(tvmVersions({ ...replay, replayed }, recording)?.same, upTo(last));
    }
  });

  it('include the network’s own if the replay is exact and ran there, not here', async () => {
    const { replay, recording } = await run({ code: assemble('PUSHINT_4 5 | PUSHINT_4 0 | CHANGELIB') });
    const exact = { ...replay, verdict: 'exact' } as const;
    assert.deepEqual(tvmVersions(exact, recording)?.same, [12, 13, 14, 15]);
    assert.deepEqual(tvmVersions(exact, recording, { isEdited: true })?.same, [12, 13, 14]);
    assert.deepEqual(tvmVersions(exact, recording, { isOurs: true })?.same, [12, 13, 14]);
    assert.equal(tvmVersions(exact, undefined), undefined);
    const older = { ...replay, config: { ...config, version: 9 } };
    const found = tvmVersions(older, recording);
    assert.equal(found && versionsSentence(found), 'TVM version 9 gives this result.');
  });

  it('are told in a sentence, also of a version that is not known here, and of steps that are lost', async () => {
    const { replay, recording } = await run({ code: assemble('PUSHINT_4 5 | PUSHINT_4 0 | CHANGELIB') });
    const found = tvmVersions(replay, recording);
    const why = 'who may change a library (step 3), in 15';
    assert.equal(
      found && versionsSentence(found),
      'TVM versions 12, 13, and 14 give this result. The network runs version 15, and may give another result. ' +
        `Later versions changed: ${why}.`,
    );
    assert.equal(otherVersionDoubt(14, found?.changes ?? []), undefined);
    assert.equal(
      otherVersionDoubt(15, found?.changes ?? []),
      'The configuration is of version 15 of TVM and rules, the emulator runs 12: a network that runs 15 may give ' +
        `another result. Changed since: ${why}`,
    );
    assert.match(otherVersionDoubt(16, []) ?? '', /what changed after 15 is not known here$/);
    const ahead = tvmVersions({ ...replay, config: { ...config, version: 16 } }, recording);
    assert.match(
      ahead ? versionsSentence(ahead) : '',
      /The network runs version 16, whose changes are not known here\./,
    );
    assert.ok(recording);
    assert.deepEqual(tvmVersions(replay, { ...recording, stepsMissing: 4 })?.same, [12]);
  });
});
