import assert from 'node:assert/strict';
import { Address, beginCell, Cell, Dictionary } from '@ton/core';
import type { Builder, Slice, Transaction } from '@ton/core';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { recordExecution } from '../../../src/toolkit/recording/recordExecution';
import type { Recording } from '../../../src/toolkit/recording/recording';
import { tvmVersions, versionsSentence } from '../../../src/toolkit/replay/tvmVersions';
import type { TvmVersions } from '../../../src/toolkit/replay/tvmVersions';

/** `SimpleLib` of block.tlb, as a cell's content. */
const libraryValue = {
  serialize: (cell: Cell, builder: Builder) => builder.storeSlice(cell.beginParse()),
  parse: (slice: Slice) => slice.asCell(),
};

type Description = Extract<Transaction['description'], { type: 'generic' }>;
const vm = { type: 'vm', success: true, exitCode: 0, vmSteps: 1 } as Description['computePhase'];

function replayed(description: Partial<Description> = {}, more: Partial<Transaction> = {}): Transaction {
  return {
    description: { type: 'generic', computePhase: vm, ...description },
    oldStatus: 'active',
    endStatus: 'active',
    ...more,
  } as Transaction;
}

function record(instruction: string, stack: string, vmSteps = 1): Recording {
  const log = `stack: [ ${stack} ] \nexecute ${instruction}\ngas remaining: 900\n`;
  return recordExecution(log, { gasAtStart: 1000, gasUsed: 100, vmSteps });
}

