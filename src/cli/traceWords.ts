import type { Access } from '../toolkit/access/createAccess';
import type { Network } from '../toolkit/access/network';
import type { LayoutSet } from '../toolkit/layouts/cellLayout';
import type { TraceContext, TraceKnowledge } from '../toolkit/trace/traceContext';
import type { TraceModel } from '../toolkit/trace/traceModel';
import { fileError } from './fileError';
import { localAccounts } from './localAccounts';

/** Longest that the contracts of jettons are asked for one trace, in milliseconds. */
const patienceMs = 10_000;
/** Coins of the local network's faucet come from the zero address, which nobody owns. */
const faucet = `0:${'0'.repeat(64)}`;

export interface TraceWordsOptions {
  network: Network;
  /** Asked for what the answer lacks of jettons; nobody is asked without it. */
  access?: Access | undefined;
  /** Files of compilers that name messages. */
  abi?: readonly string[] | undefined;
  /** For programs: addresses are not shortened. */
  wholeAddresses?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** How a command puts traces into words: with the names of the local network's accounts, ABIs, and what jettons say. */
export async function traceWords({
  network,
  access,
  abi = [],
  wholeAddresses,
  signal,
}: TraceWordsOptions): Promise<(model: TraceModel) => Promise<TraceContext>> {
  const [{ TraceContext: Context, codesOf }, { abiBodies }, { JettonBook }, { getMethodSourceOf }, layouts] =
    await Promise.all([
      import('../toolkit/trace/traceContext'),
      import('../toolkit/trace/abiBodies'),
      import('../toolkit/trace/jettonBook'),
      import('../toolkit/getMethods/getMethodSourceOf'),
      Promise.all(abi.map(readAbi)),
    ]);
  const knowledge: TraceKnowledge = { names: await namesOf(network), wholeAddresses };
  const book = access === undefined ? undefined : new JettonBook(getMethodSourceOf(access));
  return async (model) => {
    const decodeBody = abiBodies({ layouts, project: [], codes: codesOf(model) });
    const context = new Context(model, { ...knowledge, decodeBody });
    const timeout = AbortSignal.timeout(patienceMs);
    return (
      (await book?.complete(context, signal === undefined ? timeout : AbortSignal.any([signal, timeout]))) ??
      context
    );
  };
}

/** Raw address to name: what has one on the local network. */
async function namesOf(network: Network): Promise<Map<string, string>> {
  const names = new Map([...(await localAccounts(network))].map(([name, address]) => [address, name]));
  if (network.kind === 'local') {
    names.set(faucet, 'faucet');
  }
  return names;
}

async function readAbi(file: string): Promise<LayoutSet> {
  const [{ readFile }, { readLayouts }] = await Promise.all([
    import('node:fs/promises'),
    import('../toolkit/layouts/readLayouts'),
  ]);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw fileError({ path: file, what: 'The ABI file', code: 'abi-file-unreadable' }, cause);
  }
  return readLayouts(file, text);
}
