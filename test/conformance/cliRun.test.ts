import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Address, beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import { root } from '../../scripts/lib/root.mjs';
import { lastError, runCommandLine, runProcess, startCommandLine } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand, LocalnetReady } from '../support/localnetCommand';
import { until } from '../support/until';

const contract = `
fun onInternalMessage(in: InMessage) {}
get fun add(a: int, b: int): int { return a + b; }
get fun sizes(c: cell, s: slice): (int, int) {
  return (c.beginParse().remainingBitsCount(), s.remainingBitsCount());
}
get fun same(a: address): address { return a; }
get fun body(): cell { return beginCell().storeUint(7, 32).endCell(); }
get fun sum(t: [int, int]): int { return t.0 + t.1; }
get fun isNull(x: int?): bool { return x == null; }
get fun nested(): [int, [slice, cell]] {
  return [-1, [beginCell().storeUint(5, 8).endCell().beginParse(), createEmptyCell()]];
}
get fun huge(): int { return (1 << 255) + 1; }
get fun refuse(): int { throw 73; }
`;

interface Result {
  address: string;
  api: string;
  exitCode: number;
  exitMeaning: string;
  gasUsed: number;
  stack: { type: string; value: unknown; decoded: unknown }[];
}

async function compile(): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'c.tolk', fsReadCallback: () => contract });
  assert.ok(compiled.status === 'ok', JSON.stringify(compiled));
  return Cell.fromBase64(compiled.codeBoc64);
}

/** Deploys the contract with alice's wallet, over the network's own API. */
async function deploy({ v2, accounts }: LocalnetReady): Promise<Address> {
  const init = { code: await compile(), data: new Cell() };
  const address = contractAddress(0, init);
  const alice = accounts.find(({ name }) => name === 'alice');
  assert.ok(alice);
  const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
  const wallet = client.open(WalletContractV5R1.create({ publicKey: Buffer.from(alice.publicKey, 'hex') }));
  await wallet.sendTransfer({
    seqno: await wallet.getSeqno(),
    secretKey: Buffer.from(alice.secretKey, 'hex'),
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages: [internal({ to: address, value: toNano('1'), init, bounce: false })],
  });
  await until(() => client.isContractDeployed(address), 'the contract is deployed');
  return address;
}

