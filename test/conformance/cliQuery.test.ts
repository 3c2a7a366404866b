import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pace } from '../../scripts/lib/pace.mjs';
import { runCommandLine, lastError, startHere } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { DebugClient } from '@vscode/debugadapter-testsupport';

interface Answer {
  hits: { execution: number; step: number; line?: number; title: string; goTo?: string }[];
  total: number;
  executions: { name: string; what?: string; hits: number }[];
}

describe('questions on the command line', () => {
  let localnet: LocalnetCommand;
  let folder: string;
  /** Of the counter's last transaction. */
  let hash: string;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(
      [...args, '--network', localnet.origin],
      { TON_CACHE_FOLDER: path.join(folder, 'compiled') },
      folder,
    );

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-query-'));
    localnet = await startLocalnetHere();
    const made = await runCommandLine(['new', 'counter'], {}, folder);
    assert.equal(made.status, 0, made.stderr);
    const deployed = await run('deploy', 'contracts/counter.tolk', '--data', '{owner: alice, count: 3}');
    assert.equal(deployed.status, 0, deployed.stderr);
    const sent = await run('send', '--compose', 'Counter 0.05ton Increase {queryId: 1, by: 5} from bob');
    assert.equal(sent.status, 0, sent.stderr);
    const { stdout } = await run('trace', 'Counter', '--limit', '1');
    hash = /B Counter .* ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
  });
  after(async () => {
    await localnet?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('are asked of the whole trace, or of one transaction, and name the command that goes there', async () => {
    const text = await run('query', 'writes Counter.count', hash);
    assert.equal(text.status, 0, text.stderr);
    assert.match(
      text.stdout,
      new RegExp(
        `^2 Counter {3}ton-workbench debug ${hash} --dap 0 --step (\\d+) -n ${localnet.origin}\\n {2}step \\1 {2}contracts/counter\\.tolk:\\d+ {2}count 3 → 8\\n\\n1 hit in 1 of 2 executions\\.\\n$`,
      ),
    );
    assert.match(text.stderr, /^1 bob: No source here compiles to the code that ran/);
    const sent = JSON.parse((await run('query', 'sends to Counter', hash, '--json')).stdout) as Answer;
    assert.deepEqual([sent.total, sent.hits[0]?.execution, sent.executions.length], [1, 1, 2]);
    assert.match(sent.hits[0]?.title ?? '', /^to Counter: 0x7e8764ef, 0\.05 TON, mode 3$/);
    const only = JSON.parse(
      (await run('query', 'sends to Counter', hash, '--only', '--json')).stdout,
    ) as Answer;
    assert.deepEqual([only.total, only.executions.length], [0, 1]);
    const limited = await run('query', 'changes s0', hash, '--limit', '2');
    assert.match(limited.stdout, / step 1 [^]*\n\d+ hits in 2 of 2 executions; the first 2 are shown\.\n$/);
  });

  it('find what a wallet sends that writes its actions as a whole', async () => {
    const sent = await run('send', '--compose', 'Counter 0.07ton Increase {queryId: 2, by: 1} from alice');
    assert.equal(sent.status, 0, sent.stderr);
    const { stdout } = await run('trace', 'Counter', '--limit', '1');
    const own = /B Counter .* ([0-9a-f]{64})$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
    const { hits } = JSON.parse((await run('query', 'sends to Counter', own, '--json')).stdout) as Answer;
    assert.deepEqual(
      hits.map(({ title }) => title),
      ['to Counter: 0x7e8764ef, 0.07 TON, mode 3'],
    );
  });

  it('say what is wrong', async () => {
    const unknown = await run('query', 'writes Counter.value', hash);
    assert.deepEqual([unknown.status, lastError(unknown).code], [2, 'question-unknown-name']);
    assert.match(lastError(unknown).message, /There are: Counter\.owner, Counter\.count\.$/);
    assert.equal(lastError(await run('query', 'how', hash)).code, 'question-invalid');
    assert.equal(lastError(await run('query', 'sends', hash, '--limit', '0')).code, 'usage');
  });

  it('lead a debugger to the step', async () => {
    const { hits } = JSON.parse(
      (await run('query', 'changes storage.count', hash, '--json')).stdout,
    ) as Answer;
    const { step, goTo, title } = hits.at(-1)!;
    assert.deepEqual(
      [title, goTo],
      ['storage.count 3 → 8', `ton-workbench debug ${hash} --dap 0 --step ${step} -n ${localnet.origin}`],
    );
    const words = [...goTo!.split(' ').slice(1), '--json'];
    const { firstLine, ended } = await startHere(words, folder);
    const client = new DebugClient('', '', 'ton');
    client.defaultTimeout = 20_000 * pace;
    await client.start((JSON.parse(firstLine) as { port: number }).port);
    const stopped = client.waitForEvent('stopped');
    const initialized = client.waitForEvent('initialized');
    await client.initializeRequest();
    await Promise.all([client.launchRequest({}), initialized]);
    await client.configurationDoneRequest();
    await stopped;
    const { body } = await client.stackTraceRequest({ threadId: 2 });
    const { scopes } = (await client.scopesRequest({ frameId: body.stackFrames[0]!.id })).body;
    const gas = scopes.find(({ name }) => name === 'Gas')!;
    const { variables } = (await client.variablesRequest({ variablesReference: gas.variablesReference }))
      .body;
    assert.match(variables.find(({ name }) => name === 'step')?.value ?? '', new RegExp(`^${step} of \\d+$`));
    await client.stop().catch(() => undefined);
    assert.equal(await ended, 0);
  });
});
