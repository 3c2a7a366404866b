import assert from 'node:assert/strict';
import { builtFile } from '../../../src/toolkit/abi/builtFile';

describe('the file that a contract is deployed from', () => {
  const tolk = '/p/contracts/vault.tolk';
  const pkg = '/p/build/Vault/Vault_Vault.pkg';
  const build = '/p/build/Vault.compiled.json';

  it("is Blueprint's output rather than Tact's package, and that rather than the Tolk source", () => {
    assert.equal(builtFile('Vault', [tolk, pkg, build]), build);
    assert.equal(builtFile('vault', [tolk, pkg]), pkg);
    assert.equal(builtFile('Vault', [tolk]), tolk);
  });

  it('matches a FunC or Tact source by name, in any spelling', () => {
    assert.equal(
      builtFile('jetton-minter', ['/p/build/JettonMinter.compiled.json']),
      '/p/build/JettonMinter.compiled.json',
    );
    assert.equal(builtFile('JettonMinter', ['/p/out/shop_JettonMinter.pkg']), '/p/out/shop_JettonMinter.pkg');
  });

  it("is undefined if nothing was built: neither a FunC or Tact source nor another contract's output is code", () => {
    assert.equal(builtFile('wallet', ['/p/wallet.fc', '/p/wallet.tact', build, pkg, tolk]), undefined);
  });
});
