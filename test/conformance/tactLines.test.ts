import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Address, beginCell, Cell, Dictionary, external, internal } from '@ton/core';
import type { Message } from '@ton/core';
import { Blockchain, createShardAccount, EmulationError } from '@ton/sandbox';
import { root } from '../../scripts/lib/root.mjs';
import type { BuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { SourceCompiler } from '../../src/toolkit/build/sourceCompiler';
import { instructionAt } from '../../src/toolkit/recording/recording';
import { recordExecution } from '../../src/toolkit/recording/recordExecution';
import { mapSteps, placeAt } from '../../src/toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../src/toolkit/sourceMap/mapSteps';
import { readCodeTree } from '../../src/toolkit/sourceMap/readCodeTree';
import type { CodeBody, CodeInstruction } from '../../src/toolkit/sourceMap/readCodeTree';
import type { SourceMap } from '../../src/toolkit/sourceMap/sourceMap';
import { thrownAt } from '../../src/toolkit/sourceMap/thrownAt';
import { systemClock } from '../../src/toolkit/base/time';
import type { Clock } from '../../src/toolkit/base/time';
import { runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { BlueprintProject } from './support/blueprintProject';
import { counterTemplate } from './support/tactBindings';

/** A busy machine may take longer than users would wait. */
const patient: Clock = { ...systemClock, after: () => () => undefined };
const read = (file: string): string => readFileSync(file, 'utf8');
const sources = ['everyForm', 'fieldTypes', 'guard', 'jetton', 'nft'];

describe('source lines of Tact', () => {
  let project: BlueprintProject;
  /** The compiler's own thread. It keeps what it has compiled where the commands look, so nothing is compiled twice. */
  let compiler: SourceCompiler;
  const cacheOf = ({ folder }: BlueprintProject): string => path.join(folder, 'cache');
  const fileOf = (name: string): string =>
    path.join(project.folder, `contracts/${name}.tact`).replaceAll('\\', '/');
  const mapsOf = (name: string): Promise<SourceMap[]> => compiler.map(fileOf(name), { isTrusted: true });
  const builtOf = (name: string): Promise<BuiltContract[]> =>
    compiler.compile(fileOf(name), { isTrusted: true });
  let maps: SourceMap[];
  let built: BuiltContract[];
  let codes: Map<string, Cell>;
  let everyForm: readonly string[];
  let blockchain: Blockchain;

  before(async () => {
    project = await BlueprintProject.create();
    compiler = new SourceCompiler({ cache: path.join(cacheOf(project), 'compiled'), clock: patient });
    blockchain = await Blockchain.create();
    blockchain.verbosity = { ...blockchain.verbosity, vmLogs: 'vm_logs_verbose' };
    await mkdir(path.join(project.folder, 'contracts'));
    for (const name of sources) {
      await copyFile(path.join(root, `test/conformance/contracts/${name}.tact`), fileOf(name));
    }
    await writeFile(fileOf('template'), await counterTemplate());
    const one = { name: 'every', path: './contracts/everyForm.tact', options: { external: true } };
    await writeFile(path.join(project.folder, 'tact.config.json'), JSON.stringify({ projects: [one] }));
    maps = await mapsOf('everyForm');
    built = await builtOf('everyForm');
    codes = new Map(built.map(({ name, code }) => [name, Cell.fromBase64(code)]));
    everyForm = read(fileOf('everyForm')).split('\n');
  });
  after(async () => {
    await compiler?.close();
    await project?.remove();
  });

  it('are known for every method of the contracts here, and those that the compiler deploys', async () => {
    for (const name of [...sources, 'template']) {
      const [found, compiled] = [await mapsOf(name), await builtOf(name)];
      assert.deepEqual(
        found.map((map) => [map.name, map.codeHash]).sort(),
        compiled.map((one) => [one.name, one.codeHash]).sort(),
      );
      const methods = found.flatMap((map) => map.methods);
      assert.deepEqual(
        methods.filter(({ refused }) => refused !== undefined),
        [],
        name,
      );
      assert.ok(methods.length > 0 && methods.every(({ marks }) => marks.length > 0));
    }
  });

  it('are those with the numbers of their instructions', async () => {
    let judged = 0;
    for (const map of maps) {
      const instructions = await instructionsOf(codes.get(map.name)!);
      for (const { cell, offset, place } of map.methods.flatMap(({ marks }) => marks)) {
        const instruction = instructions.get(`${cell} ${offset}`);
        for (const number of (instruction?.operands ?? []).map(Number)) {
          // Each of these is written once.
          const written = everyForm.findIndex((text) => new RegExp(`\\b${number}\\b`).test(text)) + 1;
          if (number < 1000 || number > 2999 || written === 0) {
            continue;
          }
          const { line, text } = map.places[place]!;
          const constant = /const (\w+): Int = \d+/.exec(everyForm[written - 1]!)?.[1];
          const isRight = constant === undefined ? line === written : text.includes(constant);
          // The compiler adds this one to the code that selects a receiver.
          assert.ok(isRight || number === 2701, `${number} of line ${written} is at ${line}: ${text}`);
          judged += 1;
        }
      }
    }
    assert.ok(judged > 75, String(judged));
  });

  it('are known for every step that ran, except those that select a method', async () => {
    const map = maps.find(({ name }) => name === 'EveryForm')!;
    const choose = (kind: number): Cell =>
      beginCell().storeUint(0x12, 32).storeUint(kind, 8).storeAddress(owner).storeStringRefTail('').endCell();
    const add = (by: number): Cell => beginCell().storeUint(0x11, 32).storeUint(by, 32).endCell();
    const text = (words: string): Cell => beginCell().storeUint(0, 32).storeStringTail(words).endCell();
    const halt = (by: number): Cell => beginCell().storeUint(0x14, 32).storeUint(by, 32).endCell();
    const cases: [message: Message, thrown?: string, point?: bigint][] = [
      [received(Cell.EMPTY)],
      [received(add(5))],
      [received(add(5), Address.parse(`0:${'1'.repeat(64)}`)), 'throwUnless(1201'],
      [received(add(1250)), 'if (limit > 1202)'],
      [received(choose(3))],
      [received(choose(3)), 'throwIf(1419, point.y == 1420);', 1420n],
      [received(beginCell().storeUint(0x13, 32).endCell()), 'receive(_: Nothing) { throw(1501) }'],
      [received(halt(1512)), 'throwIf(1511'],
      [received(halt(1))],
      [received(text('halve'))],
      [received(text('something'))],
      [received(beginCell().storeUint(0xffff, 32).endCell())],
      [received(beginCell().storeUint(0x11, 32).storeUint(1, 8).endCell()), 'receive(msg: Add) {'],
      [received(beginCell().storeUint(0xffffffff, 32).storeSlice(add(5).asSlice()).endCell(), owner, true)],
      [received(beginCell().storeUint(0xffffffff, 32).storeUint(9, 32).endCell(), owner, true)],
      [external({ to: self, body: halt(3000) })],
      [external({ to: self, body: halt(3) }), 'throwUnless(2001'],
      [external({ to: self, body: text('go') })],
    ];
    for (const [message, thrown, point] of cases) {
      const steps = await ran(map, message, point ?? 1n);
      const selecting: string[] = [];
      for (let step = 0; step < steps.recording.steps; step += 1) {
        if (placeAt(steps, step) === undefined) {
          selecting.push(instructionAt(steps.recording, step).split(' ')[0]!);
        }
      }
      assert.match(
        selecting.join(' '),
        /^SETCP PUSHCONT POP DUP (?:PUSHCONT )?IFNOTJMP(?:REF)? (?:DUP INC (?:PUSHCONT )?IFNOTJMP(?:REF)? )?DROP$/,
      );
      assert.equal(thrownAt(steps)?.place.text.slice(0, thrown?.length), thrown);
    }
  });

  it('are those of the call for a function that the compiler does not build with marks', async () => {
    const text = read(fileOf('guard'));
    // Its value is known when it is compiled, which no function with a mark is.
    await writeFile(
      fileOf('constant'),
      `fun twice(x: Int): Int { return x * 2; }\nconst FOUR: Int = twice(2);\n${text.replace('self.value += msg.by', 'self.value += twice(msg.by) + FOUR')}`,
    );
    const [constant] = await mapsOf('constant');
    assert.ok(constant!.methods.every(({ refused }) => refused === undefined));
    assert.ok(constant!.places.some(({ text: line }) => line === 'self.value += twice(msg.by) + FOUR;'));
    assert.ok(!constant!.places.some(({ function: name }) => name === 'twice'));
  });

  describe('on the command line', () => {
    let localnet: LocalnetCommand;
    let failed: string;
    let succeeded: string;
    const source = ['--source', 'contracts/guard.tact'];
    const run = (...args: string[]): Promise<CommandLineRun> =>
      runCommandLine(
        [...args, '--network', localnet.origin],
        { TON_CACHE_FOLDER: cacheOf(project) },
        project.folder,
      );
    const send = async (body: string): Promise<string> => {
      const sent = await run('send', '--compose', `Guard 0.1ton body ${body} from bob`, '--anyway');
      assert.notEqual(sent.status, 2, sent.stderr);
      const { stdout } = await run('trace', 'Guard', '--limit', '1');
      return /B Guard .* ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
    };

    before(async () => {
      localnet = await startLocalnetHere();
      const deployed = await run(
        ...['deploy', 'contracts/guard.tact', '--data', '{owner: alice, value: 10}'],
      );
      assert.equal(deployed.status, 0, deployed.stdout + deployed.stderr);
      failed = await send('b(u32 0x3a752f06, u64 0, i64 5)');
      succeeded = await send('b(u32 0x7e8764ef, u64 0, i32 5)');
    });
    after(() => localnet?.stop());

    it('say where a transaction failed, and what ran at each step', async () => {
      const { status, stdout } = await run('replay', failed, ...source);
      assert.equal(status, 0, stdout);
      assert.match(
        stdout,
        /^threw at contracts\/guard\.tact:15: throwUnless\(401, sender\(\) == self\.owner\);$/m,
      );
      const steps = await run('replay', succeeded, '--steps', ...source);
      assert.match(steps.stdout, /guard\.tact:23 +ADD /);
      const unnamed = await run('replay', failed, '--steps');
      assert.match(unnamed.stderr, /add --source contracts\/guard\.tact/);
    });

    it('have the gas, and tell what ran', async () => {
      const { stdout } = await run('profile', succeeded, '--json', ...source);
      const profile = JSON.parse(stdout) as {
        gasUsed: number;
        lines: { line: number; gas: number }[];
        functions: { name: string }[];
        unmapped: { gas: number };
      };
      assert.equal(
        profile.lines.reduce((sum, { gas }) => sum + gas, profile.unmapped.gas),
        profile.gasUsed,
      );
      assert.deepEqual(profile.functions.map(({ name }) => name).sort(), [
        'Guard',
        'Guard.receive(Increase)',
      ]);
      const file = path.join(project.folder, 'lcov.info');
      await run('coverage', '--address', 'Guard', '--lcov', file, ...source);
      const lcov = await readFile(file, 'utf8');
      assert.match(lcov, /^DA:23,1$/m);
      assert.match(lcov, /^DA:29,0$/m);
      assert.match(lcov, /^FNDA:1,Owned\.requireOwner$/m);
    });
  });

  const self = new Address(0, Buffer.alloc(32, 7));
  const owner = new Address(0, Buffer.alloc(32, 9));

  function received(body: Cell, from = owner, bounced = false): Message {
    const message = internal({ to: self, value: '1', bounce: false, body });
    return { ...message, info: { ...message.info, src: from, bounced } as Message['info'] };
  }

  /** What ran for a message, on new data with a point. */
  async function ran(map: SourceMap, message: Message, y: bigint): Promise<MappedSteps> {
    const code = codes.get(map.name)!;
    const points = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Cell());
    points.set(8, beginCell().storeInt(1, 16).storeInt(y, 16).endCell());
    const data = beginCell()
      .storeAddress(owner)
      .storeInt(40, 64)
      .storeDict(points)
      .storeDict(Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.BigInt(257)))
      .endCell();
    await blockchain.setShardAccount(
      self,
      createShardAccount({ address: self, code, data, balance: 10n ** 9n }),
    );
    const contract = await blockchain.getContract(self);
    // An external message that is not accepted makes no transaction.
    const { vmLogs } = await contract.receiveMessage(message).catch((error: unknown) => {
      assert.ok(error instanceof EmulationError);
      return error;
    });
    const facts = { gasAtStart: 1_000_000, gasUsed: 0, vmSteps: 0 };
    return mapSteps(recordExecution(vmLogs ?? '', facts), map);
  }
});

/** All instructions of a code, by cell and offset. */
async function instructionsOf(code: Cell): Promise<Map<string, CodeInstruction>> {
  const found = new Map<string, CodeInstruction>();
  const add = (body: CodeBody): void => {
    for (const instruction of body ?? []) {
      found.set(`${instruction.cell} ${instruction.offset}`, instruction);
      instruction.bodies.forEach(add);
    }
  };
  (await readCodeTree(code)).entries.forEach(({ body }) => add(body));
  return found;
}
