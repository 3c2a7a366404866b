import * as vscode from 'vscode';
import type { AccountRow } from '../../commandTargets';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { LastAnswer } from '../../toolkit/getMethods/summaryText';
import type { CoverageTally } from '../../toolkit/replay/coverAll';
import type { CoveredRun } from '../../toolkit/replay/coveredRun';
import { replayImpossibleError } from '../../toolkit/replay/replayErrors';
import type { ReplayCost } from '../../toolkit/replay/replaySource';
import type { SourceCoverage } from '../../toolkit/sourceMap/coverageBook';
import type { SourceMap } from '../../toolkit/sourceMap/sourceMap';
import { fileName } from '../../toolkit/base/text';
import { counted } from '../../toolkit/trace/figures';
import { accountWord } from '../project/accountName';
import { askAccount } from '../project/askAccount';
import { itemAddress } from '../project/itemAddress';
import { sourceAnswers } from '../getMethods/copyCallCommand';
import { findInstances, isInstanceOf } from '../project/findInstances';
import { describeDeployed, ownMethodIdIn } from '../project/methodsOf';
import { noLinesReason } from '../project/noLinesReason';
import type { Services } from '../project/services';
import { withProgress } from '../ui/withProgress';
import type { CoverageRuns } from './coverageRuns';

/** Newest transactions that are replayed: each takes several requests, and public services answer few per second. */
const most = { local: 50, other: 20 };

/** What was counted for a contract. */
interface CountedContract {
  files: readonly SourceCoverage[];
  tally: CoverageTally;
  /** Of get-methods that were answered in this window. */
  calls: CoverageTally;
  /** Whether the account has older transactions, too. */
  hasMore: boolean;
  /** Methods without lines. */
  refused: readonly string[];
}

/**
 * TON: Show Coverage of Contract…: replays the newest transactions of a contract and the last answers of its get-methods,
 * and shows in the editor's coverage view which lines and branches of its source they ran.
 *
 * @returns the raw address of the contract; undefined if the user canceled
 */
export async function showCoverageCommand(
  services: Services,
  runs: CoverageRuns,
  given: string | vscode.Uri | AccountRow | undefined,
): Promise<string | undefined> {
  const target = await findCoverageTarget(services, given);
  if (target === undefined) {
    return undefined;
  }
  const name = accountWord(services, target.network)(target.address);
  const { files, tally, calls, hasMore, refused } = await withProgress(
    `Coverage of ${name}`,
    (signal, report) => countContract(services, target, name, signal, report),
  );
  const { leftOutNotes } = await import('../../toolkit/replay/coverAll');
  const notes = [...leftOutNotes(tally), ...leftOutNotes(calls, 'get-method'), ...refused];
  if (tally.covered + calls.covered === 0) {
    const none =
      tally.asked === 0 ? `${name} has no transactions yet.` : `No transaction of ${name} could be counted.`;
    void vscode.window.showWarningMessage([none, ...notes].join(' '));
    return target.address;
  }
  const what =
    tally.covered === tally.asked && !hasMore
      ? `all ${counted(tally.asked, 'transaction')}`
      : `${tally.covered} of the ${hasMore ? 'newest ' : ''}${counted(tally.asked, 'transaction')}`;
  const answers = calls.covered === 0 ? '' : ` and ${counted(calls.covered, 'get-method')}`;
  const title = `Coverage of ${name} on ${target.network.name}`;
  const sentences = [`${sharesOf(files)} ran in ${what}${answers} of ${name}.`, ...notes];
  await runs.show({ title, notes: sentences, files });
  await vscode.commands.executeCommand('workbench.view.testCoverage.focus');
  void vscode.window.showInformationMessage(sentences.join(' '));
  return target.address;
}

async function countContract(
  services: Services,
  { network, address }: CoverageTarget,
  name: string,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<CountedContract> {
  const access = await services.connections.open(network, signal);
  const { map, answers } = await readContract(services, access, address, name, signal);
  const limit = network.kind === 'local' ? most.local : most.other;
  const hashes = await historyOf(access, address, limit + 1, signal);
  const [
    { CoverageBook },
    { CoverageThread },
    { coverAll },
    { ReplaySource },
    { gatherGetMethod },
    { parseStackText },
    { refusedNotes },
  ] = await Promise.all([
    import('../../toolkit/sourceMap/coverageBook'),
    import('../../toolkit/replay/coverageThread'),
    import('../../toolkit/replay/coverAll'),
    import('../../toolkit/replay/replaySource'),
    import('../../toolkit/replay/gatherGetMethod'),
    import('../../toolkit/stack/parseStackText'),
    import('../../toolkit/sourceMap/refusedNotes'),
  ]);
  const book = new CoverageBook();
  book.addMap(map);
  const newest = hashes.slice(0, limit);
  let done = 0;
  const source = new ReplaySource(access, (requests) =>
    report(`${done} of ${counted(newest.length, 'transaction')}, ${counted(requests, 'request')}`),
  );
  const thread = new CoverageThread(map);
  const end = (): void => void thread.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    const cover = async (hash: string): Promise<CoveredRun> =>
      thread.cover(await source.gather(hash, { signal, confirm: tooCostly }));
    const tally = await coverAll(newest, cover, book, { onDone: (count) => (done = count) });
    const call = async ({ method, stack, block }: LastAnswer): Promise<CoveredRun> => {
      const asked = { address, method, stack: parseStackText(stack) };
      const ownId = ownMethodIdIn(services.project, method);
      return thread.coverCall(await gatherGetMethod(access, asked, { seqno: block, ownId, signal }));
    };
    const calls = await coverAll(answers, call, book);
    const hasMore = hashes.length > limit;
    return { files: book.files(), tally, calls, hasMore, refused: refusedNotes(map) };
  } finally {
    signal.removeEventListener('abort', end);
    await thread.close();
  }
}

