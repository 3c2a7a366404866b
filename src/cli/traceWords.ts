import type { Access } from '../toolkit/access/createAccess';
import type { Network } from '../toolkit/access/network';
import type { LayoutSet } from '../toolkit/layouts/cellLayout';
import type { JettonBook } from '../toolkit/trace/jettonBook';
import type { TraceContext } from '../toolkit/trace/traceContext';
import type { TraceModel } from '../toolkit/trace/traceModel';
import type { TraceWordSources } from '../toolkit/workflows/describeTrace';
import { readAbiText } from './readGivenFile';
import { localAccountNames } from './localAccounts';
import { compiledProject } from './readProjectOf';
import type { DryRunOption } from './readProjectOf';
import { surroundings } from './surroundings';

export interface TraceWordsOptions {
  network: Network;
  /** Compiler output files used to name messages. */
  abi?: readonly string[] | undefined;
  /** Does not shorten addresses, for programs. */
  wholeAddresses?: boolean | undefined;
  isDry?: DryRunOption['isDry'];
}

/**
 * The names used when printing traces: the local network's accounts, and messages and exit codes from the given ABIs
 * and the project around the working folder.
 */
export async function traceWords({
  network,
  abi = [],
  wholeAddresses,
  isDry,
}: TraceWordsOptions): Promise<TraceWordSources> {
  const [{ namesInTraces }, accounts, given] = await Promise.all([
    import('../toolkit/workflows/namesInTraces'),
    localAccountNames(network),
    Promise.all(abi.map(readAbi)),
  ]);
  return {
    names: namesInTraces(network, accounts),
    wholeAddresses,
    contracts: (codeHashes) => compiledProject(surroundings().folder, codeHashes, { isDry }),
    layouts: given,
  };
}

/** Fetches missing jetton metadata from a network. */
export async function jettonsOf(access: Access): Promise<JettonBook> {
  const [{ JettonBook: Book }, { getMethodSourceOf }] = await Promise.all([
    import('../toolkit/trace/jettonBook'),
    import('../toolkit/getMethods/getMethodSourceOf'),
  ]);
  return new Book(getMethodSourceOf(access));
}

/** Renders a network's traces as text, fetching missing jetton metadata. */
export async function traceReader(
  access: Access,
  { wholeAddresses, isDry, signal }: { wholeAddresses: boolean; signal: AbortSignal } & DryRunOption,
): Promise<(model: TraceModel) => Promise<TraceContext>> {
  const [{ describeTrace }, { askJettons }, words, jettons] = await Promise.all([
    import('../toolkit/workflows/describeTrace'),
    import('../toolkit/workflows/openTrace'),
    traceWords({ network: access.network, wholeAddresses, isDry }),
    jettonsOf(access),
  ]);
  return async (model) => askJettons(await describeTrace(model, words), jettons, signal);
}

async function readAbi(file: string): Promise<LayoutSet> {
  const { readLayouts } = await import('../toolkit/layouts/readLayouts');
  return readLayouts(file, await readAbiText(file));
}
