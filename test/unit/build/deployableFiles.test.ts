import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Cell, contractAddress } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../../scripts/lib/root.mjs';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { contractName, readBuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { executeGetMethod } from '../../../src/toolkit/localnet/chain/executeGetMethod';
import { methodIdOf } from '../../../src/toolkit/contracts/abi/methodIdOf';
import { sendAs } from '../../../src/toolkit/localnet/control/sendAs';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { addressOf, testChain } from '../localnet/support/testChain';

// Made by Tact 1.6.13; without the parts that deploying does not read.
const packages = {
  parameters:
    '{"name":"Counter","code":"te6ccgEBAwEAeAABtP8Ajoj0pBP0vPLIC+1TII5FMAHQctch0gDSAPpAIRA0UGZvBPhhAvhi7UTQ+kDTH9I/VSBsE18DAZEw4HAh10kgwh+VMQHTHzCRMuLAAAHBIbDc8sCC4e1D2QEBKaZmhjtRND6QNMf0j9VIGwT2zxsMYAIAAiA=","init":{"kind":"direct","args":[{"name":"owner","type":{"kind":"simple","type":"address","optional":false}},{"name":"id","type":{"kind":"simple","type":"uint","optional":false,"format":32}},{"name":"count","type":{"kind":"simple","type":"int","optional":false,"format":64}}],"deployment":{"kind":"system-cell","system":null}}}',
  init: '{"name":"Old","code":"te6ccgEBAwEArgAB/v8Ajoj0pBP0vPLIC+1TII5qMAHQctch0gDSAPpAIRA0UGZvBPhhAvhi7UTQ0gABmvpAgQEB1wBZbBKb+kCBAQHXAFkC0QHiA5JfA+BwItdJIMIflTEC0x8wkTPiwAACwSESsI4RAch/AcoAWQLOgQEBzwDJ7VTgW/LAguHtQ9kBAUumZoY7UTQ0gABmvpAgQEB1wBZbBKb+kCBAQHXAFkC0QHi2zxsIYAIAAiA=","init":{"kind":"direct","args":[{"name":"owner","type":{"kind":"simple","type":"address","optional":false}},{"name":"count","type":{"kind":"simple","type":"int","optional":false,"format":257}}],"prefix":{"bits":1,"value":0},"deployment":{"kind":"system-cell","system":null}}}',
  plain:
    '{"name":"Plain","code":"te6ccgEBAwEAkgAB4P8Ajoj0pBP0vPLIC+1TII5bMAHQctch0gDSAPpAIRA0UGZvBPhhAvhi7UTQ0gABl4EBAdcAATGSMHXiApFb4HAh10kgwh+VMQHTHzCRMuLAAAHBIbCOEKTIfwHKAAEBgQEBzwDJ7VTgMPLAguHtQ9kBATGmZoY7UTQ0gABl4EBAdcAATGSMHXi2zwxgAgACIA==","init":{"kind":"direct","args":[],"prefix":{"bits":1,"value":0},"deployment":{"kind":"system-cell","system":null}}}',
};

const accounts = new Map([['alice', addressOf('alice')]]);

function cellOf(text: string): Cell {
  const [value] = parseStackText(text, { accounts });
  assert.ok(value && 'cell' in value);
  return value.cell;
}

/** Deploys it on a chain and asks it for its counter. */
async function counterOf(built: BuiltContract, data: string): Promise<bigint> {
  const chain = await testChain();
  const init = { code: Cell.fromBase64(built.code), data: cellOf(data) };
  const address = contractAddress(0, init);
  const to = `0:${address.hash.toString('hex').toUpperCase()}`;
  await sendAs(chain, { from: addressOf('bob'), to, value: 1_000_000_000n, init, bounce: false });
  await chain.mine();
  await chain.mine();
  const { exitCode, stack } = await executeGetMethod(chain, to, methodIdOf('counter'), []);
  assert.equal(exitCode, 0);
  const [counter] = stack;
  assert.equal(counter?.type, 'int');
  return counter.value;
}

