import assert from 'node:assert/strict';
import { beginCell, Cell, getMethodId } from '@ton/core';
import { WalletContractV1R3, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { runTolkCompiler } from '@ton/tolk-js';
import { codeMethods } from '../../../src/toolkit/contracts/abi/codeMethods';

const publicKey = Buffer.alloc(32, 1);

describe('abi: get-methods in compiled code', () => {
  it('are found by id, and named if the name is common', async () => {
    const compiled = await runTolkCompiler({
      entrypointFileName: 'c.tolk',
      fsReadCallback: () =>
        'fun onInternalMessage(in: InMessage) {}\nget fun seqno(): int { return 1; }\nget fun unheardOf(): int { return 2; }\n@method_id(70000) fun numbered(): int { return 3; }',
    });
    assert.ok(compiled.status === 'ok');
    const methods = codeMethods(Cell.fromBase64(compiled.codeBoc64));
    assert.deepEqual(
      new Set(methods?.map(({ id, name }) => name ?? id)),
      new Set(['seqno', getMethodId('unheardOf'), 70000]),
    );
  });

  it('are found in the wallets that have a dispatcher', () => {
    const names = (code: Cell): (string | undefined)[] => codeMethods(code)?.map(({ name }) => name) ?? [];
    assert.ok(
      names(WalletContractV4.create({ workchain: 0, publicKey }).init.code).includes('get_plugin_list'),
    );
    const v5 = names(WalletContractV5R1.create({ publicKey }).init.code);
    for (const name of [
      'seqno',
      'get_public_key',
      'get_subwallet_id',
      'is_signature_allowed',
      'get_extensions',
    ]) {
      assert.ok(v5.includes(name), name);
    }
  });

  it('are not guessed if the code starts differently', () => {
    assert.equal(codeMethods(WalletContractV1R3.create({ workchain: 0, publicKey }).init.code), undefined);
    assert.equal(codeMethods(new Cell()), undefined);
    const broken = beginCell()
      .storeBuffer(Buffer.from('FF00F4A413F4BC', 'hex'))
      .storeRef(beginCell().storeUint(1, 5))
      .endCell();
    assert.equal(codeMethods(broken), undefined);
  });
});
