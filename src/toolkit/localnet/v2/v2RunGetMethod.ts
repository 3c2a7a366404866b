import type { V2Answer } from './v2Answer';
import { ApiError } from '../api/apiError';
import type { TupleItem } from '@ton/core';
import type { LocalChain } from '../chain/localChain';
import { methodIdOf } from '../../abi/methodIdOf';
import type { GetMethodOutcome } from '../../emulator/emulator';
import { lastTransactionId, viewAccount } from './accounts';
import { encodeBlockId } from './encodeIds';
import type { V2Parameters } from './v2Parameters';
import { runAt } from './runAt';
import { decodeLegacyStack, decodeStdStack, encodeLegacyStack, encodeStdStack } from './stack';

/** The service refuses results with this many entries. */
const maximumDepth = 100;

export async function v2RunGetMethod(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'runGetMethod'>> {
  const outcome = await execute(chain, parameters, decodeLegacyStack);
  const { facts, block } = viewAccount(chain, parameters);
  return {
    '@type': 'smc.runResult',
    gas_used: Number(outcome.gasUsed),
    stack: encodeLegacyStack(outcome.stack),
    exit_code: outcome.exitCode,
    block_id: encodeBlockId(block, -1),
    last_transaction_id: lastTransactionId(facts),
    ...printed(outcome),
  };
}

export async function runGetMethodStd(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'runGetMethodStd'>> {
  const outcome = await execute(chain, parameters, decodeStdStack);
  return {
    '@type': 'smc.runResult',
    gas_used: Number(outcome.gasUsed),
    stack: encodeStdStack(outcome.stack),
    exit_code: outcome.exitCode,
    ...printed(outcome),
  };
}

/** Only on local networks, as on v3. */
function printed({ debugOutput }: GetMethodOutcome): { debug_output?: string[] } {
  return debugOutput.length === 0 ? {} : { debug_output: [...debugOutput] };
}

async function execute(
  chain: LocalChain,
  parameters: V2Parameters,
  decode: (stack: unknown) => TupleItem[],
): Promise<GetMethodOutcome> {
  const address = parameters.address();
  const method = parameters.text('method');
  if (method === undefined) {
    throw parameters.invalid('empty method');
  }
  const id = /^-?\d+$/.test(method) ? Number(method) : methodIdOf(method);
  if (Math.abs(id) >= 2 ** 31) {
    return parameters.fail('failed to parse method');
  }
  const outcome = await runAt(chain, parameters, address, id, decode(parameters.values.stack));
  if (outcome.stack.length >= maximumDepth) {
    throw new ApiError(533, `Result stack depth >= ${maximumDepth}`);
  }
  return outcome;
}