describe('deployable files', () => {
  it("start a Tact contract with parameters with the values in its package's template", async () => {
    const built = readBuiltContract(packages.parameters, '/build/c.pkg');
    assert.equal(built.name, 'Counter');
    assert.deepEqual(built.initial, {
      text: 'b(addr @alice, u32 0, i64 0)',
      parameters: 'owner: address, id: uint as 32, count: int as 64',
    });
    assert.equal(await counterOf(built, built.initial.text), 0n);
    assert.equal(await counterOf(built, 'b(addr @alice, u32 1, i64 -42)'), -42n);
  });

  it('start a Tact contract with init() with data that says that it has not run', async () => {
    const built = readBuiltContract(packages.init, '/build/o.pkg');
    assert.equal(built.initial?.text, 'b(u1 0, addr @alice, i257 0)');
    assert.equal(await counterOf(built, 'b(u1 0, addr @alice, i257 7)'), 7n);
    const plain = readBuiltContract(packages.plain, '/build/p.pkg');
    assert.deepEqual(plain.initial, { text: 'b(u1 0)', parameters: '' });
    // It is deployed with an empty message, which its receive() counts.
    assert.equal(await counterOf(plain, plain.initial.text), 6n);
  });

  it('omit arguments that cannot be written inline, and keep the system cell of an older compiler before them', () => {
    const { init, ...rest } = JSON.parse(packages.init) as { init: { args: object[]; deployment: object } };
    const struct = { name: 'config', type: { kind: 'dict', key: 'int', value: 'int' } };
    const text = JSON.stringify({
      ...rest,
      compiler: { name: 'tact', version: '1.5.4' },
      init: {
        ...init,
        args: [...init.args, struct],
        deployment: { kind: 'system-cell', system: Cell.EMPTY.toBoc().toString('base64') },
      },
    });
    const { initial } = readBuiltContract(text, 'x.pkg');
    assert.equal(initial?.text, `b(ref ${Cell.EMPTY.toBoc().toString('base64')}, u1 0)`);
    assert.match(initial.parameters, /config: dict$/);
    assert.equal(cellOf(initial.text).refs.length, 1);
  });

  it("are read from Blueprint's and compilers' output, with the file's name for the contract if necessary", async () => {
    const file = path.join(root, 'examples/build/Counter.compiled.json');
    const built = readBuiltContract(readFileSync(file, 'utf8'), file);
    assert.equal(built.name, 'Counter');
    const compiled = await runTolkCompiler({
      entrypointFileName: 'main.tolk',
      fsReadCallback: () => 'fun onInternalMessage(in: InMessage) {}',
    });
    assert.equal(compiled.status, 'ok');
    const tolk = readBuiltContract(JSON.stringify(compiled), 'C:\\out\\my wallet.json');
    assert.equal(tolk.name, 'MyWallet');
    assert.equal(tolk.codeHash, compiled.codeHashHex.toLowerCase());
    const func = readBuiltContract(JSON.stringify({ status: 'ok', codeBoc: built.code }), 'a.json');
    assert.equal(func.codeHash, built.codeHash);
    assert.equal(contractName('/x/123.tolk'), 'contract');
    for (const file of ['func_counter.fc', 'contracts/func-counter', 'build/FuncCounter.compiled.json']) {
      assert.equal(contractName(file), 'FuncCounter');
    }
    assert.equal(contractName('My_Token.tact'), 'My_Token');
    for (const text of ['', '[]', '{}', '{"hex":"00"}', '{"code":"!"}', '{"code":{}}']) {
      assert.throws(
        () => readBuiltContract(text, 'x.json'),
        (error: unknown) => WorkbenchError.is(error, 'build-unreadable'),
        text,
      );
    }
  });

  it('are compiled from Tolk with its imports; compiler errors have their positions', async () => {
    const files: Record<string, string> = {
      '/w/counter.tolk':
        'import "lib"\nfun onInternalMessage(in: InMessage) {}\nget fun counter(): int { return seven(); }\n',
      '/w/lib.tolk': 'fun seven() { return 7; }\n',
    };
    const read = (file: string): string => {
      const text = files[file];
      if (text === undefined) {
        throw new Error(`no ${file}`);
      }
      return text;
    };
    const built = await compileTolk('/w/counter.tolk', read);
    assert.equal(built.name, 'Counter');
    assert.equal(await counterOf(built, 'b()'), 7n);
    files['/w/lib.tolk'] = '\nfun seven() { return eight(); }\n';
    await assert.rejects(compileTolk('/w/counter.tolk', read), (error: unknown) => {
      assert.ok(WorkbenchError.is(error, 'compile-failed'));
      assert.deepEqual(error.details['problems'], [
        { path: '/w/lib.tolk', line: 2, column: 22, length: 5, message: 'undefined symbol `eight`' },
      ]);
      return true;
    });
    delete files['/w/lib.tolk'];
    await assert.rejects(compileTolk('/w/counter.tolk', read), (error: unknown) => {
      assert.ok(WorkbenchError.is(error, 'compile-failed'));
      const [problem] = error.details['problems'] as { path: string; line: number }[];
      assert.deepEqual([problem?.path, problem?.line], ['/w/counter.tolk', 1]);
      return true;
    });
  });
});
