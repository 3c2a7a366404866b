import assert from 'node:assert/strict';
import { Address, beginCell, Cell, internal, storeMessage, storeShardAccount } from '@ton/core';
import type { TupleItem } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import type { Emulator } from '../../../src/toolkit/execution/emulator/emulator';
import { exportStackPointer } from '../../../src/toolkit/execution/emulator/wasmEngine';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { limits } from '../../../src/toolkit/base/limits';
import { methodIdOf } from '../../../src/toolkit/contracts/abi/methodIdOf';

const source = `
fun cons(head: int, tail: tuple?): tuple asm "CONS";
fun tail(list: tuple): tuple? asm "CDR";
fun depth(c: cell): int asm "CDEPTH";
fun length(list: tuple?): int {
  var (n, rest) = (0, list);
  while (rest != null) { n += 1; rest = tail(rest!); }
  return n;
}
get fun listOf(n: int): tuple? { var list: tuple? = null; repeat(n) { list = cons(n, list); } return list; }
get fun lengthOf(list: tuple?): int { return length(list); }
get fun cellOf(n: int): cell {
  var c = beginCell().endCell();
  repeat(n) { c = beginCell().storeRef(c).endCell(); }
  return c;
}
get fun depthOf(c: cell): int { return depth(c); }
get fun print(n: int): int {
  debug.dumpStack();
  repeat(n) { debug.print(n); }
  debug.printString("two\\nlines");
  return n;
}
fun onInternalMessage(in: InMessage) {
  debug.print(42);
  debug.printString("hello");
  repeat(100) { beginCell().storeInt(7, 8).endCell(); }
}
`;
const address = new Address(0, Buffer.alloc(32, 7));
const config = defaultNetworkConfig();

/** A chain of cells, `depth` references long. */
function chainOfCells(depth: number): Cell {
  let cell = beginCell().storeUint(1, 32).endCell();
  for (let level = 0; level < depth; level += 1) {
    cell = beginCell().storeUint(level, 32).storeRef(cell).endCell();
  }
  return cell;
}

describe("the sandbox's emulator", () => {
  let emulator: Emulator;
  let code: Cell;
  before(async () => {
    emulator = await createSandboxEmulator();
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
    code = Cell.fromBase64(compiled.codeBoc64);
  });

  const get = (method: string, ...stack: TupleItem[]): ReturnType<Emulator['runGetMethod']> =>
    emulator.runGetMethod({
      config: config.getMethodBase64,
      libraries: null,
      code: code.toBoc().toString('base64'),
      data: Cell.EMPTY.toBoc().toString('base64'),
      methodId: methodIdOf(method),
      stack,
      address,
      now: 1_800_000_000,
      balance: 1n,
    });
  const number = (value: number): TupleItem => ({ type: 'int', value: BigInt(value) });

  const transaction = (body: Cell): ReturnType<Emulator['runTransaction']> => {
    const { info, ...rest } = internal({ to: address, value: 1_000_000_000n, body });
    assert.ok(info.type === 'internal');
    const message = { ...rest, info: { ...info, src: new Address(0, Buffer.alloc(32, 9)) } };
    const storageStats = {
      used: { cells: 1n, bits: 1n },
      storageExtra: null,
      lastPaid: 1_800_000_000,
      duePayment: null,
    };
    const state = { type: 'active' as const, state: { code, data: Cell.EMPTY } };
    const account = {
      addr: address,
      storageStats,
      storage: { lastTransLt: 0n, balance: { coins: 10n ** 12n }, state },
    };
    const shardAccount = { account, lastTransactionHash: 0n, lastTransactionLt: 0n };
    const boc = (build: ReturnType<typeof beginCell>): string => build.endCell().toBoc().toString('base64');
    return emulator.runTransaction({
      config: config.base64,
      libraries: null,
      shardAccount: boc(beginCell().store(storeShardAccount(shardAccount))),
      message: boc(beginCell().store(storeMessage(message, { forceRef: true }))),
      now: 1_800_000_000,
      lt: 5_000_000n,
      seed: Buffer.alloc(32, 1),
    });
  };

  it('accepts cell trees as deep as cells can be', async () => {
    for (const depth of [300, 310, 400, 511, 513, 800, 1_020]) {
      const outcome = await transaction(chainOfCells(depth));
      assert.ok(outcome.success, `a depth of ${depth}: ${outcome.success ? '' : outcome.error}`);
    }
  });

  it('returns and accepts lists and cells as long as a stack can be written', async () => {
    for (const length of [320, 400, 1_000, 1_022]) {
      const { exitCode, stack } = await get('listOf', number(length));
      assert.equal(exitCode, 0);
      const [list] = stack;
      assert.equal(list?.type, 'tuple', `a list of ${length}`);
      const back = await get('lengthOf', list);
      assert.deepEqual(back.stack, [number(length)]);
    }
    for (const depth of [400, 512, 1_000, 1_022]) {
      const { stack } = await get('cellOf', number(depth));
      const [cell] = stack;
      assert.ok(cell?.type === 'cell' && cell.cell.depth() === depth, `a depth of ${depth}`);
      assert.deepEqual((await get('depthOf', cell)).stack, [number(depth)]);
    }
  });

  it('explains what exceeds that, and keeps working', async () => {
    const plain =
      (code: string) =>
      (error: unknown): boolean => {
        const { message } = error as Error;
        assert.match(message, /^The (emulator could not|get-method ran)/);
        assert.doesNotMatch(message, /memory|signature|function|\d{5}|undefined|Unknown/i);
        assert.equal((error as { code?: string }).code, code);
        return true;
      };
    await assert.rejects(get('listOf', number(1_030)), plain('get-method-result-too-deep'));
    await assert.rejects(get('listOf', number(10_000)), plain('get-method-result-too-deep'));
    await assert.rejects(get('cellOf', number(1_024)), plain('emulator-failed'));
    assert.deepEqual((await get('depthOf', { type: 'cell', cell: chainOfCells(5) })).stack, [number(5)]);
    assert.ok((await transaction(chainOfCells(600))).success);
  });

  it('collects only what a contract prints', async () => {
    const outcome = await transaction(Cell.EMPTY);
    assert.ok(outcome.success);
    assert.deepEqual(outcome.debugOutput, ['s0 = 42', 'hello']);
    assert.ok(outcome.vmLog.length <= 256);
    const method = await get('print', number(2));
    assert.deepEqual(method.debugOutput, ['stack(1 values) : 2', 's0 = 2', 's0 = 2', 'two\nlines']);
    assert.doesNotMatch(method.vmLog, /DEBUG|two|lines/);
    assert.deepEqual((await get('depthOf', { type: 'cell', cell: Cell.EMPTY })).debugOutput, []);
  });

  it('keeps a bounded part of endless debug output and says so', async () => {
    const { debugOutput } = await get('print', number(8_000));
    assert.ok(debugOutput.join('\n').length < limits.debugOutput.most + 200);
    assert.match(debugOutput.at(-1) ?? '', /^\([\d,]+ more characters were left out\)$/);
  });
});

describe('the stack of a WebAssembly module', () => {
  it('is reported as missing if the module has none', () => {
    const empty = Buffer.from('0061736d01000000', 'hex');
    assert.throws(() => exportStackPointer(empty, 'stack'), /no stack pointer/);
  });
});
