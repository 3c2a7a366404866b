import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { pace } from '../../scripts/lib/pace.mjs';
import { actonOutput, lampProject, lampSource } from '../support/actonLamp';
import type { ActonOutput } from '../support/actonLamp';
import { lastError, runCommandLine, startHere } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

const source = 'contracts/lamp_main.tolk';
const data = '{level: 10, turns: 0, price: 0.05ton}';

/** The line of a text in the source, from 1. */
function lineOf(text: string): number {
  return lampSource.split('\n').findIndex((line) => line.includes(text)) + 1;
}

describe('a project in Tolk 1.4, with the program acton', () => {
  let acton: ActonOutput;
  let localnet: LocalnetCommand;
  let project: { folder: string; bin: string };
  let environment: NodeJS.ProcessEnv;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine([...args, '--network', localnet.origin], environment, project.folder);
  const done = async (...args: string[]): Promise<string> => {
    const ended = await run(...args);
    assert.equal(ended.status, 0, ended.stdout + ended.stderr);
    return ended.stdout;
  };
  /** A command that asks no network. */
  const alone = async (...args: string[]): Promise<string> =>
    (await runCommandLine(args, environment, project.folder)).stdout;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(project.folder, name)), { recursive: true });
    writeFileSync(path.join(project.folder, name), text);
  };
  /** Sends a message to the lamp, and returns the hash of its transaction there. */
  const send = async (message: string): Promise<string> => {
    const sent = await run('send', '--compose', `Lamp ${message} 0.1ton from alice`, '--anyway');
    assert.notEqual(sent.status, 2, sent.stderr);
    const traced = await done('trace', 'Lamp', '--limit', '1');
    return /B Lamp .* ([0-9a-f]{64})$/m.exec(traced)?.[1] ?? assert.fail(traced);
  };

  before(async () => {
    acton = await actonOutput();
  });
  beforeEach(async () => {
    project = lampProject(acton);
    environment = { PATH: project.bin, TON_CACHE_FOLDER: '' };
    localnet = await startLocalnetHere();
  });
  afterEach(async () => {
    await localnet?.stop();
    rmSync(project.folder, { recursive: true, force: true });
  });

  it('is compiled, deployed, called, and debugged by the source map that it writes', async () => {
    const deployed = await done('deploy', source, '--data', data, '--name', 'Lamp');
    assert.match(deployed, /^ {2}compiler {4}acton on the PATH$/m);
    assert.match(deployed, new RegExp(acton.codeHash));
    assert.match(await done('run', 'Lamp', 'level'), /^ {2}.*\b10\b/m);
    const dimmed = await send('Dim {queryId: 1, by: 3}');
    const traced = await done('trace', dimmed);
    assert.match(traced, /Lamp +Dim /);
    const account = await done('account', 'Lamp');
    assert.match(account, /^ {4}level +7$/m);
    assert.match(account, /^ {4}price +0\.05 TON/m);
    const refused = await send('Dim {queryId: 2, by: 300}');
    assert.match(
      await done('replay', refused, '--source', source),
      new RegExp(`^threw at ${source}:${lineOf('ERR_DARK')}: `, 'm'),
    );

    const started = await startHere(
      ['debug', dimmed, '--source', source, '--dap', '0', '--json', '--network', localnet.origin],
      project.folder,
      environment,
    );
    const client = new DebugClient('', '', 'ton');
    client.defaultTimeout = 20_000 * pace;
    await client.start((JSON.parse(started.firstLine) as { port: number }).port);
    const stop = (): Promise<DebugProtocol.Event> => client.waitForEvent('stopped');
    const initialized = client.waitForEvent('initialized');
    await client.initializeRequest();
    await Promise.all([client.launchRequest({}), initialized]);
    const line = lineOf('light.level -= dim.by');
    const { body } = await client.setBreakpointsRequest({
      source: { path: path.join(project.folder, source) },
      breakpoints: [{ line }],
    });
    assert.deepEqual(
      body.breakpoints.map((one) => one.verified),
      [true],
    );
    const first = stop();
    await client.configurationDoneRequest();
    await first;
    const next = stop();
    await client.continueRequest({ threadId: 1 });
    const { threadId } = (await next).body as { threadId: number };
    const [frame] = (await client.stackTraceRequest({ threadId })).body.stackFrames;
    assert.equal(frame?.line, line);
    assert.equal(frame.source?.path, path.join(project.folder, source));
    await client.stop();
    await started.ended;
  });

  it('is known by what was built where nothing compiles it: names, storage, messages, exit codes, and lines', async () => {
    environment = { PATH: '', TON_CACHE_FOLDER: '' };
    const error = lastError(await run('deploy', source, '--data', data));
    assert.equal(error.code, 'compiler-too-old');
    write('build/Lamp.json', acton.build);
    write('build/abi/Lamp.json', acton.abi);
    const built = await done('deploy', 'build/Lamp.json', '--data', data);
    const listed = await alone('boc', 'build/Lamp.json');
    assert.match(built, new RegExp(acton.codeHash));
    assert.match(listed, new RegExp(acton.codeHash));
    const refused = await send('Dim {queryId: 2, by: 300}');
    assert.match(await done('trace', refused), /Dim .*ERR_DARK/);
    const account = await done('account', 'Lamp');
    assert.match(account, /^ {4}level +10$/m);
    assert.match(account, /level\(\) +10$/m);
    assert.doesNotMatch(await done('replay', refused), /threw at contracts/);
    write('sources/Lamp.source.json', acton.bundle);
    assert.match(
      await done('replay', refused),
      new RegExp(`^threw at ${source}:${lineOf('ERR_DARK')}: `, 'm'),
    );
    write(source, lampSource.replace('level: uint16', 'level: uint8'));
    const older = await run('deploy', 'sources/Lamp.source.json', '--data', data, '--dry-run');
    assert.match(
      older.stderr,
      /sources\/Lamp\.source\.json is older than its source: contracts\/lamp_main\.tolk/,
    );
    const { stderr } = await run('account', 'Lamp');
    assert.match(stderr, /contracts\/lamp_main\.tolk has changed since the code of Lamp was compiled/);
    assert.match(await alone('doctor'), /sources\/Lamp\.source\.json is older than its source/);
  });
});