/** A transaction that needs many others of its block is left out, because it would take too many requests. */
function tooCostly({ earlier }: ReplayCost): never {
  throw replayImpossibleError(
    `${counted(earlier, 'earlier transaction')} of the account must run first; "TON: Replay…" does that.`,
  );
}

/**
 * The lines of the contract's code as it is now, and the last answers of its get-methods.
 *
 * @throws WorkbenchError `source-map-missing` (input)
 */
async function readContract(
  services: Services,
  access: Access,
  address: string,
  name: string,
  signal: AbortSignal,
): Promise<{ map: SourceMap; answers: readonly LastAnswer[] }> {
  const { readDeployedCode } = await import('../../toolkit/getMethods/readDeployedCode');
  const { project } = services;
  const { network } = access;
  const deployed = await readDeployedCode(access, address, { priority: 'user', signal });
  const { codeHash } = deployed;
  if (codeHash === undefined) {
    throw unknownError(`${name} has no code on ${network.name}.`, 'Deploy it first.');
  }
  await project.findSource(deployed);
  signal.throwIfAborted();
  const map = await project.lines(codeHash);
  if (map === undefined) {
    throw unknownError(
      noLinesReason(name),
      vscode.workspace.isTrusted
        ? 'Open the project of the contract; if its source was changed since, deploy it again.'
        : 'Trust this workspace first.',
    );
  }
  const { name: contract = name, methods } = await describeDeployed(project, deployed);
  const answers = methods.flatMap((method) => sourceAnswers(services).of(contract, method.name) ?? []);
  return {
    map,
    answers: answers.filter((one) => one.network === network.name && one.address === address),
  };
}

/** Hashes of the newest transactions, the newest first. */
async function historyOf(
  { v3 }: Access,
  address: string,
  limit: number,
  signal: AbortSignal,
): Promise<string[]> {
  const query = { account: [address], limit, sort: 'desc' } as const;
  const { transactions } = await v3.transactions(query, { signal, priority: 'user' });
  return (transactions ?? []).flatMap(({ hash }) => hash ?? []);
}

/** `12 of 20 lines and 5 of 8 branches`. */
function sharesOf(files: readonly SourceCoverage[]): string {
  const share = (hits: readonly number[], noun: string): string =>
    `${hits.filter((one) => one > 0).length} of ${hits.length} ${noun}`;
  const lines = files.flatMap((file) => [...file.lines.values()]);
  const ways = files.flatMap(({ branches }) => branches.flatMap((branch) => branch.ways));
  return `${share(lines, 'lines')} and ${share(ways, 'branches')}`;
}

function unknownError(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code: 'source-map-missing', kind: 'input', message, hint });
}

/** A deployed contract of the workspace. */
interface CoverageTarget {
  network: Network;
  /** Raw. */
  address: string;
}

const title = 'TON: Show Coverage of Contract';

/**
 * The contract of a row or of a source: the only one on the current network that has the code of the source in the
 * editor, else the user is asked.
 *
 * @returns undefined if the user canceled
 */
async function findCoverageTarget(
  services: Services,
  given: string | vscode.Uri | AccountRow | undefined,
): Promise<CoverageTarget | undefined> {
  const network = services.networks.current();
  const isAccount = typeof given === 'string' || (given !== undefined && 'account' in given);
  const file = isAccount ? undefined : (given ?? vscode.window.activeTextEditor?.document.uri);
  const address = isAccount
    ? itemAddress(given)
    : ((await ofSource(services, network, file)) ??
      (await askAccount(services, { title, placeholder: 'Choose a contract of this workspace' })));
  // A link may have switched the network.
  return typeof address === 'string' ? { network: services.networks.current(), address } : undefined;
}

/** The deployed contract of a source; undefined if there is none, or none was chosen. */
async function ofSource(
  services: Services,
  network: Network,
  file: vscode.Uri | undefined,
): Promise<string | undefined> {
  if (file === undefined || sourceLanguage(file.path) === undefined) {
    return undefined;
  }
  const contract = fileName(file.path).replace(/\.[a-z]+$/i, '');
  const found = await withProgress(`Looking for ${contract} on ${network.name}`, async (signal) => {
    await services.connections.open(network, signal);
    return findInstances(services, network);
  });
  const same = found.filter((one) => isInstanceOf(one, contract));
  if (same.length < 2) {
    return same[0]?.address;
  }
  const word = accountWord(services, network);
  const items = same.map(({ address, name }) => ({ label: word(address), description: name, address }));
  const other = { label: '$(edit) Another contract…', description: undefined, address: undefined };
  const picked = await vscode.window.showQuickPick([...items, other], {
    title: `${title} on ${network.name}`,
    placeHolder: `Several contracts are deployed from ${fileName(file.path)}`,
  });
  return picked?.address;
}
