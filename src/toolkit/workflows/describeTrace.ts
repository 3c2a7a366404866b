import type { ProjectContract } from '../contracts/abi/projectContract';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import { describeContract, exitSources } from '../contracts/abi/contractDescription';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import { findStorage } from '../contracts/layouts/layoutSet';
import { projectLayouts } from '../contracts/layouts/projectLayouts';
import { abiBodies, sourceNames } from '../trace/abiBodies';
import { TraceContext, codesOf } from '../trace/traceContext';
import type { TraceKnowledge, TraceModel } from '../trace/traceModel';
import { hasUnnamedMessages } from '../trace/traceModel';
import { failedNodes } from '../trace/verdict';

/** The sources of names for traces. */
export interface TraceWordSources extends Pick<
  TraceKnowledge,
  'names' | 'coin' | 'wholeAddresses' | 'thrownLine'
> {
  /** The contracts of the user's project; loaded only if a trace needs names from them. */
  contracts?: (codeHashes: ReadonlySet<string>) => Promise<readonly ProjectContract[]>;
  /** Known message layouts besides those of the project. */
  layouts?: readonly LayoutSet[];
  /** The user's choice of a project contract for a code (hash, lowercase hex). */
  chosen?: (codeHash: string) => string | undefined;
}

/** A trace with the user's names: accounts, and the project's messages and exit codes. */
export async function describeTrace(model: TraceModel, sources: TraceWordSources): Promise<TraceContext> {
  const { names, coin, wholeAddresses, thrownLine } = sources;
  return new TraceContext(model, {
    names,
    coin,
    wholeAddresses,
    thrownLine,
    ...(await ownWords(model, sources)),
  });
}

async function ownWords(
  model: TraceModel,
  { contracts, layouts = [], chosen }: TraceWordSources,
): Promise<
  Pick<TraceKnowledge, 'exitSource' | 'messageName' | 'decodeBody' | 'storageOf' | 'changedSource'>
> {
  const isUnnamed = hasUnnamedMessages(model);
  const hasStates = model.nodes.some(({ transaction }) => transaction?.account_state_after?.data_boc != null);
  if (!isUnnamed && !hasStates && failedNodes(model).length === 0) {
    return {};
  }
  const codes = codesOf(model);
  const project = (await contracts?.(new Set(codes.values()))) ?? [];
  const sets = isUnnamed || hasStates ? await projectLayouts(project) : [];
  const described = (account: string): ContractDescription | undefined => {
    const codeHash = codes.get(account);
    return codeHash === undefined ? undefined : describeContract({ codeHash }, project, chosen?.(codeHash));
  };
  return {
    exitSource: exitSources(codes, project, chosen),
    changedSource: (account) => described(account)?.changedSource,
    storageOf: (account) => {
      const { name, file } = described(account) ?? {};
      return name === undefined ? undefined : findStorage([...layouts, ...sets], { name, file });
    },
    messageName: sourceNames({ project, codes, ...(chosen && { chosen }) }),
    decodeBody: abiBodies({ layouts: sets, given: layouts, project, codes, ...(chosen && { chosen }) }),
  };
}