describe('the run command against a real local network', () => {
  let localnet: LocalnetCommand;
  let ready: LocalnetReady;
  let address: Address;
  let origin: string;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-run-'));
    localnet = await startLocalnetCommand();
    ({ ready, origin } = localnet);
    address = await deploy(ready);
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await localnet.stop();
  });

  const run = async (method: string, args: string[] = [], network = origin): Promise<Result> => {
    const done = await runCommandLine([
      'run',
      address.toString(),
      method,
      ...args,
      '--network',
      network,
      '--json',
    ]);
    assert.equal(done.status, 0, done.stderr);
    assert.equal(done.stderr, '');
    assert.equal(done.stdout.trimEnd().split('\n').length, 1);
    return JSON.parse(done.stdout) as Result;
  };

  it('announces the network with exactly the documented keys', () => {
    assert.deepEqual(Object.keys(ready), ['version', 'v2', 'v3', 'accounts']);
    assert.match(ready.v2, /^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/);
    assert.equal(ready.v3, `${origin}/api/v3`);
    assert.equal(ready.accounts.length, 10);
    for (const account of ready.accounts) {
      const keys = ['name', 'address', 'kind', 'mnemonic', 'publicKey', 'secretKey'];
      assert.deepEqual(Object.keys(account), keys);
      assert.match(account.address, /^0:[0-9a-f]{64}$/);
      assert.match(account.secretKey, /^[0-9a-f]{128}$/);
    }
  });

  it('answers with exactly the documented keys', async () => {
    const result = await run('add', ['40', '2']);
    assert.deepEqual(result, {
      version: 1,
      address: address.toRawString(),
      method: 'add',
      network: origin,
      api: 'v3',
      exitCode: 0,
      exitMeaning: 'success',
      gasUsed: result.gasUsed,
      stack: [{ type: 'num', value: '42', decoded: '42' }],
    });
    assert.ok(result.gasUsed > 0);
  });

  it('ends in a process of its own as it does in this one', async () => {
    for (const [method, status] of [
      ['add', 0],
      ['refuse', 1],
    ] as const) {
      const args = [
        'run',
        address.toString(),
        method,
        ...(status === 0 ? ['40', '2'] : []),
        '-n',
        origin,
        '--json',
      ];
      const own = await runProcess(args);
      assert.equal(own.status, status);
      assert.deepEqual(own, await runCommandLine(args));
    }
  });

  it('accepts numbers in every notation, including negative ones', async () => {
    const sums: [args: string[], sum: string][] = [
      [['-1', '-0x2'], '-3'],
      [['1.5ton', '1'], '1500000001'],
      [['5,', '-7'], '-2'],
    ];
    for (const [args, sum] of sums) {
      assert.equal((await run('add', args)).stack[0]?.value, sum, args.join(' '));
    }
  });

  it('accepts cells and slices in every form', async () => {
    const boc = beginCell().storeUint(1, 77).endCell().toBoc();
    const forms = [
      ['cell', boc.toString('base64'), 'slice', boc.toString('hex')],
      ['b(u77 5) slice b(i77 -1)'],
    ];
    for (const args of forms) {
      const { api, stack } = await run('sizes', args);
      assert.deepEqual([api, ...stack.map(({ value }) => value)], ['v3', '77', '77']);
    }
  });

  it('accepts and recognizes addresses', async () => {
    const alice = ready.accounts[0]?.address ?? '';
    const friendly = Address.parse(alice).toString();
    for (const network of [origin, ready.v2]) {
      const [entry] = (await run('same', ['addr', friendly], network)).stack;
      const cell = beginCell().storeAddress(Address.parse(alice)).endCell();
      assert.deepEqual(entry, {
        type: 'slice',
        ...(network === origin ? { readAs: 'slice' } : {}),
        value: cell.toBoc().toString('base64'),
        decoded: alice,
      });
    }
  });

  it('sends tuples and null over v2, the only API that can carry them', async () => {
    assert.deepEqual(
      [(await run('sum', ['[40, 2]'])).api, (await run('sum', ['[40, 2]'])).stack[0]?.value],
      ['v2', '42'],
    );
    assert.equal((await run('isNull', ['null'])).stack[0]?.value, '-1');
    assert.equal((await run('sum', ['[40, 2]'], ready.v3)).api, 'v2');
  });

  it('returns nested tuples, and numbers of full width exactly', async () => {
    for (const network of [ready.v3, ready.v2]) {
      const [tuple] = (await run('nested', [], network)).stack;
      assert.equal(tuple?.type, 'tuple');
      const [first, inner] = tuple.value as Result['stack'];
      assert.deepEqual([first?.type, first?.value], ['num', '-1']);
      assert.deepEqual(
        (inner?.value as Result['stack']).map(({ type }) => type),
        ['slice', 'cell'],
      );
      assert.equal((await run('huge', [], network)).stack[0]?.value, ((1n << 255n) + 1n).toString());
    }
  });

  it('prints a document without --json', async () => {
    const { status, stdout } = await runCommandLine([
      'run',
      address.toString(),
      'add',
      '1',
      '2',
      '-n',
      origin,
    ]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^add on EQ\S+ +http:\/\/127\.0\.0\.1:\d+(?:, block \d+)?\nsuccess \(exit 0\), gas \d+/,
    );
    assert.match(stdout, /out +0 +number +3/);
  });

  it('reads types from a source: bare arguments, named results', async () => {
    const file = path.join(folder, 'c.tolk');
    await writeFile(file, contract);
    const base = ['run', address.toString(), 'same', 'alice', '--types', file, '-n', origin];
    const { status, stdout, stderr } = await runCommandLine(base);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /in +0 a +address +addr EQ\S+ +alice\n +out +0 +address +addr EQ\S+ +alice\n/);
    const wrong = await runCommandLine([
      'run',
      address.toString(),
      'isNull',
      'true',
      '--types',
      file,
      '-n',
      origin,
    ]);
    assert.deepEqual([wrong.status, lastError(wrong).code], [2, 'stack-text-invalid']);
  });

  it('runs call sheets and exits with the status of what went wrong', async () => {
    const file = path.join(folder, 'sheet.toncall');
    const sheet = `@network local\n@it = ${address.toString()}\n### sums\nit add(40, 2)\nexpect 0 == 42\n### same\nit same(addr bob)\nexpect 0 == addr bob\n`;
    await writeFile(file, sheet);
    const passed = await runCommandLine(['run', file, '-n', origin]);
    assert.equal(passed.status, 0, passed.stderr);
    assert.match(passed.stdout, /^✓ sums {2}exit 0, gas \d.*\n✓ same .*\n2 passed, 0 failed\n$/);

    await writeFile(file, `${sheet}### wrong\nit add(1, 1)\nexpect 0 == 3\n`);
    const failed = await runCommandLine(['run', file, '-n', origin, '--json']);
    assert.deepEqual([failed.status, lastError(failed).code], [1, 'expectation-failed']);
    const lines = failed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { passed: boolean; failures: string[] });
    assert.deepEqual(
      lines.map((line) => line.passed),
      [true, true, false],
    );
    assert.deepEqual(lines[2]?.failures, ['Entry 0 is 2, expected 3.']);

    await writeFile(file, '# broken\n  it add(');
    const invalid = await runCommandLine(['run', file, '-n', origin]);
    assert.deepEqual([invalid.status, lastError(invalid).code], [2, 'call-sheet-invalid']);
    assert.ok(lastError(invalid).message.startsWith(`${file}:2:9: `), invalid.stderr);
    await writeFile(file, '# only a remark\n');
    const empty = await runCommandLine(['run', file, '-n', origin]);
    assert.deepEqual([empty.status, lastError(empty).code], [2, 'sheet-empty']);
    const missing = await runCommandLine(['run', path.join(folder, 'none.toncall')]);
    assert.deepEqual([missing.status, lastError(missing).code], [2, 'file-unreadable']);
  });

  it('reads the types of the project around a sheet, as the editor does', async () => {
    const project = path.join(folder, 'project');
    await mkdir(path.join(project, 'sheets/more'), { recursive: true });
    await mkdir(path.join(project, 'contracts'));
    const file = path.join(project, 'sheets/more/typed.toncall');
    const calls = `it same(bob)\nexpect 0 == addr bob\nalice get_public_key()\nexpect 0 != 0\nit isNull(300)`;
    await writeFile(file, `@it = ${address.toString()}\n${calls}\nexpect 0 == false\n`);

    const untyped = await runCommandLine(['run', file, '-n', origin]);
    assert.deepEqual([untyped.status, lastError(untyped).code], [2, 'call-sheet-invalid']);
    assert.match(lastError(untyped).message, /typed\.toncall:2:9: .*bob/);
    assert.match(untyped.stdout, /2 passed, 1 failed/);

    await writeFile(path.join(project, 'package.json'), '{}');
    await writeFile(path.join(project, 'contracts/typed.tolk'), contract);
    const source = path.join(project, 'contracts/typed.tolk');
    const byFile = await runCommandLine(['run', file, '--types', source, '-n', origin]);
    assert.equal(byFile.status, 0, byFile.stdout + byFile.stderr);

    const hex = (await compile()).toBoc().toString('hex');
    await mkdir(path.join(project, 'build'));
    await writeFile(path.join(project, 'build/Typed.compiled.json'), JSON.stringify({ hex }));
    for (const network of [origin, `${origin}/api/v2`]) {
      const byProject = await runCommandLine(['run', file, '-n', network]);
      assert.equal(byProject.status, 0, byProject.stdout + byProject.stderr);
    }
    await writeFile(source, contract.replace('x: int?', 'x: uint8'));
    const outOfRange = await runCommandLine(['run', file, '-n', origin]);
    assert.deepEqual([outOfRange.status, lastError(outOfRange).code], [2, 'call-sheet-invalid']);
    assert.match(lastError(outOfRange).message, /typed\.toncall:6:11: .*uint8/);
  });

  it('runs the call sheets of the examples, after their deploy script', async () => {
    const examples = path.join(root, 'examples');
    const deployScript = path.join(examples, 'scripts/deployCounter.mjs');
    for (const words of [/^counter  EQ\w+/, /already/]) {
      const { stdout } = await promisify(execFile)(process.execPath, [deployScript, `${origin}/api/v2`]);
      assert.match(stdout, words);
    }
    for (const sheet of ['wallets.toncall', 'counter.toncall']) {
      const { status, stdout, stderr } = await runCommandLine([
        'run',
        path.join(examples, sheet),
        '-n',
        origin,
      ]);
      assert.equal(status, 0, stdout + stderr);
    }
  });

  it('exits with 1 if the method fails, and still prints the result', async () => {
    const failures: [method: string, exitCode: number][] = [
      ['refuse', 73],
      ['missing', 11],
    ];
    for (const [method, exitCode] of failures) {
      const done = await runCommandLine(['run', address.toString(), method, '-n', origin, '--json']);
      assert.equal(done.status, 1);
      assert.equal((JSON.parse(done.stdout) as Result).exitCode, exitCode);
      assert.equal(lastError(done).code, 'get-method-failed');
    }
    const empty = await runCommandLine(['run', `0:${'5'.repeat(64)}`, 'seqno', '-n', origin, '--json']);
    assert.deepEqual([empty.status, (JSON.parse(empty.stdout) as Result).exitCode], [1, -13]);
  });

  it('exits with 2 on bad input, with the position', async () => {
    const inputs: [args: string[], code: string][] = [
      [[address.toString(), 'add', '1', '[2'], 'stack-text-invalid'],
      [[address.toString(), 'add', 'nan', '1'], 'stack-value-not-carried'],
      [['EQnope', 'add'], 'account-unknown'],
      [[address.toString()], 'usage'],
      [[address.toString(), 'add', '--nope'], 'usage'],
      [[address.toString(), 'add', '-n', 'nowhere'], 'network-unknown'],
    ];
    for (const [args, code] of inputs) {
      const network = args.includes('-n') ? [] : ['-n', origin];
      const done = await runCommandLine(['run', ...args, ...network, '--json']);
      assert.deepEqual(
        [done.status, done.stdout, Object.keys(lastError(done))],
        [2, '', ['code', 'message']],
        code,
      );
      assert.equal(lastError(done).code, code);
    }
    const positioned = await runCommandLine([
      'run',
      address.toString(),
      'add',
      '1',
      'str',
      '"a',
      '-n',
      origin,
    ]);
    assert.match(lastError(positioned).message, /^Argument 3 \("a\): Missing closing quote/);
  });
});

