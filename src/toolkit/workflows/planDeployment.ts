import { beginCell, Cell, contractAddress, storeStateInit } from '@ton/core';
import type { Access, CallOptions } from '../access/createAccess';
import type { BuiltContract } from '../build/readBuiltContract';
import { deploymentFate } from '../send/deploymentFate';
import type { DeploymentFate } from '../send/deploymentFate';

/** A contract that can be deployed, and its address. */
export interface Deployment {
  name: string;
  /** Raw, lowercase hex: determined by code and data, in the basechain. */
  address: string;
  code: Cell;
  data: Cell;
  /** Of the code cell, lowercase hex. */
  codeHash: string;
  /** What compiled it here, and how; undefined for what was compiled before. */
  compiledBy: string | undefined;
  /** Code and data as a StateInit, a BoC in base64: carried by the deploying message. */
  stateInit: string;
  /**
   * Whether there is already a contract at the address; its data may have changed since it was deployed.
   * Undefined if the network does not say.
   */
  isDeployed: boolean | undefined;
}

/**
 * Plans the deployment of a built contract with this initial data; nothing is sent.
 * @throws WorkbenchError the network's errors
 */
export async function planDeployment(
  access: Access,
  { name, code: boc, codeHash, compiledBy }: BuiltContract,
  data: Cell,
  signal?: AbortSignal,
): Promise<Deployment> {
  const code = Cell.fromBase64(boc);
  const address = contractAddress(0, { code, data }).toRawString();
  const stateInit = beginCell().store(storeStateInit({ code, data })).endCell();
  return {
    ...{ name, address, code, data, codeHash, compiledBy },
    stateInit: stateInit.toBoc().toString('base64'),
    isDeployed: await hasContract(access, address, { signal, priority: 'user' }),
  };
}

/** Whether there is a contract at a raw address; undefined if the network does not say. */
export async function hasContract(
  access: Access,
  address: string,
  call: CallOptions,
): Promise<boolean | undefined> {
  if (access.network.v3 === undefined) {
    return (await access.v2.getAddressInformation({ address }, call)).code !== '';
  }
  const { accounts } = await access.v3.accountStates({ address: [address], include_boc: false }, call);
  const [account] = accounts ?? [];
  if (account === undefined) {
    return accounts === undefined ? undefined : false;
  }
  if (account.code_hash != null || account.status === 'active') {
    return true;
  }
  return account.status == null ? undefined : false;
}

/** What became of the contract at a raw address with the message that has deployed it, by its own transaction. */
export async function deployedFate(
  access: Access,
  address: string,
  call: CallOptions,
): Promise<DeploymentFate> {
  if (access.network.v3 === undefined) {
    return 'unknown';
  }
  const { transactions } = await access.v3.transactions({ account: [address], limit: 10 }, call);
  return deploymentFate(transactions?.find(({ orig_status }) => orig_status !== 'active'));
}

/** The oldest transaction of a new contract, as far as it is near; undefined if the network does not say. */
export async function firstTransaction(
  access: Access,
  address: string,
  call: CallOptions,
): Promise<{ hash: string; at: number } | undefined> {
  if (access.network.v3 === undefined) {
    return undefined;
  }
  const { transactions } = await access.v3.transactions({ account: [address], limit: 10, sort: 'asc' }, call);
  const found = transactions?.find(({ end_status: end }) => end === 'active');
  return found?.hash == null ? undefined : { hash: found.hash, at: found.now ?? 0 };
}
