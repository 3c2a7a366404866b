import { beginCell, Cell, contractAddress, storeStateInit } from '@ton/core';
import type { Access } from '../access/createAccess';
import type { BuiltContract } from '../build/readBuiltContract';
import { readDeployedCode } from '../getMethods/readDeployedCode';

/** A contract that can be deployed, and where it will be. */
export interface Deployment {
  name: string;
  /** Raw, lower-case hex: what code and data give in the basechain. */
  address: string;
  code: Cell;
  data: Cell;
  /** Of the code cell, lower-case hex. */
  codeHash: string;
  /** Code and data as a StateInit, a BoC in base64: what a message carries to deploy the contract. */
  stateInit: string;
  /** There is a contract at the address already; its data may have changed since. */
  isDeployed: boolean;
}

/**
 * What deploying a built contract with these initial data means; nothing is sent.
 * @throws WorkbenchError of the network
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