describe('the run command against services that fail', () => {
  const address = `0:${'0'.repeat(64)}`;
  const against = async (
    answer: (server: Server) => void,
    expected: number,
    code: string | RegExp = /./,
  ): Promise<void> => {
    const server = createServer();
    answer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const done = await runCommandLine(['run', address, 'seqno', '-n', `http://127.0.0.1:${port}`, '--json']);
    server.closeAllConnections();
    server.close();
    assert.equal(done.status, expected, done.stderr);
    assert.match(lastError(done).code, typeof code === 'string' ? new RegExp(`^${code}$`) : code);
  };
  const body = (status: number, text: string) => (server: Server) =>
    server.on('request', (_request, response) => response.writeHead(status).end(text));

  it('exits with 3 if nothing is listening', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    for (const words of [
      ['run', address, 'seqno'],
      // A network that is not running does not say whether there is such an account.
      ...[
        ['run', 'Vault', 'seqno'],
        ['trace', 'Vault'],
        ['account', 'Vault'],
      ],
    ]) {
      const done = await runCommandLine([...words, '-n', `http://127.0.0.1:${port}`]);
      assert.deepEqual([done.status, lastError(done).code], [3, 'unreachable'], words.join(' '));
    }
  });

  it("exits with 3 if the connection breaks in the answer's body", () =>
    against(
      (server) =>
        server.on('request', (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write('{"gas_used":1,', () => response.destroy());
        }),
      3,
      'connection-lost',
    ));

  it('exits with 4 if the answer is a refusal or unusable', async () => {
    await against(body(200, 'hello'), 4, 'not-json');
    await against(body(200, '{"gas_used":1}'), 4, 'wrong-shape');
    await against(
      body(200, '{"gas_used":1,"exit_code":0,"stack":[{"type":"num","value":"x"}]}'),
      4,
      'stack-answer-unusable',
    );
    await against(body(422, '{"error":"no"}'), 4);
  });
});

