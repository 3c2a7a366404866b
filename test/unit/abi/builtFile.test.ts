import assert from 'node:assert/strict';
import { builtFile } from '../../../src/toolkit/abi/builtFile';

describe('the file from which a contract is deployed', () => {
  const tolk = '/p/contracts/vault.tolk';
  const pkg = '/p/build/Vault/Vault_Vault.pkg';
  const build = '/p/build/Vault.compiled.json';

  it("is Blueprint's output before Tact's package before the Tolk source", () => {
    assert.equal(builtFile('Vault', [tolk, pkg, build]), build);
    assert.equal(builtFile('vault', [tolk, pkg]), pkg);
    assert.equal(builtFile('Vault', [tolk]), tolk);
  });

  it('meets a FunC or Tact source by its name, however that is written', () => {
    assert.equal(
      builtFile('jetton-minter', ['/p/build/JettonMinter.compiled.json']),
      '/p/build/JettonMinter.compiled.json',
    );
    assert.equal(builtFile('JettonMinter', ['/p/out/shop_JettonMinter.pkg']), '/p/out/shop_JettonMinter.pkg');
  });

  it('is undefined where nothing was built: neither a FunC or Tact source nor the output of another contract is code', () => {
    assert.equal(builtFile('wallet', ['/p/wallet.fc', '/p/wallet.tact', build, pkg, tolk]), undefined);
  });
});
