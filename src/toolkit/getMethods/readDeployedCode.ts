import { Cell } from '@ton/core';
import type { DeployedCode } from '../contracts/abi/contractDescription';
import type { Access, CallOptions } from '../access/createAccess';
import type { Network } from '../access/network';
import { walletCodes } from '../contracts/opcodes/walletCodes';

/** The part of Access that is needed here. */
export interface CodeAccess {
  readonly network: Network;
  readonly v2: Pick<Access['v2'], 'getAddressInformation'>;
  readonly v3: Pick<Access['v3'], 'accountStates'>;
}

/**
 * A contract's code, over v3 if available, with its wallet version, if it is a wallet.
 *
 * @param address raw
 * @throws WorkbenchError the errors of access
 */
export async function readDeployedCode(
  access: CodeAccess,
  address: string,
  options: CallOptions = {},
): Promise<DeployedCode> {
  if (access.network.v3 === undefined) {
    const { code } = await access.v2.getAddressInformation({ address }, options);
    return readBoc(code);
  }
  const { accounts } = await access.v3.accountStates({ address: [address], include_boc: true }, options);
  const account = accounts?.[0];
  return { ...readBoc(account?.code_boc), methodIds: account?.contract_methods ?? [] };
}

/** `boc` is in base64. */
function readBoc(boc: string | null | undefined): DeployedCode {
  if (boc === undefined || boc === null || boc === '') {
    return {};
  }
  const code = Cell.fromBase64(boc);
  const codeHash = code.hash().toString('hex');
  const wallet = walletCodes.get(codeHash)?.name;
  return { code, codeHash, ...(wallet === undefined ? {} : { wallet }) };
}