describe('the versions that give the result of a replay', () => {
  const versions = (recording?: Recording, transaction = replayed(), network = 15): TvmVersions => {
    const config = { ...defaultNetworkConfig(), version: network };
    const found = tvmVersions({ verdict: 'diverged', replayed: transaction, config }, recording);
    assert.ok(found);
    return found;
  };
  const identity = String(1n << 248n);
  const continuation = (saved: boolean): string => {
    const entry = beginCell()
      .storeUint(0b10, 2)
      .storeUint(4, 3)
      .storeUint(4, 4)
      .storeUint(3, 8)
      .storeRef(Cell.EMPTY);
    const cell = beginCell()
      .storeUint(0, 4)
      .storeMaybeRef(saved ? entry.endCell() : null)
      .storeBit(false)
      .storeRef(Cell.EMPTY)
      .storeUint(0, 26)
      .endCell();
    return `Cont{${cell.toBoc().toString('hex').toUpperCase()}}`;
  };

  it('are all known ones if the execution used nothing that changed', () => {
    for (const recording of [
      record('ADD', '1 2'),
      record('LSHIFT', '1 2'),
      record('AND', 'NaN 1 2'),
      record('ECRECOVER', '5 0 6 7'),
      record('CHKSIGNU', '1 CS{00} 12345'),
      record('SETCONTCTRMANY 186', continuation(false)),
      record('SETCONTCTR c7', continuation(true)),
      record('SAVE c4', '1'),
      record('QLSHIFT', '1 2'),
    ]) {
      const found = versions(recording);
      assert.deepEqual([found.same, found.changes], [[12, 13, 14, 15], []], recording.log);
    }
    assert.equal(
      versionsSentence(versions(record('ADD', '1 2'))),
      'TVM versions 12, 13, 14, and 15 give this result.',
    );
  });

  it('end before the version that changed an instruction that was used', () => {
    for (const [instruction, stack, same] of [
      ['LSHIFT', 'NaN 2', [12]],
      ['QRSHIFT 3', 'NaN', [12]],
      ['POW2', 'NaN', [12]],
      ['SENDMSG', 'C{00} 1', [12, 13]],
      ['MULRSHIFT', '1 NaN 2', [12]],
      ['QMODPOW2', 'NaN 2', [12]],
      ['CHKSIGNS', '1 CS{00} 0', [12, 13]],
      ['SETLIBCODE', 'C{00} 2', [12, 13, 14]],
      ['CHANGELIB', '5 2', [12, 13, 14]],
      ['RIST255_MUL', '1 2', [12, 13]],
      ['ECRECOVER', '5 27 6 7', [12, 13]],
      ['CHKSIGNU', `1 CS{00} ${identity}`, [12, 13]],
      ['SETCONTCTRMANY 186', continuation(true), [12, 13]],
      ['SETCONTCTR c4', continuation(true), [12, 13]],
    ] as const) {
      assert.deepEqual(versions(record(instruction, stack)).same, same, instruction);
    }
    assert.equal(
      versionsSentence(versions(record('SENDMSG', 'C{00} 1'))),
      'TVM versions 12 and 13 give this result. The network runs version 15, and may give another result. ' +
        'Later versions changed: the fee that SENDMSG estimates (step 1), in 14.',
    );
  });

  it('end before the version that changed a case of the transaction', () => {
    const add = record('ADD', '1 2');
    const totalMessageSize = { cells: 0n, bits: 0n };
    const failed = {
      ...{ success: false, resultCode: 37, skippedActions: 0, messagesCreated: 0, totalMessageSize },
    } as Description['actionPhase'];
    const sized = (size: Partial<typeof totalMessageSize>): Transaction =>
      replayed({
        actionPhase: { ...failed!, success: true, totalMessageSize: { ...totalMessageSize, ...size } },
      });
    const deployed = {
      ...{
        oldStatus: 'uninitialized',
        inMessage: { info: { type: 'external-in' }, init: { libraries: { size: 1 } } },
      },
    } as unknown as Partial<Transaction>;
    const bounce = { type: 'ok' } as Description['bouncePhase'];
    const withExtra = {
      inMessage: { info: { type: 'internal', value: { coins: 1n, other: { size: 1 } } } },
    } as unknown as Partial<Transaction>;
    for (const [transaction, same] of [
      [replayed({ actionPhase: failed }), [12, 13, 14, 15]],
      [replayed({ actionPhase: failed, bouncePhase: bounce }), [12, 13]],
      [replayed({ actionPhase: { ...failed!, messagesCreated: 1 } }), [12, 13, 14]],
      [sized({ bits: 5_242_880n, cells: 20_480n }), [12, 13, 14, 15]],
      [sized({ bits: 5_242_881n }), [12, 13, 14]],
      [sized({ cells: 20_481n }), [12, 13, 14]],
      [replayed({}, deployed), [12, 13, 14]],
      [replayed({ bouncePhase: bounce }, withExtra), [12]],
      [replayed({}, { endStatus: 'frozen' }), [12]],
      [replayed({ actionPhase: { ...failed!, success: true, skippedActions: 1 } }), [12]],
      [replayed({ storagePhase: { storageFeesCollected: 1n, statusChange: 'deleted' } }), [12]],
    ] as const) {
      assert.deepEqual(versions(add, transaction).same, same);
    }
    const skipped = replayed({ computePhase: { type: 'skipped', reason: 'no-gas' } });
    assert.deepEqual(versions(undefined, skipped).same, [12, 13, 14, 15]);
  });

  it('end before the version in which an instruction no longer throws', () => {
    const throwing = (instruction: string, stack: string, code: number): Recording => {
      const log =
        `stack: [ ${stack} ] \nexecute ${instruction}\n` +
        `handling exception code ${code}: told\ndefault exception handler, terminating vm with exit code ${code}\n`;
      return recordExecution(log, { gasAtStart: 1000, gasUsed: 100, vmSteps: 2 });
    };
    for (const [recording, same] of [
      [throwing('QLSHIFT', '1 2000', 5), [12]],
      [throwing('QMULRSHIFT', '1 2 2000', 5), [12, 13]],
      [throwing('QMODPOW2', '1 2000', 5), [12, 13]],
      [throwing('SAVE c4', '1', 7), [12, 13]],
      [throwing('SAVEALT c5', '1', 7), [12, 13]],
      // As they always did.
      [throwing('LSHIFT', '1 2000', 5), [12, 13, 14, 15]],
      [throwing('SAVE c4', '1', 2), [12, 13, 14, 15]],
    ] as const) {
      assert.deepEqual(versions(recording).same, same, recording.log);
    }
  });

  it('end before the version that no longer uses libraries of the account itself', () => {
    const account = (libraries: boolean): string => {
      const library = beginCell().storeBit(false).storeRef(Cell.EMPTY).endCell();
      const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), libraryValue);
      dictionary.set(1n, library);
      const whole = beginCell()
        .storeBit(true)
        .storeAddress(new Address(0, Buffer.alloc(32)))
        .storeUint(0, 3 + 3 + 3 + 32 + 1)
        .storeUint(0, 64)
        .storeCoins(1n)
        .storeBit(false)
        .storeBit(true)
        .storeUint(0, 4);
      const state = libraries ? whole.storeDict(dictionary) : whole.storeBit(false);
      const shard = beginCell()
        .storeRef(state.endCell())
        .storeUint(0n, 256 + 64);
      return shard.endCell().toBoc().toString('base64');
    };
    const config = { ...defaultNetworkConfig(), version: 15 };
    for (const [libraries, same] of [
      [false, [12, 13, 14, 15]],
      [true, [12, 13, 14]],
    ] as const) {
      const replay = {
        verdict: 'diverged',
        replayed: replayed(),
        config,
        stateBefore: account(libraries),
      } as const;
      assert.deepEqual(tvmVersions(replay, record('ADD', '1 2'))?.same, same);
    }
  });

  it('say so if the network runs an unknown version, or the log has lost steps', () => {
    const ahead = versions(record('ADD', '1 2'), replayed(), 16);
    assert.deepEqual(ahead.same, [12, 13, 14, 15]);
    assert.match(versionsSentence(ahead), /The network runs version 16, whose changes are not known here\.$/);
    assert.deepEqual(versions(record('ADD', '1 2', 5)).same, [12]);
    // What the engine does under the rules of an older version says nothing about newer ones.
    assert.equal(
      versionsSentence(versions(record('ADD', '1 2'), replayed(), 9)),
      'TVM version 9 gives this result.',
    );
  });

  it('include the network’s if the replay is exact, and are unknown without steps', () => {
    const config = { ...defaultNetworkConfig(), version: 15 };
    const replay = { verdict: 'exact', replayed: replayed(), config } as const;
    assert.deepEqual(tvmVersions(replay, record('SENDMSG', 'C{00} 1'))?.same, [12, 13, 15]);
    assert.deepEqual(tvmVersions(replay, record('SENDMSG', 'C{00} 1'), true)?.same, [12, 13]);
    assert.equal(tvmVersions(replay, undefined), undefined);
  });
});
