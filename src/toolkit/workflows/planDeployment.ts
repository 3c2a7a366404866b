import { beginCell, Cell, contractAddress, storeStateInit } from '@ton/core';
import type { Access } from '../access/createAccess';
import type { BuiltContract } from '../build/readBuiltContract';
import { readDeployedCode } from '../getMethods/readDeployedCode';

/** A contract that can be deployed, and its address. */
export interface Deployment {
  name: string;
  /** Raw, lowercase hex: determined by code and data, in the basechain. */
  address: string;
  code: Cell;
  data: Cell;
  /** Of the code cell, lowercase hex. */
  codeHash: string;
  /** Code and data as a StateInit, a BoC in base64: carried by the deploying message. */
  stateInit: string;
  /** There is already a contract at the address; its data may have changed since. */
  isDeployed: boolean;
}

/**
 * Plans the deployment of a built contract with this initial data; nothing is sent.
 * @throws WorkbenchError the network's errors
 */
export async function planDeployment(
  access: Access,
  { name, code: boc, codeHash }: BuiltContract,
  data: Cell,
  signal?: AbortSignal,
): Promise<Deployment> {
  const code = Cell.fromBase64(boc);
  const address = contractAddress(0, { code, data }).toRawString();
  const stateInit = beginCell().store(storeStateInit({ code, data })).endCell();
  const deployed = await readDeployedCode(access, address, { signal, priority: 'user' });
  return {
    ...{ name, address, code, data, codeHash },
    stateInit: stateInit.toBoc().toString('base64'),
    isDeployed: deployed.codeHash !== undefined,
  };
}
