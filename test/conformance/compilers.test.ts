import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beginCell, Cell, contractAddress } from '@ton/core';
import { Blockchain, createShardAccount, GetMethodError } from '@ton/sandbox';
import { describeContract } from '../../src/toolkit/contracts/abi/contractDescription';
import { builtContract } from '../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../src/toolkit/contracts/abi/readProject';
import { listFolder } from '../../src/toolkit/build/compileRequest';
import { compileSource } from '../../src/toolkit/build/compileSource';
import type { BuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { exitMeaning } from '../../src/toolkit/getMethods/withExits';
import { BlueprintProject } from './support/blueprintProject';

/** Blueprint's templates of a counter, by the file that it creates. */
const counters = [
  ['FuncCounter', 'func-counter', 'contracts/func_counter.fc'],
  ['TolkCounter', 'tolk-counter', 'contracts/tolk_counter.tolk'],
  ['TactCounter', 'tact-counter', 'contracts/tact_counter.tact'],
] as const;

describe("sources compiled by the project's own compilers", () => {
  let project: BlueprintProject;
  const read = (file: string): string => readFileSync(file, 'utf8');
  const fileOf = (name: string): string => path.join(project.folder, name).replaceAll('\\', '/');
  const compile = (file: string): Promise<BuiltContract[]> =>
    compileSource(fileOf(file), { read, list: listFolder, isTrusted: true });

  before(async () => {
    project = await BlueprintProject.create();
    for (const [name, type] of counters) {
      await project.run(['create', name, '--type', type]);
    }
    await project.run(['build', '--all']);
  });
  after(() => project?.remove());

  for (const [name, , file] of counters) {
    it(`result in the same code as Blueprint's build: ${name}`, async () => {
      const build = JSON.parse(read(fileOf(`build/${name}.compiled.json`))) as { hash: string };
      const [built, ...others] = await compile(file);
      assert.equal(built?.codeHash, build.hash);
      assert.equal(others.length, 0);
      assert.ok(fileOf(file) in (built.texts ?? {}));
    });
  }

  it('use the Tact options in tact.config.json', async () => {
    const config = fileOf('tact.config.json');
    const text = await readFile(config, 'utf8');
    const changed = JSON.parse(text) as { projects: { options?: object }[] };
    changed.projects.forEach((one) => (one.options = { ...one.options, interfacesGetter: true }));
    const [before] = await compile('contracts/tact_counter.tact');
    await writeFile(config, JSON.stringify(changed));
    await project.run(['build', 'TactCounter']);
    const [after] = await compile('contracts/tact_counter.tact');
    await writeFile(config, text);
    const build = JSON.parse(read(fileOf('build/TactCounter.compiled.json'))) as { hash: string };
    assert.equal(after?.codeHash, build.hash);
    assert.notEqual(after.codeHash, before?.codeHash);
  });

  it("are Tact as the compiler's own program builds it: without options, and as a part of what imports it", async () => {
    const folder = fileOf('tact');
    await mkdir(path.join(folder, 'parts'), { recursive: true });
    const files = {
      'parts/till.tact': `contract Till(owner: Address, kept: Int as coins) {
  receive() { self.kept += fee(context().value); dump(self.kept); }
  get fun kept(): Int { return self.kept; }
}
fun fee(value: Int): Int { return value / 100; }
`,
      'shop.tact': `import "./parts/till";
contract Shop(owner: Address) {
  receive() {}
  get fun till(owner: Address): Address { return contractAddress(initOf Till(owner, 0)); }
}
`,
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(path.join(folder, name), text);
    }
    const hashes = new Set<string>();
    // In debug mode, the code has the names of the files in it.
    for (const options of [undefined, { debug: true }]) {
      const projects = [{ name: 'Shop', path: './shop.tact', output: './out', mode: 'full', options }];
      await writeFile(path.join(folder, 'tact.config.json'), JSON.stringify({ projects }));
      const program = fileOf('node_modules/@tact-lang/compiler/bin/tact.js');
      await promisify(execFile)(process.execPath, [program, '--config', 'tact.config.json'], { cwd: folder });
      for (const [file, name] of [
        ['shop.tact', 'Shop'],
        ['parts/till.tact', 'Till'],
      ] as const) {
        const built = await compile(`tact/${file}`);
        const own = Cell.fromBoc(await readFile(path.join(folder, `out/Shop_${name}.code.boc`)))[0]?.hash();
        const found = built.find((one) => one.name === name);
        assert.equal(found?.codeHash, own?.toString('hex'), `${name} with ${JSON.stringify(options)}`);
        assert.match(found?.compiledBy ?? '', /, as Shop in tact\.config\.json$/);
        hashes.add(found?.codeHash ?? '');
      }
      assert.deepEqual(
        (await compile('tact/parts/till.tact')).map(({ name }) => name),
        ['Till'],
      );
    }
    assert.equal(hashes.size, 4, 'each way gives other code');
    // What is wrong with the source that imports it is no reason to refuse it.
    await writeFile(path.join(folder, 'shop.tact'), `${files['shop.tact']} contract Broken { nothing }`);
    assert.equal((await compile('tact/parts/till.tact'))[0]?.name, 'Till');
  });

  it('use the options that are written out in NAME.compile.ts', async () => {
    const file = fileOf('wrappers/Opted.compile.ts');
    await writeFile(fileOf('contracts/opted.tact'), 'contract Opted { receive() { dump(1); } }\n');
    await writeFile(
      file,
      `import { CompilerConfig } from '@ton/blueprint';
const options = { debug: true, external: true };
export const compile: CompilerConfig = { lang: 'tact', target: 'contracts/opted.tact', options };
`,
    );
    await project.run(['build', 'Opted']);
    const build = JSON.parse(read(fileOf('build/Opted.compiled.json'))) as { hash: string };
    const [built] = await compile('contracts/opted.tact');
    assert.equal(built?.codeHash, build.hash);
    assert.deepEqual(built.notes, []);
  });

  it('list the contracts in a Tact source, with their initial data, and show where it is wrong', async () => {
    const source = fileOf('contracts/two.tact');
    await writeFile(
      fileOf('contracts/part.tact'),
      'struct Pair { left: Int as uint8; right: Int as uint8; }\n',
    );
    const text = `import "./part";
contract First(owner: Address) {
  receive() { }
}
contract Second {
  pair: Pair = Pair{ left: 1, right: 2 };
  receive() { }
}
`;
    await writeFile(source, text);
    const built = await compile('contracts/two.tact');
    assert.deepEqual(built.map(({ name }) => name).sort(), ['First', 'Second']);
    assert.equal(built.find(({ name }) => name === 'First')?.initial?.parameters, 'owner: address');
    assert.deepEqual(
      Object.keys(built[0]?.texts ?? {})
        .map((file) => path.posix.basename(file))
        .sort(),
      ['part.tact', 'two.tact'],
    );
    await writeFile(source, text.replace('right: 2', 'right: nothing'));
    await assert.rejects(compile('contracts/two.tact'), (error) => {
      assert.ok(WorkbenchError.is(error, 'compile-failed'));
      const [problem] = error.details['problems'] as { path: string; line: number; message: string }[];
      assert.deepEqual([problem?.path, problem?.line], [source, 6]);
      assert.match(problem?.message ?? '', /nothing/);
      return true;
    });
  });

  it('throw the exit codes that the source names: the texts of require in Tact, and a wrong opcode in Tolk', async () => {
    const tact = String.raw`message(0x11) Add { by: Int as uint32 }
const LATE: String = "Too late — \u{41}";
contract Shop {
  const Closed: Int = 777;
  receive(msg: Add) { require(msg.by < 10, "Never seen"); }
  get fun empty(x: Int): Int { require(x > 5, "Nothing \"left\""); return x; }
  get fun late(x: Int): Int { require(x > 5, LATE); return x; }
  get fun closed(x: Int): Int { throwUnless(self.Closed, x > 5); return x; }
}
`;
    await writeFile(fileOf('contracts/shop.tact'), tact);
    const tolk = `struct (0x11) Add { by: uint32 }
struct (0x12) Take { by: uint32 }
type Order = Add | Take
fun onInternalMessage(in: InMessage) { }
get fun order(x: int): int { val o = Order.fromSlice(beginCell().storeUint(x, 8).storeUint(1, 32).endCell().beginParse()); return (o is Add) ? 1 : 2; }
`;
    await writeFile(fileOf('contracts/order.tolk'), tolk);
    const shop = await tried('contracts/shop.tact', tact, ['empty', 'late', 'closed', 'clozed']);
    assert.deepEqual(shop, ['Nothing "left"', 'Too late — A', 'Closed', 'no such method']);
    const order = await tried('contracts/order.tolk', tolk, ['order', 'ordr']);
    assert.deepEqual(order, ['unknown opcode or prefix', 'no such method']);
  });

  /** The words for the exit codes of a source's get-methods, run with the argument 1 on its compiled code. */
  async function tried(file: string, text: string, methods: readonly string[]): Promise<string[]> {
    const [built] = await compile(file);
    assert.ok(built !== undefined);
    const { name, code, codeHash } = built;
    const project = [...(await readProject([{ path: file, text }])), builtContract(name, file, codeHash)];
    const description = describeContract({ code: Cell.fromBase64(code), codeHash }, project);
    const blockchain = await Blockchain.create();
    // Tact's contracts begin with a bit that says that they are initialized.
    const init = { code: Cell.fromBase64(code), data: beginCell().storeUint(0, 1).endCell() };
    const address = contractAddress(0, init);
    await blockchain.setShardAccount(address, createShardAccount({ address, ...init, balance: 10n ** 9n }));
    const words: string[] = [];
    for (const method of methods) {
      const thrown = await blockchain.runGetMethod(address, method, [{ type: 'int', value: 1n }]).then(
        () => undefined,
        (error: unknown) => error,
      );
      assert.ok(thrown instanceof GetMethodError, method);
      words.push(exitMeaning(thrown.exitCode, description, method));
    }
    return words;
  }
});
