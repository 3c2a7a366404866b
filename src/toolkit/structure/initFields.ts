import type { StateInit } from '@ton/core';
import type { DecodedBody } from '../opcodes/decodedBody';
import { walletCodes } from '../opcodes/walletCodes';
import { field } from './structure';

/** Code, data, and so on of a contract (block.tlb: StateInit); a known wallet is named. */
export function initFields(init: StateInit): DecodedBody['fields'] {
  const codeHash = init.code?.hash().toString('hex');
  const wallet = codeHash === undefined ? undefined : walletCodes.get(codeHash)?.name;
  return [
    ...(wallet === undefined ? [] : [field.text('contract', wallet)]),
    ...(init.splitDepth == null ? [] : [field.integer('split_depth', init.splitDepth)]),
    ...(init.special == null
      ? []
      : [field.flag('tick', init.special.tick), field.flag('tock', init.special.tock)]),
    ...(codeHash === undefined ? [] : [field.bytes('code_hash', codeHash)]),
    ...(init.code == null ? [] : [field.cell('code', init.code)]),
    ...(init.data == null ? [] : [field.cell('data', init.data)]),
    ...(init.libraries?.size ? [field.integer('libraries', init.libraries.size)] : []),
  ];
}
