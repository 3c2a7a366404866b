import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beginCell } from '@ton/core';
import ts from 'typescript';
import { pace } from '../../scripts/lib/pace.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import type { Network } from '../../src/toolkit/access/network';
import { exportAsTest } from '../../src/toolkit/getMethods/exportAsTest';
import { exportAsCurl, exportAsTypeScript } from '../../src/toolkit/getMethods/exportedCall';
import type { ExportedCall } from '../../src/toolkit/getMethods/exportedCall';
import { runGetMethod } from '../../src/toolkit/getMethods/runGetMethod';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { parseStackText } from '../../src/toolkit/stack/parseStackText';
import { compileContract } from '../support/localTraces';

/** Answers what it was given, in every type that a stack can carry. */
const echo = `
fun onInternalMessage(in: InMessage) {}
get fun numbers(a: int, b: int): (int, int) { return (b, a); }
get fun who(a: address): (address, bool) { return (a, true); }
get fun cells(a: cell, b: slice): (cell, slice) { return (a, b); }
get fun parts(a: tuple, b: int): (tuple, int?) { return (a, null); }
get fun fails(): int { throw 73; }
`;

const address = '0:a3935861f79daf59a13d6d182e1640210c02f98e3df18fda74b8f5ab141abf18';
const calls: Readonly<Record<string, string>> = {
  numbers: '-1 1157920892373161954235709850086879078532699846656405640394575840079131296399',
  who: `addr ${address}`,
  cells: 'cell b(u32 7, ref b(str "it\'s")) slice x{4A_}',
  parts: '[1, [2, -3], null] 9',
  fails: '',
};

interface Printed {
  gasUsed: number;
  stack: { items: { type: string; value?: string }[] };
}

describe('an exported call, run elsewhere', () => {
  let localnet: Localnet;
  let network: Network;
  let access: Access;
  let contract: string;
  let folder: string;

  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    const { v2, v3 } = localnet;
    network = { name: 'Local', kind: 'local', v2, v3, globalId: -239 };
    access = createAccess({ network });
    const { code } = await compileContract(echo);
    const init = {
      code: code?.toBoc().toString('base64') ?? '',
      data: beginCell().endCell().toBoc().toString('base64'),
    };
    contract = (await callControl(localnet.control, 'deploy', init)).address;
    // Below the project, so that node finds @ton/ton.
    await mkdir(path.join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(path.join(root, '.cache/exported-'));
  });
  after(async () => {
    await localnet?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const callOf = (method: string): ExportedCall => ({
    network,
    address: contract,
    method,
    stack: parseStackText(calls[method] ?? ''),
  });
  const runFile = async (name: string, text: string, flags: readonly string[] = []): Promise<string> => {
    const file = path.join(folder, name);
    // As TypeScript it was exported, as what that says node runs it.
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    await writeFile(file, outputText);
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, file], {
      timeout: 30_000 * pace,
    });
    return stdout;
  };
  /** A module that is JavaScript too prints JSON instead of what the console makes of it. */
  const asJson = (text: string): string =>
    text
      .replace(
        'console.log({ gasUsed, stack })',
        `console.log(JSON.stringify({ gasUsed, stack }, (_, value) => typeof value === 'bigint' ? String(value) : value))`,
      )
      .replace('console.log(result)', 'console.log(JSON.stringify(result))');

  for (const method of Object.keys(calls)) {
    it(`${method}: returns the same answer as TypeScript`, async () => {
      const call = callOf(method);
      const own = await runGetMethod(access, call);
      const running = runFile(`${method}.mjs`, asJson(exportAsTypeScript(call)));
      if (method === 'fails') {
        await assert.rejects(running, /73/);
        return;
      }
      if (method === 'parts') {
        const answer = JSON.parse(await running) as { exit_code: number; stack: unknown };
        assert.deepEqual([answer.exit_code, answer.stack], [0, own.raw]);
        return;
      }
      const { gasUsed, stack } = JSON.parse(await running) as Printed;
      assert.equal(gasUsed, own.gasUsed);
      assert.deepEqual(
        stack.items.filter(({ type }) => type === 'int').map(({ value }) => BigInt(value ?? 0)),
        own.stack.flatMap(({ value }) => (value.type === 'int' ? [value.value] : [])),
      );
      assert.equal(stack.items.length, own.stack.length);
    });

    it(`${method}: passes as a test, and fails once the answer changes`, async () => {
      const call = callOf(method);
      const own = await runGetMethod(access, call);
      const text = exportAsTest(call, own, 'node:test');
      assert.match(await runFile(`${method}.test.mjs`, text, ['--test']), /# pass 1/);
      const other = text.replace(
        /readBigNumber\(\), |\/73\/|toRawString\(\), '|base64'\), '|"number":"/,
        '$&9',
      );
      assert.notEqual(other, text);
      const failing = runFile(`${method}.other.test.mjs`, other.replace('/73/9', '/9973/'), ['--test']);
      await assert.rejects(failing, ({ stdout }: { stdout: string }) => /# fail 1/.test(stdout));
    });

    it(`${method}: asks the same as curl`, async () => {
      const call = callOf(method);
      const own = await runGetMethod(access, call);
      // The shell's own reading of the command; a machine need not have curl.
      const script = `curl() { printf '%s\\0' "$@"; }\n${exportAsCurl(call)}`;
      const args = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0');
      const body = args[args.indexOf('-d') + 1] ?? '';
      const answer = await fetch(args[0] ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const json = (await answer.json()) as { exit_code?: number; result?: { exit_code: number } };
      assert.equal(json.exit_code ?? json.result?.exit_code, own.exitCode);
    });
  }
});
