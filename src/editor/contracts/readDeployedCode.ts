import { Cell } from '@ton/core';
import type { DeployedCode } from '../../toolkit/abi/describeContract';
import { walletCodes } from '../../toolkit/opcodes/walletCodes';

/** A contract's code with its hash, and the wallet that it is, if it is one. `boc` is in base64. */
export function readDeployedCode(boc: string): DeployedCode {
  const code = Cell.fromBase64(boc);
  const codeHash = code.hash().toString('hex');
  const wallet = walletCodes.get(codeHash)?.name;
  return { code, codeHash, ...(wallet === undefined ? {} : { wallet }) };
}
