import assert from 'node:assert/strict';
import { builtFile } from '../../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { readArtifact } from '../../../src/toolkit/project/readArtifact';
import type { ProjectFile } from '../../../src/toolkit/contracts/abi/projectFile';

const code = 'te6ccgEBAgEAFAABFP8A9KQT9LzyyAsBAArTMPiR3A==';
const hex = Buffer.from(code, 'base64').toString('hex');
const entry = 'fun onInternalMessage(in: InMessage) { }';
const file = (path: string, text: string): ProjectFile => ({ path, text });
const tolk = file('contracts/vault.tolk', entry);
const pkg = file('out/Vault/shop_Vault.pkg', JSON.stringify({ name: 'Vault', code }));
const blueprint = file('build/Vault.compiled.json', JSON.stringify({ hex }));
const acton = file('build/Vault.json', JSON.stringify({ code_boc64: code }));

/** The file for a contract of a project. */
async function of(name: string, ...files: ProjectFile[]): Promise<string | undefined> {
  return builtFile(await readProject(files, (path, error) => assert.fail(`${path}: ${String(error)}`)), {
    name,
  });
}

describe('the file that a contract is deployed from', () => {
  it('is what its build has written, of any tool, rather than the Tolk source', async () => {
    for (const built of [blueprint, acton, pkg]) {
      assert.equal(await of('Vault', tolk, built), built.path);
    }
    assert.equal(await of('Vault', tolk), tolk.path);
  });

  it('matches a FunC or Tact source by name, in any spelling', async () => {
    const minter = file('build/JettonMinter.compiled.json', JSON.stringify({ hex }));
    assert.equal(
      await of('jetton-minter', minter, file('contracts/jetton-minter.fc', '() recv_internal() { }')),
      minter.path,
    );
    assert.equal(await of('JettonMinter', minter), minter.path);
  });

  it('is that of the current text, if others are older', async () => {
    const bundle = (path: string, hash: string): ProjectFile =>
      file(
        path,
        JSON.stringify({
          name: 'Vault',
          code_boc64: code,
          bundle: { entrypoint: tolk.path, files: [{ path: tolk.path, content_hash: hash }] },
        }),
      );
    const current = '2c5a5d4b8d2e4a4b0f0f3b2b6f2a7c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f7';
    assert.equal(await of('Vault', tolk, bundle('a/Vault.source.json', current), pkg), pkg.path);
  });

  it("is undefined if nothing was built: neither a FunC or Tact source nor another contract's output is code", async () => {
    const sources = [
      file('wallet.fc', '() recv_internal() { }'),
      file('other/wallet.tact', 'contract Wallet { receive() { } }'),
    ];
    for (const source of sources) {
      assert.equal(await of('wallet', source, blueprint, pkg, tolk), undefined);
    }
  });

  it('says what to give instead of a file that no compiler has written', () => {
    for (const [name, next] of [
      ['Vault.compiled.json', /Run the project's build again/],
      ['vault.toncall', /Give a source \(\*\.tolk, /],
    ] as const) {
      assert.throws(
        () => readArtifact('vault kept()', name),
        (error) => WorkbenchError.is(error, 'build-unreadable') && next.test(error.hint ?? ''),
      );
    }
  });
});
