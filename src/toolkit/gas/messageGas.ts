import { describeContract } from '../abi/describeContract';
import type { ContractDescription } from '../abi/describeContract';
import type { ProjectContract } from '../abi/projectContract';
import { opcodeNumber } from '../opcodes/opcodes';
import { codesOf } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { messageKey } from './gasKeys';

/**
 * The gas of each message of the project's contracts in a trace: of the compute phase in which its receiver handled it. Of
 * several messages of one name, the last one. Bounced messages and runs that failed are left out.
 *
 * @param chosen the user's choice of a project contract for a code
 */
export function messageGas(
  model: TraceModel,
  project: readonly ProjectContract[],
  chosen?: (codeHash: string) => string | undefined,
): Map<string, number> {
  const codes = codesOf(model);
  const descriptions = new Map<string, ContractDescription>();
  const found = new Map<string, number>();
  for (const { account, message, transaction } of model.nodes) {
    const codeHash = account === undefined ? undefined : codes.get(account);
    const compute = transaction?.description?.compute_ph;
    const opcode = opcodeNumber(message?.opcode);
    if (
      codeHash === undefined ||
      opcode === undefined ||
      message?.bounced === true ||
      compute?.success !== true ||
      compute.gas_used == null
    ) {
      continue;
    }
    const known = descriptions.get(codeHash) ?? describeContract({ codeHash }, project, chosen?.(codeHash));
    descriptions.set(codeHash, known);
    const name = known.messages.get(opcode);
    if (known.name !== undefined && name !== undefined) {
      found.set(messageKey(known.name, name), Number(compute.gas_used));
    }
  }
  return found;
}
