import { Cell, beginCell, serializeTuple, toNano } from '@ton/core';
import type { IExecutor } from '@ton/sandbox';
import { Blockchain, Executor, createShardAccount } from '@ton/sandbox';
import { runTolkCompiler } from '@ton/tolk-js';
import assert from 'node:assert/strict';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { knownMethodName } from '../../../src/toolkit/getMethods/knownMethodName';
import { coverAll } from '../../../src/toolkit/replay/coverAll';
import { CoverageBook } from '../../../src/toolkit/sourceMap/coverageBook';
import { instructionMap } from '../../../src/toolkit/sourceMap/instructionMap';
import { coverRecord } from '../../../src/toolkit/testRuns/coverRecord';
import { recordingFormat, recordingVersion } from '../../../src/toolkit/testRuns/recordLines';
import { RecordingExecutor, sharedExecutors } from '../../../src/toolkit/testRuns/recordingExecutor';
import { runRecord } from '../../../src/toolkit/testRuns/runRecord';
import type { TestRecord, TestRecording } from '../../../src/toolkit/testRuns/testRecording';
import { readTestRecording } from '../../../src/toolkit/testRuns/testRecording';

/** Whose answers depend on everything that a test can set. */
const source = `fun onInternalMessage(in: InMessage) {
  random.initialize();
  val lucky = random.range(1000000);
  val signed = isSignatureValid(0, beginCell().storeUint(0, 256).storeUint(0, 256).endCell().beginParse(), 5);
  contract.setData(beginCell().storeUint(lucky, 32).storeBool(signed).endCell());
}
fun onRunTickTock(isTock: bool) { contract.setData(beginCell().storeBool(isTock).endCell()); }
get fun funds(): (int, int) { return (contract.getOriginalBalance(), random.uint256()); }
`;

