import type { Access } from '../toolkit/access/createAccess';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/base/errors';
import type { LayoutSet } from '../toolkit/contracts/layouts/layoutSet';
import type { LocalAccount } from '../toolkit/accounts/localAccount';
import type { JettonBook } from '../toolkit/trace/jettonBook';
import type { TraceContext } from '../toolkit/trace/traceContext';
import type { TraceModel } from '../toolkit/trace/traceModel';
import type { TraceWordSources } from '../toolkit/workflows/describeTrace';
import { namesToShow, recordedNames } from './deployedHere';
import { readAbiText } from './readGivenFile';
import type { DryRunOption } from './projectWith';
import { compiledProject } from './projectWith';
import { surroundings } from './surroundings';
import type { AccountsByName } from '../toolkit/address/resolveAccount';
import { writeNote } from './output';

/** Milliseconds to wait for the network's own list; without an answer the usual wallets are assumed. */
const patience = 2_000;

/** Named accounts of a local network. */
interface NamedOnLocal {
  wallets: readonly LocalAccount[];
  /** Raw addresses by name: the wallets, and contracts deployed under a name. */
  accounts: ReadonlyMap<string, string>;
  /** Whether the network has said so itself. */
  isReached: boolean;
}

/**
 * The named accounts of a network, name to raw address: a local network's wallets and deployed contracts; elsewhere, what
 * the project's record of deployments names.
 */
export async function localAccountNames(network: Network): Promise<ReadonlyMap<string, string>> {
  return network.kind === 'local' ? (await namedOnLocal(network)).accounts : namesToShow(network);
}

/**
 * As {@link localAccountNames}, for looking a name up: a network that is not running knows no names, and says nothing of
 * whether there is such an account.
 * @throws WorkbenchError `unreachable` if nothing answers
 */
export async function reachedAccountNames({ network, v2 }: Access): Promise<ReadonlyMap<string, string>> {
  if (network.kind !== 'local') {
    return recordedNames(network);
  }
  const { accounts, isReached } = await namedOnLocal(network);
  if (!isReached) {
    await v2.getMasterchainInfo().catch((error: unknown) => {
      if (WorkbenchError.is(error, 'unreachable')) {
        throw error;
      }
    });
  }
  return accounts;
}

/**
 * The names as reported by a local network, which may have been started with other wallets than the usual ten. If
 * nothing answers, the usual ten are assumed.
 */
export async function namedOnLocal(network: Network): Promise<NamedOnLocal> {
  const [{ callControl }, { controlOf }, { namedAccounts }, { accountNames }] = await Promise.all([
    import('../toolkit/localnet/callControl'),
    import('../toolkit/localnet/controlOf'),
    import('../toolkit/localnet/accounts/namedAccounts'),
    import('../toolkit/accounts/localAccount'),
  ]);
  const control = controlOf(network);
  const ask = (command: 'accounts' | 'status'): Promise<unknown> =>
    control === undefined
      ? Promise.resolve(undefined)
      : callControl(control, command, {}, AbortSignal.timeout(patience)).catch(() => undefined);
  const [told, status] = await Promise.all([ask('accounts'), ask('status')]);
  const wallets = isWallets(told) ? told : namedAccounts;
  const accounts = new Map([...deployedNames(status), ...accountNames(wallets)]);
  return { wallets, accounts, isReached: told !== undefined || status !== undefined };
}

/** Any program may be listening there, so the answer can be anything. */
function isWallets(value: unknown): value is LocalAccount[] {
  return (
    Array.isArray(value) &&
    value.every(
      (one: Partial<LocalAccount> | null) => typeof one?.name === 'string' && typeof one.address === 'string',
    )
  );
}

function deployedNames(status: unknown): [string, string][] {
  const { names } = (status ?? {}) as { names?: unknown };
  return typeof names === 'object' && names !== null
    ? Object.entries(names).flatMap(([address, name]: [string, unknown]) =>
        typeof name === 'string' ? [[name, address] as [string, string]] : [],
      )
    : [];
}

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
    import('../toolkit/getMethods/runGetMethod'),
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
  const { readLayouts } = await import('../toolkit/contracts/layouts/readLayouts');
  return readLayouts(file, await readAbiText(file));
}

/**
 * The names of accounts that a text to send may use, with the domains in it. What they were resolved to is printed,
 * because their owners can change it at any time.
 * @throws WorkbenchError the network's errors
 */
export async function namesInText(
  access: Access,
  text: string,
  names: AccountsByName,
  signal?: AbortSignal,
): Promise<AccountsByName> {
  const [{ withDomains }, { wholeAddress }] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/address/shortAddress'),
  ]);
  const found = await withDomains(access, text, names, signal);
  for (const [name, address] of found) {
    if (!names.has(name)) {
      writeNote(`${name} is ${wholeAddress(address)}.`);
    }
  }
  return found;
}
