import type { ProjectContract } from '../contracts/abi/projectContract';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import { describeContract } from '../contracts/abi/contractDescription';
import { opcodeNumber } from '../contracts/opcodes/opcodes';
import { codesOf } from '../trace/traceContext';
import type { TraceModel, TraceNode } from '../trace/traceModel';
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
  const runs = contractRuns(model, project, chosen);
  return new Map(runs.flatMap(({ key, gas }) => (key === undefined ? [] : [[key, gas]])));
}

/** A transaction in which a contract of the project ran its code. */
interface ContractRun {
  node: TraceNode;
  /** The contract's name. */
  contract: string;
  /** The message's name; undefined if it has none, or if it bounced. */
  message: string | undefined;
  /** What the run is called in a baseline; undefined if it failed, or the message has no name. */
  key: string | undefined;
  gas: number;
  hasFailed: boolean;
}

/**
 * The transactions of a trace in which contracts of the project ran their code, in the trace's order.
 *
 * @param chosen the user's choice of a project contract for a code
 */
export function contractRuns(
  model: TraceModel,
  project: readonly ProjectContract[],
  chosen?: (codeHash: string) => string | undefined,
): ContractRun[] {
  const codes = codesOf(model);
  const descriptions = new Map<string, ContractDescription>();
  return model.nodes.flatMap((node): ContractRun[] => {
    const { account, message, transaction } = node;
    const codeHash = account === undefined ? undefined : codes.get(account);
    const compute = transaction?.description?.compute_ph;
    if (codeHash === undefined || compute?.gas_used == null) {
      return [];
    }
    const known = descriptions.get(codeHash) ?? describeContract({ codeHash }, project, chosen?.(codeHash));
    descriptions.set(codeHash, known);
    const { name: contract, messages } = known;
    if (contract === undefined) {
      return [];
    }
    const opcode = message?.bounced === true ? undefined : opcodeNumber(message?.opcode);
    const name = opcode === undefined ? undefined : messages.get(opcode);
    const hasFailed = compute.success !== true;
    const key = name === undefined || hasFailed ? undefined : messageKey(contract, name);
    return [{ node, contract, message: name, key, gas: Number(compute.gas_used), hasFailed }];
  });
}
