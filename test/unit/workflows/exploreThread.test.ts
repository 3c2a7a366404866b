import assert from 'node:assert/strict';
import { Cell } from '@ton/core';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { builtContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { projectStorage } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { openReplayFile } from '../../../src/toolkit/replay/replayFile';
import { exploreInThread } from '../../../src/toolkit/workflows/exploreThread';
import type { ExploreHelper } from '../../../src/toolkit/workflows/exploreThread';
import { racingContracts, racingScenario, repaired, wallSource } from '../../support/racingContracts';

const bounds = { folder: undefined, orders: 1_000, seconds: 30 };

/** What a window would answer about a project with these sources. */
async function helperFor(files: Readonly<Record<string, string>>): Promise<ExploreHelper> {
  const sources = await readProject(Object.entries(files).map(([path, text]) => ({ path, text })));
  let contracts = sources;
  return {
    describe: ({ code, ...known }) =>
      Promise.resolve(
        describeContract(code === undefined ? known : { ...known, code: Cell.fromBase64(code) }, contracts),
      ),
    project: () => Promise.resolve({ contracts, chosen: new Map() }),
    build: async (file) => {
      const built = await compileTolk(file, (name) => files[name] ?? assert.fail(name));
      contracts = [...contracts, builtContract(built.name, file, built.codeHash)];
      const contract = { name: built.name, file };
      return { built, contract, storage: await projectStorage(contracts, contract) };
    },
    codes: () => Promise.resolve(new Map()),
    openReplay: (file) => Promise.resolve(openReplayFile(file)),
  };
}

describe('exploring the orders of a sheet in a thread', () => {
  const [race] = racingContracts;
  assert.ok(race);
  const text = racingScenario(race, 0);
  const explore = async (
    pot: string,
    { signal = new AbortController().signal, onOrders = (): void => undefined, given = text } = {},
  ): ReturnType<typeof exploreInThread> =>
    exploreInThread(
      { ...bounds, text: given },
      await helperFor({ 'wall.tolk': wallSource, 'pot0.tolk': pot }),
      {
        onOrders,
        signal,
      },
    );

  it('brings back the order that breaks, its trace, and what each of its transactions depended on', async () => {
    const [found, ...others] = await explore(race.racing);
    assert.deepEqual(others, []);
    assert.ok(found?.fault?.kind === 'expect' && found.trace !== undefined);
    assert.deepEqual(found.fault.failures, ['Pot total() is 10, expected 17.']);
    assert.deepEqual(
      found.order.map(({ number }) => number),
      [1, 2, 3, 4],
    );
    const { model, inputs, last, names } = found.trace;
    assert.deepEqual(
      model.nodes.map(({ hash }) => hash).toSorted(),
      [...inputs.keys()].toSorted(),
      'every transaction can be debugged',
    );
    const node = model.byHash.get(last);
    assert.equal(names.get(node?.account ?? ''), 'Pot');
    assert.ok(node !== undefined && model.nodes.includes(node), 'one object in both places');
    assert.deepEqual(
      found.rows.map(({ from, name }) => `${from} ${name}`),
      ['alice Pay', 'bob Deposit', 'Pot Paid', 'Wall bounced Paid'],
    );
  });

  it('finds nothing once the contract is repaired, and says how much it saw', async () => {
    const [seen] = await explore(repaired(race));
    assert.equal(seen?.fault, undefined);
    assert.equal(seen?.exploration?.share, 1);
    assert.ok((seen?.exploration?.covered ?? 0n) > 1n);
  });

  it('passes on what is wrong with the sheet, with its place', async () => {
    const given = text.replace('Deposit {amount: 7}', 'Deposit {amount: many}');
    await assert.rejects(explore(race.racing, { given }), (error) => {
      assert.ok(WorkbenchError.is(error, 'call-sheet-invalid'), String(error));
      assert.equal(typeof error.details.offset, 'number');
      return true;
    });
  });

  it('says what to do instead where no thread can run', async () => {
    const [signal, workerUrl] = [new AbortController().signal, new URL('file:///nowhere/exploreWorker.js')];
    await assert.rejects(
      exploreInThread({ ...bounds, text }, await helperFor({}), {
        onOrders: () => undefined,
        signal,
        workerUrl,
      }),
      { code: 'explore-stopped', hint: /ton-workbench explore SHEET/ },
    );
  });

  it('ends at once when it is canceled', async () => {
    const controller = new AbortController();
    const helper = await helperFor({ 'wall.tolk': wallSource, 'pot0.tolk': race.racing });
    const running = exploreInThread(
      { ...bounds, text },
      {
        ...helper,
        // As slow as a compiler can be: it never answers.
        build: () => {
          controller.abort();
          return new Promise(() => undefined);
        },
      },
      { onOrders: () => undefined, signal: controller.signal },
    );
    await assert.rejects(running, { code: 'aborted' });
  });
});
