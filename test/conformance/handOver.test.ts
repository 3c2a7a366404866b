import { Address, Cell, loadStateInit } from '@ton/core';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { LocalAccount } from '../../src/toolkit/accounts/localAccount';
import { systemClock } from '../../src/toolkit/base/time';
import { prepareComposed } from '../../src/toolkit/send/prepareComposed';
import { counterSource } from '../support/counterSource';
import type { CommandLineRun } from '../support/commandLine';
import { lastError, launchHere, runCommandLine, startCommandLine } from '../support/commandLine';
import type { LocalnetCommand } from '../support/localnetCommand';
import { startLocalnetHere } from '../support/localnetCommand';
import { HastyClock } from '../support/hastyClock';
import { pairSource } from '../support/pairSource';
import { until } from '../support/until';
import type { WalletCommand } from '../support/walletCommand';
import { startWalletCommand } from '../support/walletCommand';

type Launched = ReturnType<typeof launchHere>;

interface DeployLine {
  name: string;
  address: string;
  isDeployed: boolean;
  send: { sent: boolean } | null;
}

/*
 * The way out of the sandbox: a local network that is declared a test network stands for a public one, and the test
 * wallet, in a process of its own, for the user's. No key of the local network signs in the commands.
 */
describe('deploy and send, signed by the user’s own wallet', () => {
  let localnet: LocalnetCommand;
  let wallet: WalletCommand;
  let folder: string;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    localnet = await startLocalnetHere();
    const { v2, v3 } = localnet.ready;
    const teststand = { name: 'teststand', kind: 'test', v2, v3 };
    // Also where the tests run in CI: there, nobody confirms a message.
    environment = { TON_NETWORKS: JSON.stringify([teststand]), CI: '' };
    wallet = await startWalletCommand(localnet.origin, '--approve', 'ask');
  });
  after(async () => {
    await wallet.stop();
    await localnet.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-out-'));
    await writeFile(path.join(folder, 'counter.tolk'), counterSource(1));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const there = ['--network', 'teststand', '--json'];
  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine([...args, ...there], environment, folder);
  const launch = (...args: string[]): Launched => launchHere([...args, ...there], folder, environment);
  const connecting = (): string[] => [
    ...['--sign', 'connect', '--session', 'session.json', '--wallet', wallet.ready.walletsList],
  ];
  const lines = <T>({ stdout }: Pick<CommandLineRun, 'stdout'>): T[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  const record = async (): Promise<{ deployments: Record<string, string>[] }> =>
    JSON.parse(await readFile(path.join(folder, 'deployments/teststand.json'), 'utf8')) as {
      deployments: Record<string, string>[];
    };
  const received = async (address: string): Promise<number> => {
    const answer = await fetch(`${localnet.ready.v3}/transactions?account=${address}&limit=100`);
    return ((await answer.json()) as { transactions: unknown[] }).transactions.length;
  };
  /** Decides the next request of a command, which must not end before it has asked. */
  const decide = async (running: Launched, method: string, decision = 'approve'): Promise<void> => {
    const asked = wallet.take((line) => line.method === method && line.request !== undefined);
    const ended = running.ended.then(() => Promise.reject(new Error(running.written().stderr)));
    const { request } = await Promise.race([asked, ended]);
    wallet.type(`${decision} ${request}`);
  };
  const open = async (): Promise<string[]> =>
    (await readdir(path.join(folder, '.ton'))).filter((name) => name.startsWith('handed-'));

  it('deploys, sends by fields, and tells why it failed, over TON Connect', async () => {
    const deploying = launch('deploy', 'counter.tolk', '--data', '{count: 5}', ...connecting());
    const { connect } = JSON.parse(await deploying.firstLine) as { connect: string };
    await fetch(connect);
    await decide(deploying, 'connect');
    await decide(deploying, 'sendTransaction');
    assert.equal(await deploying.ended, 0, deploying.written().stderr);
    const done = lines<DeployLine>(deploying.written()).at(-1);
    assert.deepEqual([done?.name, done?.isDeployed, done?.send?.sent], ['Counter', true, true]);
    assert.equal((await stat(path.join(folder, 'session.json'))).mode & 0o777, 0o600);
    const [kept] = (await record()).deployments;
    assert.deepEqual(
      [kept?.['name'], kept?.['address'], kept?.['source'], kept?.['data']],
      ['Counter', done?.address, 'counter.tolk', '{count: 5}'],
    );
    assert.match(kept?.['compiler'] ?? '', /tolk/i);
    assert.match(kept?.['transaction'] ?? '', /^[0-9a-f]{64}$/);

    // The record gives it a name; the connection is still there.
    const increasing = launch(...['send', '--compose', 'Counter Increase {by: 3} 0.1ton'], ...connecting());
    await decide(increasing, 'sendTransaction');
    assert.equal(await increasing.ended, 0, increasing.written().stderr);
    assert.match(increasing.written().stderr, /Still connected/);
    const read = await run('run', '@Counter', 'currentCounter');
    assert.match(read.stdout, /"8"/, read.stderr);

    const failing = launch(...['send', '--compose', 'Counter 0.1ton body b(u32 0x99)'], ...connecting());
    await decide(failing, 'sendTransaction');
    assert.equal(await failing.ended, 1);
    const failed = { ...failing.written() };
    assert.equal(lastError(failed).code, 'trace-failed');
    assert.match(lastError(failed).message, /Counter/);
    assert.match(failed.stderr, / ton-workbench (?:trace|replay) [0-9a-f]{64}[^"]* -n teststand/);
    const dry = ['send', '--compose', 'Counter Increase {by: 3} 0.1ton', '--sign', 'link', '--dry-run'];
    const doubtsOf = async (...args: string[]): Promise<string[]> =>
      lines<{ doubts: string[] }>(await run(...args)).at(-1)?.doubts ?? [];
    assert.match((await doubtsOf(...dry)).join(), /Which wallet will sign is not known here/);
    assert.deepEqual(await doubtsOf(...dry, '--from', localnet.rawOf('alice')), []);

    const declined = launch(...['send', '--compose', 'Counter 0.2ton body b()'], ...connecting());
    await decide(declined, 'sendTransaction', 'reject');
    assert.equal(await declined.ended, 1);
    assert.equal(lastError(declined.written()).code, 'wallet-declined');
    assert.deepEqual(await open(), [], 'nothing is left open');
  });

  it('gives the wallet its whole time, however long connecting it takes', async () => {
    const clock = new HastyClock();
    const args = ['deploy', 'counter.tolk', '--data', '{count: 6}', ...there];
    const sending = launchHere([...args, ...connecting()], folder, environment, { clock });
    const { connect } = JSON.parse(await sending.firstLine) as { connect: string };
    await clock.sleep(10 * 60_000);
    await fetch(connect);
    await decide(sending, 'connect');
    await decide(sending, 'sendTransaction');
    assert.equal(await sending.ended, 0, sending.written().stderr);
  });

  it('says in a dry run, too, that the wallet cannot pay', async () => {
    const args = ['deploy', 'counter.tolk', '--data', '{count: 7}', '--dry-run', '--value', '900000000ton'];
    const poor = await run(...args, '--from', wallet.ready.address);
    assert.deepEqual([poor.status, lastError(poor).code], [1, 'message-refused'], poor.stderr);
    assert.match(lastError(poor).message, /cannot pay/);
    const wrong = await run(...args, '--from', 'EQnobody');
    assert.deepEqual([wrong.status, lastError(wrong).code], [2, 'address-invalid'], wrong.stderr);
  });

  it('finds a deployment that was signed while nobody waited, once', async () => {
    await mkdir(path.join(folder, 'contracts'));
    await writeFile(path.join(folder, 'contracts/counter.tolk'), counterSource(1));
    const args = ['deploy', 'contracts/counter.tolk', '--data', '{count: 41}', '--sign', 'link'];
    const handed = await run(...args, '--no-wait');
    assert.equal(handed.status, 0, handed.stderr);
    const [first] = lines<{ link: string }>(handed);
    assert.equal((await open()).length, 1);

    // Nobody waits the second time either: one look, and the same link.
    const looked = await run(...args, '--no-wait');
    assert.equal(looked.status, 0, looked.stderr);
    assert.deepEqual(lines(looked), lines(handed));
    assert.match(looked.stderr, /not handed over again\.\nNot waiting/);

    // It is open: the same link again, and nothing new.
    const again = launch(...args);
    await until(() => again.written().stderr.includes('not handed over again'));
    wallet.type(first?.link ?? '');
    assert.equal(await again.ended, 0, again.written().stderr);
    assert.equal(lines<DeployLine>(again.written()).at(-1)?.isDeployed, true);
    const [{ address = '', source } = {}] = (await record()).deployments;
    assert.deepEqual([await received(address), source], [1, 'contracts/counter.tolk']);

    const third = await run(...args);
    assert.deepEqual(
      [third.status, lines<DeployLine>(third).at(-1)?.send, await received(address)],
      [0, null, 1],
    );
    assert.equal((await record()).deployments.length, 1);
    assert.deepEqual(await open(), []);
  });

  it('refuses a record with a conflict, by its line, and leaves it alone', async () => {
    const file = path.join(folder, 'deployments/teststand.json');
    await mkdir(path.dirname(file));
    const text = '{\n<<<<<<< ours\n  "version": 1,\n=======\n>>>>>>> theirs\n}\n';
    await writeFile(file, text);
    const done = await run('deploy', 'counter.tolk', '--data', '{count: 1}', '--sign', 'link');
    assert.deepEqual([done.status, lastError(done).code], [2, 'deployments-invalid']);
    assert.match(lastError(done).message, /deployments\/teststand\.json:2: a conflict/);
    assert.equal(await readFile(file, 'utf8'), text);
    const unsigned = await rm(file).then(() => run('deploy', 'counter.tolk', '--data', '{count: 1}'));
    assert.deepEqual([unsigned.status, lastError(unsigned).code], [2, 'signing-way-missing']);
  });

  it('says whether the code on the chain is what the source says, and which method is not', async () => {
    interface Verdict {
      state: string;
      name: string | null;
      methods: { name: string; change: string }[] | null;
      verifier: string | null;
    }
    const args = ['deploy', 'counter.tolk', '--data', '{count: 99}', '--network', localnet.origin, '--json'];
    const deployed = await runCommandLine(args, environment, folder);
    const { address } = lines<DeployLine>(deployed)[0] ?? assert.fail(deployed.stderr);
    const service = createServer((_request, response) => response.end('{"verified": true, "bundle": null}'));
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const { port } = service.address() as AddressInfo;
    const verifier = ['--verifier', `http://127.0.0.1:${port}/api/v1`];
    const right = await run('verify', address, '--source', 'counter.tolk', ...verifier);
    service.close();
    const [same] = lines<Verdict>(right);
    assert.deepEqual([right.status, same?.state, same?.methods], [0, 'same', []], right.stderr);
    assert.equal(same?.verifier, `127.0.0.1:${port}: verified`);

    await writeFile(path.join(folder, 'counter.tolk'), counterSource(2));
    const wrong = await run('verify', address, '--source', 'counter.tolk', ...verifier);
    assert.deepEqual([wrong.status, lastError(wrong).code], [1, 'code-differs']);
    const [other] = lines<Verdict>(wrong);
    assert.deepEqual(
      other?.methods?.map(({ name, change }) => [name, change]),
      [['onInternalMessage', 'changed']],
    );
    assert.match(other?.verifier ?? '', /unknown/, 'it does not answer any more');
    const nowhere = await run('verify', address);
    assert.deepEqual([nowhere.status, lastError(nowhere).code], [2, 'usage']);
  });

  describe('a plan of contracts that need each other', () => {
    interface PlanLine {
      plan?: {
        line: number;
        what: string;
        state: string;
        destination: string | null;
        value: string | null;
        bounce: boolean | null;
        body: string | null;
        stateInit: string | null;
      }[];
      title?: string;
      passed?: boolean;
      skipped?: boolean;
      wasDone?: boolean;
      deployed?: { name: string; address: string };
      error?: { code: string };
    }
    const first = '{id: 1, peer: null, count: 1}';
    const sheet = async (): Promise<void> => {
      await writeFile(path.join(folder, 'pair.tolk'), pairSource);
      const text = [
        `deploy pair.tolk ${first} 0.2ton as First`,
        'deploy pair.tolk {id: 2, peer: First, count: 2} 0.2ton as Second',
        'send First SetPeer {peer: Second} 0.05ton',
        'expect First peer() == Second',
        '@before = Second count()',
        'send Second Increase {by: @before} 0.05ton',
        'expect Second count() == 4',
      ];
      await writeFile(path.join(folder, 'pair.toncall'), text.join('\n'));
    };
    /** Time passes as it does for the wallet, which is another process: a request must not run out while it is asked. */
    const carryOut = (...args: string[]): Launched =>
      launchHere([...args, ...there], folder, environment, { clock: systemClock });
    const connected = async (running: Launched): Promise<void> => {
      const { connect } = JSON.parse(await running.firstLine) as { connect: string };
      await fetch(connect);
      await decide(running, 'connect');
    };
    const statesOf = async (): Promise<string[]> => {
      const drawn = await run('plan', 'pair.toncall');
      assert.equal(drawn.status, 0, drawn.stderr);
      return lines<PlanLine>(drawn)[0]?.plan?.map(({ state }) => state) ?? [];
    };

    it('is drawn, stops at a refusal, goes on there, and sends nothing twice', async () => {
      await sheet();
      const drawn = lines<PlanLine>(await run('plan', 'pair.toncall'))[0]?.plan ?? [];
      assert.deepEqual(
        drawn.map(({ line, what, state, value }) => [line, what, state, value]),
        [
          [1, 'deploy First', 'planned', '200000000'],
          [2, 'deploy Second', 'planned', '200000000'],
          [3, 'send First SetPeer', 'planned', '50000000'],
          // What it says depends on an answer that only the run reads.
          [6, 'send Second Increase', 'planned', null],
        ],
      );
      const args = ['plan', 'pair.toncall', ...connecting()];
      const refused = carryOut(...args);
      await connected(refused);
      await decide(refused, 'sendTransaction');
      await decide(refused, 'sendTransaction', 'reject');
      assert.equal(await refused.ended, 1);
      assert.equal(lastError(refused.written()).code, 'wallet-declined');
      const steps = lines<PlanLine>(refused.written()).filter(({ title }) => title !== undefined);
      assert.deepEqual(
        steps.map(({ passed, skipped, error }) => [passed, skipped === true, error?.code]),
        [
          [true, false, undefined],
          [false, false, 'wallet-declined'],
          [false, true, 'call-sheet-stopped'],
          [false, true, 'call-sheet-stopped'],
        ],
      );
      assert.deepEqual(await statesOf(), ['done', 'planned', 'planned', 'planned']);

      const whole = carryOut(...args);
      for (const _step of ['Second', 'SetPeer', 'Increase']) {
        await decide(whole, 'sendTransaction');
      }
      assert.equal(await whole.ended, 0, whole.written().stderr);
      const deployed = lines<PlanLine>(whole.written()).flatMap((line) => line.deployed ?? []);
      assert.deepEqual(
        (await record()).deployments.map(({ name }) => name),
        ['First', 'Second'],
      );
      assert.deepEqual(await statesOf(), ['done', 'done', 'done', 'done']);

      // No wallet is asked for anything any more.
      const again = await run(...args);
      assert.equal(again.status, 0, again.stderr);
      assert.deepEqual(
        lines<PlanLine>(again).flatMap(({ wasDone }) => wasDone ?? []),
        [true, true, true, true],
      );
      assert.deepEqual(await Promise.all(deployed.map(({ address }) => received(address))), [2, 2]);

      const words = await runCommandLine([...args, '--network', 'teststand'], environment, folder);
      assert.match(words.stdout, /^4 passed, 0 failed; 4 done before, and not checked again$/m);

      // Other code is another contract, which nobody has deployed.
      await writeFile(path.join(folder, 'pair.tolk'), `${pairSource}\nget fun more(): int { return 1; }\n`);
      assert.deepEqual((await statesOf()).slice(0, 2), ['changed', 'changed']);
      const changed = await run(...args);
      assert.equal(changed.status, 1);
      const { code, message } = lastError(changed);
      assert.equal(code, 'call-sheet-stopped');
      assert.match(message, /Line 1 was sent before, as another message: the code/);
    });

    it('says what the name of your own wallet needs', async () => {
      await sheet();
      await writeFile(
        path.join(folder, 'pair.toncall'),
        'deploy pair.tolk {id: 9, peer: wallet, count: 1} 0.2ton as First\n',
      );
      const drawn = await run('plan', 'pair.toncall');
      assert.equal(drawn.status, 2);
      assert.match(lastError(drawn).message, /wallet is your own wallet, .*--from ADDRESS/);
      assert.equal((await run('plan', 'pair.toncall', '--from', localnet.rawOf('alice'))).status, 0);
    });

    it('stops where a step does not do what it should, and sends it again only if asked', async () => {
      await sheet();
      await writeFile(
        path.join(folder, 'pair.toncall'),
        `deploy pair.tolk {id: 7, peer: null, count: 1} 0.2ton as First
send First 0.05ton body b(u32 0x77)
send First Increase {by: 1} 0.05ton
`,
      );
      const args = ['plan', 'pair.toncall', ...connecting()];
      const careful = carryOut(...args);
      await connected(careful);
      await decide(careful, 'sendTransaction');
      assert.equal(await careful.ended, 1);
      assert.equal(lastError(careful.written()).code, 'rehearsal-failed', 'it is not even handed over');

      const failing = carryOut(...args, '--anyway');
      await decide(failing, 'sendTransaction');
      assert.equal(await failing.ended, 1);
      assert.deepEqual(await statesOf(), ['done', 'failed', 'planned']);
      const asked = wallet.lines.length;
      const looked = await run(...args, '--anyway');
      assert.deepEqual([looked.status, lines<PlanLine>(looked).at(-1)?.skipped], [1, true]);
      assert.equal(wallet.lines.length, asked, 'what was sent is only looked at again');
      const retried = carryOut(...args, '--anyway', '--retry');
      await decide(retried, 'sendTransaction', 'reject');
      assert.equal(await retried.ended, 1);
      assert.equal(lastError(retried.written()).code, 'wallet-declined');
    });

    it('in CI takes only messages that come signed', async () => {
      await sheet();
      const ci = { ...environment, CI: 'true' };
      const refused = await runCommandLine(['plan', 'pair.toncall', ...there, ...connecting()], ci, folder);
      assert.deepEqual([refused.status, lastError(refused).code], [2, 'signing-way-missing']);
      const without = await run('run', 'pair.toncall');
      assert.deepEqual([without.status, lastError(without).code], [2, 'compose-local-only']);

      const id = 31;
      const text = `deploy pair.tolk {id: ${id}, peer: null, count: 1} 0.2ton as First
send First SetPeer {peer: First} 0.05ton
expect First peer() == First
`;
      await writeFile(path.join(folder, 'pair.toncall'), text);
      const drawn = lines<PlanLine>(await run('plan', 'pair.toncall'))[0]?.plan ?? [];
      // As two wallets sign them elsewhere.
      const signed = await Promise.all(
        drawn.map(async ({ destination, value, bounce, body, stateInit }, index) => {
          const state =
            stateInit == null ? undefined : loadStateInit(Cell.fromBase64(stateInit).beginParse());
          const { v2, v3 } = localnet.ready;
          const message = await prepareComposed(
            createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } }),
            {
              sender: { kind: 'wallet', name: ['bob', 'carol'][index] ?? '' },
              to: Address.parse(destination ?? ''),
              value: BigInt(value ?? 0),
              bounce: bounce ?? true,
              body: Cell.fromBase64(body ?? ''),
              init: state && { code: state.code ?? Cell.EMPTY, data: state.data ?? Cell.EMPTY },
            },
            localnet.ready.accounts as LocalAccount[],
          );
          assert.equal(message.kind, 'external');
          return message.cell.toBoc().toString('base64');
        }),
      );
      await writeFile(path.join(folder, 'signed.txt'), `${signed.join('\n')}\n`);
      const carriedOut = launchHere(
        ['plan', 'pair.toncall', ...there, '--sign', 'boc=signed.txt'],
        folder,
        ci,
        { clock: systemClock },
      );
      assert.equal(await carriedOut.ended, 0, carriedOut.written().stderr);
      assert.deepEqual(await statesOf(), ['done', 'done']);
    });

    for (const way of ['connect', 'link'] as const) {
      it(`is found, once, after kill -9 between hand-over and answer: ${way}`, async () => {
        await sheet();
        // Another way is another pair, so that nothing is there yet.
        const id = way === 'link' ? 21 : 22;
        const file = path.join(folder, 'pair.toncall');
        await writeFile(file, (await readFile(file, 'utf8')).replace('{id: 1,', `{id: ${id},`));
        const signing = way === 'link' ? ['--sign', 'link'] : connecting();
        const args = ['plan', 'pair.toncall', ...there, ...signing];
        if (way === 'connect') {
          const connects = carryOut('plan', 'pair.toncall', ...signing);
          await connected(connects);
          await decide(connects, 'sendTransaction', 'reject');
          await connects.ended;
        }
        const killed = await startCommandLine(args, folder, environment);
        let link = '';
        let printed = `${killed.firstLine}\n`;
        killed.child.stdout?.on('data', (chunk: string) => (printed += chunk));
        if (way === 'link') {
          link = await until(() => /"link":"(ton:[^"]+)"/.exec(printed)?.[1], 'the link');
        } else {
          await wallet.take((line) => line.method === 'sendTransaction' && line.request !== undefined);
        }
        killed.child.kill('SIGKILL');
        await killed.ended;
        assert.equal((await statesOf())[0], 'handed');
        wallet.type(way === 'link' ? link : `approve ${wallet.lines.at(-1)?.request}`);

        const resumed = carryOut('plan', 'pair.toncall', ...signing);
        await until(async () => (await statesOf())[0] === 'done', 'the deployment is found');
        resumed.stop();
        await resumed.ended;
        const [{ address = '' } = {}] = (await record()).deployments;
        assert.equal(await received(address), 1, resumed.written().stderr);
      });
    }
  });
});
