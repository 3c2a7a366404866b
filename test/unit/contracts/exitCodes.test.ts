import assert from 'node:assert/strict';
import { tactErrorCode } from '../../../src/toolkit/contracts/abi/readSourceErrors';
import { explainExitCode, exitWords, skipReasons } from '../../../src/toolkit/contracts/exitCodes';

describe('exit codes', () => {
  it('have different meanings in different phases', () => {
    assert.equal(explainExitCode(34, 'action')?.name, 'invalid action');
    assert.equal(explainExitCode(34, 'compute'), undefined);
    assert.equal(explainExitCode(37, 'action')?.name, 'not enough coins');
    assert.equal(explainExitCode(37, 'compute'), undefined);
  });

  it('are explained only by the TVM, the contract, and the standard it is known to follow', () => {
    assert.equal(explainExitCode(9, 'compute')?.by, 'machine');
    assert.equal(explainExitCode(-14, 'compute')?.name, explainExitCode(13, 'compute')?.name);
    const codes = [33, 35, 47, 73, 128, 132, 137, 401, 402, 705, 65535];
    assert.deepEqual(
      codes.filter((code) => explainExitCode(code, 'compute') !== undefined),
      [],
    );
    assert.equal(exitWords(402, 'compute'), 'defined by the contract or its compiler');
    assert.equal(exitWords(402, 'compute', { standards: ['FunC'] }), 'defined by the contract');
    const errors = new Map([[402, 'ERR_OVER_LIMIT']]);
    assert.deepEqual(explainExitCode(402, 'compute', { errors, standards: ['nft_item'] }), {
      name: 'ERR_OVER_LIMIT',
      by: 'contract',
    });
    assert.equal(exitWords(1, 'compute', { errors: new Map([[1, 'ERR']]) }), 'success');
  });

  it('have different meanings in different standards, under any of their names', () => {
    const words = (code: number, ...standards: string[]): string => exitWords(code, 'compute', { standards });
    assert.equal(words(402, 'NFT item'), 'not enough coins for the transfer');
    assert.equal(words(402, 'nft_item'), 'not enough coins for the transfer');
    assert.equal(words(402, 'nft_collection'), 'wrong index');
    assert.equal(words(402, 'jetton_wallet'), 'defined by the contract or its compiler');
    assert.equal(words(402, 'SBT item', 'NFT item'), 'defined by the contract or its compiler');
    assert.equal(words(133, 'Tact'), 'contract stopped');
    assert.equal(words(133, 'wallet_v5r1'), 'wrong seqno');
    assert.equal(words(133, 'wallet v5 beta'), 'defined by the contract or its compiler');
    assert.equal(words(133, 'wallet v4 r2'), 'defined by the contract or its compiler');
    assert.equal(words(33, 'wallet_v3r1'), 'wrong seqno');
    assert.equal(words(73, 'jetton_master'), 'not the owner');
    assert.equal(words(73, 'jetton minter'), 'not the owner');
  });

  it("include those that the language's compiler throws, if the language is known", () => {
    const words = (code: number, ...standards: string[]): string => exitWords(code, 'compute', { standards });
    assert.equal(words(63, 'Tolk'), 'unknown opcode or prefix');
    assert.equal(words(63, 'jetton_wallet', 'Tolk'), 'unknown opcode or prefix');
    assert.equal(words(63, 'FunC'), 'defined by the contract');
    assert.equal(words(63), 'defined by the contract or its compiler');
    assert.equal(words(65535, 'Tolk'), 'unknown message, by convention');
    assert.equal(words(tactErrorCode('Contract not stopped'), 'Tact'), 'Contract not stopped');
    assert.equal(words(tactErrorCode('Invalid DNS name'), 'Tact'), 'Invalid DNS name');
  });

  it('include the codes that servers return if nothing ran', () => {
    assert.equal(explainExitCode(-13, 'get-method')?.name, 'no contract');
    assert.equal(explainExitCode(-13, 'compute'), undefined);
    assert.deepEqual([...skipReasons.keys()].sort(), ['bad_state', 'no_gas', 'no_state', 'suspended']);
  });
});
