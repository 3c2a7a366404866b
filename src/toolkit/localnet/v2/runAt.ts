import type { TupleItem } from '@ton/core';
import { Address } from '@ton/core';
import type { GetMethodOutcome } from '../../emulator/emulator';
import type { LocalChain } from '../chain/localChain';
import { executeGetMethod } from '../chain/executeGetMethod';
import { viewAccount } from './accounts';
import type { V2Parameters } from './v2Parameters';

const emptyCell = 'te6ccgEBAQEAAgAAAA==';

/**
 * Runs a get-method on the current state, or on that at the end of the masterchain block `seqno`, at that block's
 * time.
 */
export async function runAt(
  chain: LocalChain,
  parameters: V2Parameters,
  address: string,
  methodId: number,
  stack: TupleItem[],
): Promise<GetMethodOutcome> {
  if (parameters.seqno() === undefined) {
    return executeGetMethod(chain, address, methodId, stack);
  }
  const { facts, code, data, block } = viewAccount(chain, parameters, address);
  if (code === '') {
    const left: TupleItem[] = [{ type: 'int', value: BigInt(methodId) }];
    return { exitCode: -13, gasUsed: 0n, stack: left, vmLog: '', debugOutput: [], missingLibrary: null };
  }
  return chain.emulator.runGetMethod({
    config: chain.config.getMethodBase64,
    libraries: chain.libraries,
    code,
    data: data === '' ? emptyCell : data,
    methodId,
    stack,
    address: Address.parseRaw(address),
    now: block.genUtime,
    balance: facts?.balance ?? 0n,
  });
}
