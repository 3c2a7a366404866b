import { Address, Cell, Dictionary, beginCell, contractAddress, loadStateInit } from '@ton/core';
import { Blockchain } from '@ton/sandbox';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readContractFacts } from '../../src/toolkit/accountReport/contractFacts';
import { readBuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { decodeByLayout } from '../../src/toolkit/contracts/layouts/decodeByLayout';
import { exampleOfLayout } from '../../src/toolkit/contracts/layouts/exampleOfLayout';
import { initialLayout, layoutOfData, skipsInit } from '../../src/toolkit/contracts/layouts/initialLayout';
import type { LayoutSet, StorageLayout } from '../../src/toolkit/contracts/layouts/layoutSet';
import { fieldsText, findStorage } from '../../src/toolkit/contracts/layouts/layoutSet';
import { readStorageText } from '../../src/toolkit/contracts/layouts/readStorageText';
import { readTactLayouts } from '../../src/toolkit/contracts/layouts/readTactLayouts';
import { readTactSourceLayouts } from '../../src/toolkit/contracts/layouts/readTactSourceLayouts';
import { parseOneCell } from '../../src/toolkit/stack/parseOneCell';
import type { CommandLineRun } from '../support/commandLine';
import { lastError, runCommandLine } from '../support/commandLine';
import { linkCompilers } from '../support/linkCompilers';
import type { LocalnetCommand } from '../support/localnetCommand';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { TactBuild } from './support/tactBindings';
import { buildTact } from './support/tactBindings';

const bob = Address.parse('0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8');
const accounts = new Map([['bob', bob.toRawString()]]);
const cell = (value: number): Cell => beginCell().storeUint(value, 8).endCell();
const point = { $$type: 'Point', x: 1n, y: -2n };

/** A contract, what the user writes to deploy it, and what the compiler's wrapper is given. */
const contracts: [name: string, text: string, given: unknown[]][] = [
  ['Bare', '{}', []],
  ['Fields', '{}', []],
  ['Shapes', '{owner: bob}', [bob]],
  [
    'Wide',
    '{owner: bob, a: 1, b: -2, c: 3, d: 4, p: {x: 1, y: -2}, op: null, s: "hi", extra: null, m: {5: bob}, on: true, i: 7}',
    [
      bob,
      1n,
      -2n,
      3n,
      4n,
      point,
      null,
      'hi',
      null,
      Dictionary.empty<bigint, Address>().set(5n, bob),
      true,
      7n,
    ],
  ],
  ['Cells', '{a: x{01}, b: x{02}, c: x{03}, d: x{04}}', [cell(1), cell(2), cell(3), cell(4)]],
  ['Optional', '{who: null, p: {x: 1, y: -2}}', [null, point]],
  ['Params', '{owner: bob, limit: 1.5ton}', [bob, 1_500_000_000n]],
  ['ManyParams', '{a: x{01}, b: x{02}, c: x{03}, d: x{04}}', [cell(1), cell(2), cell(3), cell(4)]],
  ['Parent', '{}', []],
  ['ParentInit', '{owner: bob, id: 9}', [bob, 9n]],
  ['ParentParams', '{owner: bob}', [bob]],
];

const structs = 'struct Point { x: Int as int64; y: Int as int64; }\n';
const shapes = `contract Shapes {
  id: Int as uint32 = 0; owner: Address; extra: Cell?; pts: map<Address, Point>;
  init(owner: Address) { self.owner = owner; self.extra = null; self.pts = emptyMap(); }
  receive() {} get fun owner(): Address { return self.owner; }
}
`;
const source = `
${structs}contract Bare { receive() {} }
contract Fields { count: Int as uint32 = 7; at: Point = Point{ x: 1, y: 2 }; receive() {} get fun count(): Int { return self.count; } }
${shapes}contract Wide {
  count: Int as uint32;
  init(owner: Address, a: Int, b: Int, c: Int, d: Int, p: Point, op: Point?, s: String, extra: Cell?, m: map<Int, Address>, on: Bool, i: Int?) { self.count = 1; }
  receive() {}
}
contract Cells { count: Int as uint32; init(a: Cell, b: Cell, c: Cell, d: Cell) { self.count = 1; } receive() {} }
contract Optional { who: Address?; p: Point?; init(who: Address?, p: Point?) { self.who = who; self.p = p; } receive() {} }
contract Params(owner: Address, limit: Int as coins) { receive() {} }
contract ManyParams(a: Cell, b: Cell, c: Cell, d: Cell) { receive() {} }
contract Parent { count: Int = 0; receive() {} get fun child(): Address { return contractAddress(initOf Params(myAddress(), 1)); } }
contract ParentInit {
  owner: Address; id: Int as uint64;
  init(owner: Address, id: Int as uint64) { self.owner = owner; self.id = id; }
  receive() {} get fun child(): Address { return contractAddress(initOf Params(self.owner, 1)); }
}
contract ParentParams(owner: Address) { receive() {} get fun child(): Address { return contractAddress(initOf Params(self.owner, 1)); } }
`;

interface Init {
  code: Cell;
  data: Cell;
}

/** The state init that the compiler's wrapper makes. */
async function fromInit({ wrapper }: TactBuild, given: readonly unknown[]): Promise<Init> {
  const made = Object.values(wrapper).find(
    (one): one is { fromInit: (...all: unknown[]) => Promise<{ init: Init }> } =>
      typeof (one as { fromInit?: unknown } | undefined)?.fromInit === 'function',
  );
  return (await (made ?? assert.fail()).fromInit(...given)).init;
}

describe('deployments of Tact contracts, against fromInit of the compiler’s wrapper', () => {
  let builds: Map<string, TactBuild>;
  before(async () => {
    builds = await buildTact(source);
  });

  const build = (name: string): TactBuild => builds.get(name) ?? assert.fail(name);
  const storageIn = (set: LayoutSet, name: string): StorageLayout =>
    findStorage([set], { name }) ?? assert.fail(name);
  const setsOf = (name: string): LayoutSet[] => [
    readTactSourceLayouts('source.tact', name, source),
    readTactLayouts('build.pkg', build(name).package),
  ];

  for (const [name, text, given] of contracts) {
    it(`${name}: ${text} makes the same data, and is read from it`, async () => {
      const { code, data } = await fromInit(build(name), given);
      assert.equal(readBuiltContract(build(name).package, 'a.pkg').codeHash, code.hash().toString('hex'));
      for (const set of setsOf(name)) {
        const storage = storageIn(set, name);
        const initial = initialLayout(storage, text);
        const made = readStorageText(text, initial, { accounts });
        assert.equal(made.toString(), data.toString(), set.origin);
        const body = decodeByLayout(data, layoutOfData(storage, data).layout, set);
        assert.deepEqual([body.broken, body.left], [false, { bits: 0, refs: 0 }], set.origin);
        // The example that is offered can be deployed, too.
        const example = exampleOfLayout(initial.layout, set, 'bob');
        assert.ok(readStorageText(example, initial, { accounts }));
      }
    });
  }

  it('are named by the arguments of init, from a package without its project, too', async () => {
    const set = readTactSourceLayouts('source.tact', 'Shapes', source);
    const { layout } = initialLayout(storageIn(set, 'Shapes'));
    assert.equal(fieldsText(layout.cells.flat(), set), 'owner: address');
    const { initial } = readBuiltContract(build('ParentInit').package, 'a.pkg');
    const { data } = await fromInit(build('ParentInit'), [Address.parse(accounts.get('bob')!), 0n]);
    const alone = parseOneCell(initial?.text.replace('@alice', '@bob') ?? '', { accounts });
    assert.equal(alone.toString(), data.toString());
  });

  it('run init with the first message; data before and after that is read', async () => {
    const init = await fromInit(build('Shapes'), [bob]);
    const to = contractAddress(0, init);
    const blockchain = await Blockchain.create();
    const sender = await blockchain.treasury('sender');
    await sender.send({ to, value: 1_000_000_000n, bounce: false, init, body: Cell.EMPTY });
    const { accountState: state } = await blockchain.getContract(to);
    assert.ok(state?.type === 'active');
    const after = state.state.data ?? assert.fail();
    const set = readTactSourceLayouts('source.tact', 'Shapes', source);
    const storage = storageIn(set, 'Shapes');
    for (const [data, name] of [
      [init.data, 'Shapes$Init'],
      [after, 'Shapes$Data'],
    ] as const) {
      const facts = await readContractFacts(
        undefined as never,
        { raw: to.toRawString(), data: data.toBoc().toString('base64') },
        { name: 'Shapes', methods: [] } as never,
        [set],
        {},
      );
      assert.equal(facts.storage?.name, name);
      assert.equal(facts.storage.broken, false);
    }
    assert.equal(skipsInit(storage, '{initialized: true, owner: bob}'), true);
    assert.equal(initialLayout(storage, '{initialized: true, owner: bob}').layout.name, 'Shapes$Data');
  });

  describe('by the command line and call sheets', () => {
    let localnet: LocalnetCommand;
    let folder: string;
    const run = (...args: string[]): Promise<CommandLineRun> =>
      // Commands that follow find what an earlier one compiled.
      runCommandLine(
        [...args, '--network', localnet.origin],
        { TON_CACHE_FOLDER: path.join(folder, 'cache') },
        folder,
      );
    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tonwb-tact-'));
      await linkCompilers(folder);
      await writeFile(path.join(folder, 'package.json'), '{}\n');
      await writeFile(path.join(folder, 'shapes.tact'), structs + shapes);
      localnet = await startLocalnetCommand();
    });
    after(async () => {
      await rm(folder, { recursive: true });
      await localnet.stop();
    });

    it('deploy asks for the arguments of init, and init runs', async () => {
      const bare = await run('deploy', 'shapes.tact');
      assert.match(
        lastError(bare).message,
        /^Shapes needs initial data: owner: address\. Add --data "\{owner: alice\}"$/,
      );
      const done = await run(
        'deploy',
        'shapes.tact',
        '--contract',
        'Shapes',
        '--data',
        '{owner: bob}',
        '--json',
      );
      assert.equal(done.status, 0, done.stderr);
      const [plan] = done.stdout
        .split('\n')
        .map((line) => JSON.parse(line || '{}') as { address?: string; stateInit?: string });
      const deployed = loadStateInit(Cell.fromBase64(plan?.stateInit ?? '').beginParse());
      const local = await run('run', 'Shapes', 'owner', '--json');
      assert.equal(local.status, 0, local.stderr);
      const { typed } = JSON.parse(local.stdout) as { typed: { value: string } };
      const init = await fromInit(build('Shapes'), [Address.parse(typed.value)]);
      // Options change the code, never the data.
      assert.equal(deployed.data?.toString(), init.data.toString());
      assert.equal(plan?.address, contractAddress(0, deployed).toRawString());
      const skipped = await run(
        'deploy',
        'shapes.tact',
        '--contract',
        'Shapes',
        '--data',
        '{initialized: true, id: 1, owner: bob, extra: null, pts: {}}',
        '--dry-run',
      );
      assert.match(skipped.stderr, /init\(\) of Shapes does not run/);
    });

    it('a call sheet deploys with the arguments of init', async () => {
      await writeFile(
        path.join(folder, 'deploy.toncall'),
        '@network local\n### init runs\n@restore\ndeploy Owned.tact {owner: bob} as Own\nOwn owner()\nexpect 0 == @bob\n',
      );
      await writeFile(
        path.join(folder, 'Owned.tact'),
        'contract Owned { owner: Address; init(owner: Address) { self.owner = owner; } receive() {} get(0x1F000) fun owner(): Address { return self.owner; } }\n',
      );
      const done = await run('run', 'deploy.toncall');
      assert.equal(done.status, 0, done.stdout + done.stderr);
    });
  });
});