describe('what a test runs', () => {
  let code: Cell;

  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
    assert.equal(compiled.status, 'ok', compiled.status === 'error' ? compiled.message : '');
    code = Cell.fromBase64(compiled.status === 'ok' ? compiled.codeBoc64 : '');
  });

  /** Records what a test does with a chain, with executors as the recorder gives them. */
  const record = async (
    test: (chain: Blockchain) => Promise<unknown>,
    executorFor = sharedExecutors(() => Executor.create()),
  ): Promise<TestRecording> => {
    const blobs = new Map<string, string>();
    const lines: object[] = [];
    const executor = new RecordingExecutor(executorFor, {
      serializeStack: serializeTuple,
      begin: () => ({
        blob: (boc) => {
          const name = blobs.size.toString(16).padStart(32, '0');
          blobs.set(name, boc);
          return name;
        },
        write: (line) => lines.push({ n: lines.length + 1, chain: 1, ...line }),
      }),
    });
    await test(await Blockchain.create({ executor }));
    const header = {
      format: recordingFormat,
      version: recordingVersion,
      file: 'a.ts',
      runner: 'x',
      versions: {},
    };
    const all = [header, ...[...blobs].map(([blob, boc]) => ({ blob, boc })), ...lines];
    return readTestRecording(Buffer.from(all.map((line) => `${JSON.stringify(line)}\n`).join('')));
  };

  const exactness = async (recording: TestRecording): Promise<string[]> => {
    const emulator = await createSandboxEmulator();
    const found = [];
    for (const one of recording.records) {
      const { isExact, exitCode } = await runRecord(recording, one, emulator);
      found.push(`${one.kind} ${isExact} ${exitCode}`);
    }
    return found;
  };

  /** @param chain where an account with the code is put */
  const deploy = async (
    chain: Blockchain,
    workchain = 0,
  ): Promise<Awaited<ReturnType<Blockchain['getContract']>>> => {
    const { address } = await chain.treasury('somebody', { workchain });
    const data = beginCell().storeUint(7, 32).storeBit(0).endCell();
    await chain.setShardAccount(
      address,
      createShardAccount({ address, code, data, balance: toNano(3), workchain }),
    );
    return chain.getContract(address);
  };

  it('runs again exactly: with random numbers, ignored signatures, previous blocks, ticks, and extra currencies', async () => {
    const recording = await record(async (chain) => {
      const contract = await deploy(chain, -1);
      const { address } = contract;
      const id = {
        workchain: -1,
        shard: -(1n << 63n),
        rootHash: Buffer.alloc(32, 1),
        fileHash: Buffer.alloc(32, 2),
      };
      chain.prevBlocks = { lastMcBlocks: [{ ...id, seqno: 9 }], prevKeyBlock: { ...id, seqno: 3 } };
      const message = (): Parameters<typeof contract.receiveMessage>[0] => ({
        info: {
          ...{
            type: 'internal',
            dest: address,
            src: address,
            value: { coins: toNano(1) },
            ihrDisabled: true,
          },
          ...{ bounce: false, bounced: false, ihrFee: 0n, forwardFee: 0n, createdAt: 0, createdLt: 0n },
        },
        body: Cell.EMPTY,
      });
      const before = contract.account;
      await contract.receiveMessage(message());
      contract.account = before;
      await contract.receiveMessage(message(), { ignoreChksig: true });
      await contract.runTickTock('tock');
      contract.ec = { 7: 100n };
      await contract.get('funds', [], { gasLimit: 5_000n });
      await contract.get('funds', [], { randomSeed: Buffer.alloc(32, 5) });
    });
    const found = await exactness(recording);
    assert.deepEqual(found.slice(-5), [
      'message true 0',
      'message true 0',
      'tock true 0',
      'get true 0',
      'get true 0',
    ]);
    const kinds = (one: TestRecord): unknown[] => [
      one.drawn,
      one.kind !== 'get' && one.ignoreSignatures,
      one.blocks?.last[0]?.[2],
    ];
    assert.deepEqual(recording.records.slice(-5).map(kinds), [
      [true, undefined, 9],
      [true, true, 9],
      [true, undefined, 9],
      [undefined, false, 9],
      [undefined, false, 9],
    ]);
  });

  it('is the same with executors that are shared, and goes on after one that crashed', async () => {
    const made: IExecutor[] = [];
    const executorFor = sharedExecutors(async () => {
      const executor = await Executor.create();
      made.push(executor);
      return executor;
    });
    const use = async (chain: Blockchain): Promise<void> => {
      await deploy(chain);
    };
    assert.deepEqual(await exactness(await record(use, executorFor)), ['message true 0']);
    assert.deepEqual(await exactness(await record(use, executorFor)), ['message true 0']);
    assert.equal(made.length, 1);
    await record(async (chain) => {
      chain.verbosity = { ...chain.verbosity, vmLogs: 'vm_logs_full', print: false };
      await use(chain);
    }, executorFor);
    assert.equal(made.length, 2, 'an engine for each verbosity');
    const [first] = made;
    Object.assign(first!, { runTransaction: () => Promise.reject(new Error('unreachable')) });
    await assert.rejects(record(use, executorFor), /unreachable/);
    assert.deepEqual(await exactness(await record(use, executorFor)), ['message true 0']);
    assert.equal(made.length, 3);
  });

  it('covers the instructions that the coverage of the sandbox covers', async () => {
    const theirs = new Map<string, number>();
    const recording = await record(async (chain) => {
      chain.enableCoverage();
      const { address } = await deploy(chain, -1);
      await chain.runTickTock(address, 'tick');
      await chain.runTickTock(address, 'tock');
      await chain.runGetMethod(address, 'funds');
      for (const { line, info } of chain.coverageForCell(code)?.data.lines ?? []) {
        // What selects the method is no line of it.
        if (info.$ === 'Covered' && !/SETCP|DICT/.test(line)) {
          theirs.set(line.trim().replace('c4', '4'), info.hits);
        }
      }
    });
    const emulator = await createSandboxEmulator();
    const book = new CoverageBook();
    const codeHash = code.hash().toString('hex');
    const map = await instructionMap({ code, codeHash, methodName: knownMethodName });
    book.addMap(map);
    const { covered } = await coverAll(
      recording.records,
      async (one) =>
        coverRecord(await runRecord(recording, one, emulator), (deployed) =>
          Promise.resolve(deployed.codeHash === codeHash ? map : undefined),
        ),
      book,
    );
    assert.equal(covered, 3);
    const ours = new Map(
      book
        .files()
        .flatMap(({ lines }) => [...lines])
        .filter(([, hits]) => hits > 0)
        .map(([line, hits]) => {
          const text = map.places.find((place) => place.line === line)?.text ?? '';
          return [text.slice(text.indexOf(' ')).trim(), hits];
        }),
    );
    assert.deepEqual([...ours.keys()].sort(), [...theirs.keys()].sort());
    assert.ok(ours.size > 5);
    // The sandbox counts the return that the VM makes by itself as one more of the instruction before it.
    const sum = (hits: Iterable<number>): number => [...hits].reduce((one, other) => one + other, 0);
    assert.equal(sum(theirs.values()) - sum(ours.values()), covered);
  });
});
