import { beginCell, Cell } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { codeTitle } from '../../../src/toolkit/contracts/abi/codeTitle';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { vaultSource } from '../../support/vaultSource';

describe('abi: the title of a cell with code', () => {
  it('names the contract whose source compiles to it, and counts its get-methods', async () => {
    const { code, codeHash } = await compileTolk('contracts/vault.tolk', () => vaultSource);
    const cell = Cell.fromBase64(code);
    const built = { name: 'Vault', file: 'contracts/vault.tolk', codeHash, methods: [], errors: new Map() };
    assert.equal(codeTitle(cell, [built]), 'code of Vault (contracts/vault.tolk), 2 get-methods');
    assert.equal(
      codeTitle(cell, [{ ...built, codeHash: '00'.repeat(32) }]),
      'code of a contract without a matching source in the workspace, 2 get-methods',
    );
  });

  it('names a wallet by its version', () => {
    const { code } = WalletContractV5R1.create({ publicKey: Buffer.alloc(32, 1) }).init;
    assert.match(
      codeTitle(code, [], { wallet: 'wallet v5 r1' }) ?? '',
      /^code of wallet v5 r1, \d get-methods$/,
    );
  });

  it('is undefined for a cell that is not code', () => {
    assert.equal(codeTitle(beginCell().storeUint(7, 32).endCell(), []), undefined);
  });
});
