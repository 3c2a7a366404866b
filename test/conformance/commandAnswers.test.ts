import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { root } from '../../scripts/lib/root.mjs';
import { createProgram } from '../../src/cli/commandLine';
import { endpointListSchema } from '../../src/toolkit/access/listEndpoints';
import { checkAnswers } from '../support/checkAnswers';
import { runCommandLine, startCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { counterSource } from '../support/counterSource';
import { startLocalnetCommand } from '../support/localnetCommand';
import { referenceFolder } from '../support/referenceFolder';
import type { LocalnetCommand } from '../support/localnetCommand';

type Json = Record<string, unknown>;

/** Types by place, such as `integer null`. */
type Forms = Record<string, string>;

/** What `report` prints is Markdown, and `mcp` speaks JSON-RPC. */
const otherForms: ReadonlySet<string> = new Set(['report', 'mcp']);

const commands = (function all(command: Command, above: readonly string[]): string[][] {
  return command.commands.flatMap((one) => {
    const names = [...above, one.name()];
    // `webhook` alone does nothing; `localnet` alone does.
    return [...(one.options.length > 0 && !otherForms.has(one.name()) ? [names] : []), ...all(one, names)];
  });
})(createProgram(), []);

/** Every object in a schema. */
function objectsIn(schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const own = 'properties' in schema ? [schema as Json] : [];
  return [...own, ...Object.values(schema).flatMap(objectsIn)];
}

/**
 * The places in what fits a schema, as `steps[].hash`, each with its types; a `?` after the name says that it may be absent.
 */
function placesIn(schema: Json, definitions = (schema['$defs'] ?? {}) as Record<string, Json>): Forms {
  const places: Forms = {};
  const add = (place: string, types: readonly string[]): void => {
    places[place] = [...new Set([...(places[place]?.split(' ') ?? []), ...types])].sort().join(' ');
  };
  (function walk(one: Json, place: string, above: readonly Json[]): void {
    const name = /[^/]+$/.exec((one['$ref'] as string | undefined) ?? '')?.[0];
    const shape = name === undefined ? one : definitions[name]!;
    if (above.includes(shape)) {
      return;
    }
    const within = [...above, shape];
    const options = (shape['anyOf'] ?? shape['oneOf'] ?? shape['allOf']) as Json[] | undefined;
    if (options !== undefined) {
      options.forEach((option) => walk(option, place, within));
      return;
    }
    add(place, [shape['type'] ?? 'any'].flat() as string[]);
    const required = (shape['required'] ?? []) as string[];
    for (const [key, value] of Object.entries((shape['properties'] ?? {}) as Record<string, Json>)) {
      walk(value, `${place}.${key}${required.includes(key) ? '' : '?'}`, within);
    }
    for (const [key, mark] of [
      ['items', '[]'],
      ['additionalProperties', '{}'],
    ] as const) {
      if (typeof shape[key] === 'object') {
        walk(shape[key] as Json, place + mark, within);
      }
    }
  })(schema, '', []);
  return places;
}

/** Facts that have one type in every answer. `hash` alone may also be a text of the user that is none. */
const facts = [
  ...['gasUsed', 'gas', 'exitCode', 'fees', 'serviceFees', 'address', 'account', 'destination', 'master'],
  ...['rawAmount', 'amount', 'txHash', 'traceId', 'codeHash', 'dataHash', 'bodyHash', 'hashNorm'],
  ...['ms', 'elapsedMs', 'error', 'at', 'coins', 'startedAt', 'receivedAt'],
];

describe('the JSON of the commands', () => {
  it('is there for every command, and has a schema without room for other keys', async () => {
    assert.ok(commands.length > 20, commands.join());
    for (const names of commands) {
      const { status, stdout, stderr } = await runCommandLine([...names, '--json-schema']);
      assert.equal(status, 0, `${names.join(' ')}: ${stderr}`);
      const schema = JSON.parse(stdout) as Json;
      assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema', names.join(' '));
      for (const one of objectsIn(schema)) {
        assert.equal(one['additionalProperties'], false, `${names.join(' ')}: ${JSON.stringify(one)}`);
      }
      const help = await runCommandLine([...names, '--help']);
      assert.match(help.stdout, /--json +\S/, names.join(' '));
    }
  });

  it('tells each fact by one type, whatever the command', async () => {
    const types = new Map<string, Map<string, string>>();
    for (const names of commands) {
      const schema = JSON.parse((await runCommandLine([...names, '--json-schema'])).stdout) as Json;
      const definitions = (schema['$defs'] ?? {}) as Record<string, Json>;
      const typeOf = (one: Json): string => {
        const options = (one['anyOf'] as Json[] | undefined) ?? [one];
        const kinds = options.map((option) => {
          const name = /[^/]+$/.exec((option['$ref'] as string | undefined) ?? '')?.[0] ?? '';
          const named: Json = { ...definitions[name], ...option };
          const type = Object.fromEntries(
            Object.entries(named).filter(([key]) => !['description', 'title', 'id'].includes(key)),
          );
          return type['type'] === 'null' ? 'null' : name === '' ? JSON.stringify(type) : name;
        });
        return kinds.filter((kind) => kind !== 'null').join();
      };
      // What a payload says is told as it is, a wallet's errors are those of its protocol, and its account is a name.
      const own = objectsIn(schema).filter(
        (one) =>
          one !== definitions['PayloadPayment'] &&
          !['answered', 'bridge'].some((name) => name in (one['properties'] as Json)) &&
          !(names[0] === 'wallet' && 'error' in (one['properties'] as Json)),
      );
      for (const { properties } of own) {
        for (const [name, type] of Object.entries(properties as Record<string, Json>)) {
          if (facts.includes(name)) {
            const known = types.get(name) ?? new Map<string, string>();
            types.set(name, known.set(typeOf(type), names.join(' ')));
          }
        }
      }
    }
    const several = [...types].filter(([, known]) => known.size > 1);
    assert.deepEqual(several, []);
    assert.deepEqual(
      facts.filter((fact) => !types.has(fact)),
      [],
    );
  });

  it('keeps what programs read of version 1', async () => {
    const file = path.join(referenceFolder, 'formats/answers.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as Record<string, Forms>;
    assert.ok(Object.keys(kept).length > 30);
    const broken: string[] = [];
    for (const [command, forms] of Object.entries(kept)) {
      const { stdout } = await runCommandLine([...command.split(' '), '--json-schema']);
      const now = placesIn(JSON.parse(stdout) as Json);
      for (const [place, types] of Object.entries(forms)) {
        // What could be absent may always be there now.
        const found = now[place] ?? now[place.replaceAll('?', '')];
        const isRead = found?.split(' ').every((type) => types === 'any' || types.split(' ').includes(type));
        if (isRead !== true) {
          broken.push(`${command}: ${place}: ${types} became ${found ?? 'nothing'}`);
        }
      }
    }
    assert.deepEqual(broken, [], 'a later form is another version: answerVersion in src/cli/output.ts');
  });

  it('is refused by this check with a key that the schema does not name', async () => {
    const known = { version: 1, name: 'a', kind: 'custom', identity: null, apis: [] };
    await checkAnswers(['networks', '--json'], `${JSON.stringify(known)}\n`);
    for (const wrong of [
      { ...known, more: 1 },
      { ...known, name: 1 },
      { name: 'a' },
      { ...known, version: 2 },
    ]) {
      await assert.rejects(checkAnswers(['networks', '--json'], `${JSON.stringify(wrong)}\n`));
    }
    await assert.rejects(checkAnswers(['networks', '--json'], 'no JSON\n'));
  });

  describe('of a command that is run', () => {
    let localnet: LocalnetCommand;
    let folder: string;
    let receiver: Server;
    const ran = new Set<string>();

    /** The documents; each is checked against its schema as it is run. */
    const answers = async (
      args: string[],
      status: number | RegExp = 0,
      environment: NodeJS.ProcessEnv = {},
    ): Promise<Json[]> => {
      const done: CommandLineRun = await runCommandLine([...args, '--json'], environment, folder);
      if (typeof status === 'number') {
        assert.equal(done.status, status, done.stderr);
      }
      ran.add(nameOf(args));
      const lines = done.stdout.trimEnd().split('\n');
      assert.notEqual(done.stdout, '', args.join(' '));
      return lines.map((line) => JSON.parse(line) as Json);
    };
    const one = async (args: string[], status = 0): Promise<Json> => {
      const found = await answers(args, status);
      assert.equal(found.length, 1, `${args.join(' ')} prints one document`);
      return found[0]!;
    };
    const nameOf = (args: readonly string[]): string => {
      const names = commands.filter((known) => known.every((word, index) => args[index] === word));
      return names.at(-1)?.join(' ') ?? '';
    };
    const network = (): string[] => ['--network', localnet.origin];

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'tonwb-answers-'));
      await writeFile(path.join(folder, 'counter.tolk'), counterSource(1));
      await writeFile(path.join(folder, 'secret.txt'), 'a secret of at least sixteen');
      await writeFile(
        path.join(folder, 'orders.json'),
        '[{"reference":"order-1","amount":"1.5","asset":"TON"}]',
      );
      localnet = await startLocalnetCommand();
      receiver = createServer((request, response) => {
        request.resume().once('end', () => response.writeHead(200).end('ok'));
      });
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    });
    after(async () => {
      receiver.close();
      await localnet.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('fits its schema: contracts, messages, and what becomes of them', async () => {
      const deploy = ['deploy', 'counter.tolk', '--name', 'counter', '--data', '{count: 0}', ...network()];
      const deployed = await one(deploy);
      assert.equal(deployed['isDeployed'], true);
      await one(deploy);
      const called = await one(['run', 'counter', 'currentCounter', ...network()]);
      assert.equal(typeof called['gasUsed'], 'number');
      const sent = await one([
        ...['send', '--compose', 'counter Increase {by: 5} 0.1ton from bob', ...network()],
      ]);
      const steps = (sent['trace'] as { steps: { hash: string }[] }).steps;
      const hash = steps[1]!.hash;
      await writeFile(
        path.join(folder, 'steps.toncall'),
        'counter currentCounter()\nexpect 0 == 5\nsend counter Increase {by: 5} 0.1ton from bob\n',
      );
      const flows = ['alice', 'bob'].map((name) => `send Counter Increase {by: 1} 0.1ton from ${name}`);
      const scenario = ['### both', '@concurrent', 'deploy counter.tolk {count: 0} as Counter', ...flows];
      await writeFile(path.join(folder, 'orders.toncall'), `@network local\n${scenario.join('\n')}\n`);
      const explored = await one(['explore', 'orders.toncall']);
      assert.equal(typeof explored, 'object');
      const fuzzed = await one(['fuzz', 'counter.tolk', 'currentCounter', '--runs', '2']);
      assert.deepEqual([fuzzed['runs'], fuzzed['finding']], [2, null]);
      const [call, send] = await answers(['run', 'steps.toncall', ...network()]);
      assert.deepEqual([typeof call?.['gasUsed'], typeof send?.['gasUsed']], ['number', 'number']);
      await answers(['trace', 'bob', ...network()]);
      const { traces } = await one(['account', 'counter', ...network()]);
      assert.equal((traces as unknown[]).length, 3);
      await one(['networks', localnet.origin]);
      await one(['networks', 'doctor', localnet.origin]);
      await one(['localnet', 'status', ...network()]);
      await one(['faucet', 'bob', '1', ...network()]);
      await one(['doctor']);
      const made = await one(['new', 'jetton']);
      assert.deepEqual([made['sheet'], made['compiler']], ['jetton.toncall', null]);
      await one(['profile', hash, ...network()]);
      const asked = await one(['query', 'sends', hash, ...network()]);
      assert.ok(Number(asked['total']) > 0);

      await writeFile(path.join(folder, 'plan.toncall'), 'deploy counter.tolk {count: 7} 0.2ton as Seven\n');
      const away = {
        name: 'away',
        kind: 'test',
        v2: `${localnet.origin}/api/v2`,
        v3: `${localnet.origin}/api/v3`,
      };
      const [drawn] = await answers(
        ['plan', 'plan.toncall', '--network', 'away', '--from', String(deployed['address'])],
        0,
        {
          TON_NETWORKS: JSON.stringify([away]),
        },
      );
      assert.ok(Array.isArray(drawn?.['plan']));
      const verified = await one(['verify', 'counter', ...network()]);
      assert.ok(Object.keys(verified).length > 1);
      const kept = await one([
        'keep',
        hash,
        '--as',
        'sheet',
        '--exit',
        '401',
        '--source',
        'counter.tolk',
        ...network(),
      ]);
      assert.equal((kept['files'] as string[]).length, 2);
      const plain = await one(['replay', hash, ...network()]);
      const whole = await one(['replay', hash, '--steps', '--step', '5', ...network()]);
      const { stepList, atStep, ...rest } = whole;
      const listed = stepList as { step: number; gas: number; instruction: string; line?: number }[];
      assert.deepEqual({ ...rest, requests: 0 }, { ...plain, requests: 0 });
      assert.equal(listed.length, plain['steps']);
      assert.equal(
        listed.reduce((sum, { gas }) => sum + gas, 0),
        plain['gasUsed'],
      );
      assert.ok(listed.some(({ line }) => line !== undefined));
      assert.equal((atStep as { step: number }).step, 5);
      assert.equal((await answers(['replay', hash, '--trace', ...network()])).length, steps.length);
      await writeFile(path.join(folder, 'hashes.txt'), `${hash}\nnot a hash\n`);
      assert.deepEqual(
        (await answers(['replay', '--list', 'hashes.txt', ...network()], /./)).map(({ verdict }) => verdict),
        ['exact', null],
      );

      const coverage = await one(['coverage', 'counter', ...network()]);
      assert.deepEqual([coverage['asked'], coverage['withLines'], coverage['codes']], [3, 3, []]);
      const [file] = coverage['files'] as { file: string; lines: { line: number; hits: number }[] }[];
      const lcov = path.join(folder, 'counts.info');
      await runCommandLine(['coverage', 'counter', '--lcov', lcov, ...network()], {}, folder);
      const counts = [...(await readFile(lcov, 'utf8')).matchAll(/^DA:(\d+),(\d+)$/gm)];
      assert.deepEqual(
        file?.lines.map(({ line, hits }) => [line, hits]),
        counts.map(([, line, hits]) => [Number(line), Number(hits)]),
      );
      const unknown = await one(['coverage', 'bob', ...network()]);
      assert.equal((unknown['codes'] as unknown[]).length, 1);
    });

    it('fits its schema: bags of cells and endpoints', async () => {
      const boc = 'te6cckEBAQEAAgAAAEysuc0=';
      await one(['boc', boc]);
      await one(['boc', '--compare', 'te6cckEBAQEAAwAAAgHQ5Lez', boc], 1);
      const code = (await (
        await fetch(`${localnet.origin}/api/v3/accountStates?address=${localnet.rawOf('bob')}`)
      ).json()) as {
        accounts: { code_boc: string }[];
      };
      await one(['boc', path.join(referenceFolder, 'blocks/shard-4168601.boc')]);
      await one(['config', ...network()]);
      await one(['config', '--against', '1', ...network()]);
      await one(['boc', '--code', code.accounts[0]!.code_boc]);
      await one(['api', 'v3', 'masterchainInfo', ...network()]);
      const list = await one(['api', '--list']);
      endpointListSchema.parse(list['endpoints']);
    });

    it('fits its schema: webhooks', async () => {
      const { port } = receiver.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/webhook`;
      const secret = ['--secret-file', 'secret.txt'];
      const listening = await startCommandLine(
        ['webhook', 'listen', '--port', '0', '--journal', 'kept', ...secret, '--json'],
        folder,
      );
      ran.add('webhook listen');
      const listener = (JSON.parse(listening.firstLine) as { url: string }).url;
      await one(['webhook', 'send', '--url', listener, ...secret, '--scenario', 'success']);
      await one(['webhook', 'check', '--url', url, '--time-scale', '0.01', ...secret], 1);
      const [delivery] = await answers(['webhook', 'list', '--journal', 'kept']);
      const id = String(delivery?.['id']);
      await answers(['webhook', 'list', '--journal', 'kept', '--orders', 'orders.json']);
      const exported = await one(['webhook', 'list', '--journal', 'kept', '--export', 'out.jsonl']);
      assert.deepEqual(exported, { version: 1, exported: 1, file: 'out.jsonl' });
      await one(['webhook', 'resend', id, '--journal', 'kept', '--url', url]);
      await one(['webhook', 'verify', 'out.jsonl', ...network()], 1);
      const made = await one(['webhook', 'new', '--framework', 'express']);
      assert.equal((made['files'] as string[]).length, 2);
      listening.child.kill('SIGTERM');
      await listening.ended;
    });

    it('fits its schema: what runs until it is stopped', async () => {
      for (const [names, ...args] of [
        [['localnet'], '--port', '0'],
        [['payments'], ...network()],
        [['wallet'], ...network()],
        [['stream'], 'alice', ...network()],
        [['debug'], '--dap', '0', 'alice', ...network()],
      ] as const) {
        if (names[0] === 'debug') {
          await runCommandLine(['send', '--compose', 'bob 0.1ton from alice', ...network()]);
        }
        const started = await startCommandLine([...names, ...args, '--json'], folder);
        started.child.kill('SIGTERM');
        await started.ended;
        ran.add(names.join(' '));
      }
    });

    it('fits its schema: tests of a project', async () => {
      await mkdir(path.join(folder, 'node_modules'));
      await symlink(
        path.join(root, 'node_modules/mocha'),
        path.join(folder, 'node_modules/mocha'),
        'junction',
      );
      await writeFile(path.join(folder, 'package.json'), '{ "scripts": { "test": "mocha sums.cjs" } }');
      await writeFile(path.join(folder, 'sums.cjs'), "it('adds', () => {});");
      const { passed, failed, records } = await one(['test', 'sums.cjs']);
      assert.deepEqual([passed, failed, records], [1, 0, 0]);
    });

    it('was seen of every command', () => {
      assert.deepEqual(
        commands.map((names) => names.join(' ')).filter((names) => !ran.has(names)),
        [],
      );
    });
  });
});