describe('the localnet command', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`stops cleanly on ${signal}`, async () => {
      const { child, ended } = await startCommandLine(['localnet', '--port', '0', '--json']);
      child.kill(signal);
      assert.equal(await ended, 0);
    });
  }

  it('stops when the reader of its output has gone', async () => {
    const { child, ended } = await startCommandLine(['localnet', '--port', '0', '--json']);
    child.stdout?.destroy();
    assert.equal(await ended, 0);
  });

  it('is found by the commands in its folder, from whatever port and below, while it runs', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-folder-'));
    const below = path.join(folder, 'contracts/deep');
    await mkdir(below, { recursive: true });
    await writeFile(path.join(folder, 'package.json'), '{}');
    const none = { TON_LOCAL_V2: '', TON_LOCAL_V3: '' };
    const { child, ended, firstLine } = await startCommandLine(['localnet', '--port', '0', '--json'], below);
    const { v2 } = JSON.parse(firstLine) as { v2: string };
    const { port } = new URL(v2);
    for (const place of [folder, below]) {
      const status = await runCommandLine(['localnet', 'status', '--json'], none, place);
      assert.equal(status.status, 0, status.stderr);
      assert.equal((JSON.parse(status.stdout) as { v2: string }).v2, v2);
    }
    const told = await runCommandLine(['localnet', 'status'], none, folder);
    assert.match(told.stdout, /^ {2}alice {2}wallet v5r1 {2}UQ[\w-]{46}$/m);
    const second = await runCommandLine(['localnet', '--port', port], none, folder);
    assert.deepEqual([second.status, lastError(second).code], [2, 'localnet-port-taken']);
    assert.match(
      lastError(second).message,
      /^This folder's local network already runs on port \d+ \(block \d+/,
    );
    const stranger = await runCommandLine(['localnet', '--port', port]);
    assert.match(
      lastError(stranger).message,
      /^Port \d+ is in use by another local network, which is not this folder's .*--network http:\/\/127\.0\.0\.1:\d+, or start one for this folder with --port \d+/,
    );
    // The first one stays the folder's.
    const other = await startCommandLine(['localnet', '--port', '0', '--json'], folder);
    assert.match(await readFile(path.join(folder, '.ton/local.json'), 'utf8'), new RegExp(`:${port}/`));
    for (const one of [other, { child, ended }]) {
      one.child.kill('SIGTERM');
      assert.equal(await one.ended, 0);
    }
    assert.deepEqual(await readdir(path.join(folder, '.ton')), ['.gitignore']);
    await rm(folder, { recursive: true });
  });

  it('exits with 2 for an invalid port', async () => {
    const done = await runCommandLine(['localnet', '--port', '70000']);
    assert.deepEqual([done.status, lastError(done).code], [2, 'port-invalid']);
  });

  it('exits with 2 for an unknown log level', async () => {
    const done = await runCommandLine(['localnet', '--port', '0', '--log', 'loud']);
    assert.deepEqual([done.status, lastError(done).code], [2, 'usage']);
  });
});
