import { errorNames } from '../abi/errorNames';
import type { ProjectContract } from '../abi/projectContract';
import type { LayoutSet } from '../layouts/cellLayout';
import { projectLayouts } from '../layouts/projectLayouts';
import { abiBodies } from '../trace/abiBodies';
import { hasUnnamedMessages } from '../trace/hasUnnamedMessages';
import { sourceNames } from '../trace/sourceNames';
import { TraceContext, codesOf } from '../trace/traceContext';
import type { TraceKnowledge } from '../trace/traceKnowledge';
import type { TraceModel } from '../trace/traceModel';
import { failedNodes } from '../trace/verdict';

/** Where the words for traces come from. */
export interface TraceWordSources extends Pick<TraceKnowledge, 'names' | 'coin' | 'wholeAddresses'> {
  /** The contracts of the user's project; asked for only where a trace has something that they may name. */
  contracts?: () => Promise<readonly ProjectContract[]>;
  /** Layouts of messages that are known besides those of the project. */
  layouts?: readonly LayoutSet[];
  /** The contract of the project that the user said a code (hash, lower-case hex) is. */
  chosen?: (codeHash: string) => string | undefined;
}

/** A trace in the words of its user: accounts by their names, messages and exit codes as the project calls them. */
export async function describeTrace(model: TraceModel, sources: TraceWordSources): Promise<TraceContext> {
  const { names, coin, wholeAddresses } = sources;
  return new TraceContext(model, { names, coin, wholeAddresses, ...(await ownWords(model, sources)) });
}

async function ownWords(
  model: TraceModel,
  { contracts, layouts = [], chosen }: TraceWordSources,
): Promise<Pick<TraceKnowledge, 'errorName' | 'messageName' | 'decodeBody'>> {
  const isUnnamed = hasUnnamedMessages(model);
  if (!isUnnamed && failedNodes(model).length === 0) {
    return {};
  }
  const project = (await contracts?.()) ?? [];
  const sets = isUnnamed ? [...layouts, ...(await projectLayouts(project))] : [];
  const codes = codesOf(model);
  return {
    errorName: errorNames(codes, project, chosen),
    messageName: sourceNames({ project, codes, ...(chosen && { chosen }) }),
    decodeBody: abiBodies({ layouts: sets, project, codes, ...(chosen && { chosen }) }),
  };
}
