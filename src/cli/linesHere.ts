import path from 'node:path';
import type { ProjectContract } from '../toolkit/contracts/abi/projectContract';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import type { StorageLayout } from '../toolkit/contracts/layouts/layoutSet';
import type { MessageNames } from '../toolkit/contracts/opcodes/decodeBody';
import type { Recording } from '../toolkit/recording/recording';
import type { Replay } from '../toolkit/replay/runReplay';
import type { TriedSource } from '../toolkit/sourceMap/findSourceMap';
import type { MappedSteps } from '../toolkit/sourceMap/mapSteps';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { isOwnFile } from '../toolkit/sourceMap/sourceMap';
import type { Replayer } from './openReplayer';
import { projectWith } from './projectWith';
import { mapFile, perRun, surroundings } from './surroundings';

/** The source lines of an execution, or why there are none. */
export interface LinesHere {
  steps?: MappedSteps | undefined;
  /** The source that has to be named to get them without trust. */
  named?: string | undefined;
  /** Sentences about what has no lines. */
  notes: readonly string[];
}

/**
 * The source lines of an execution, from the project around the working folder, or from a source that the user named.
 * @param source may be compiled by its project's own compiler
 * @param isTrusted as of {@link sourceMapHere}
 */
export async function linesHere(
  recording: Recording,
  deployed: DeployedCode,
  source: string | undefined,
  isTrusted = false,
): Promise<LinesHere> {
  const { map, notes, named } = await sourceMapHere(deployed, source, isTrusted);
  if (map === undefined) {
    return { notes };
  }
  const [{ mapSteps }, { refusedInRun }] = await Promise.all([
    import('../toolkit/sourceMap/mapSteps'),
    import('../toolkit/sourceMap/thrownAt'),
  ]);
  const steps = mapSteps(recording, map);
  return { steps, named, notes: [...notes, ...refusedInRun(steps)] };
}

/** Replays a transaction, or a record of a test; without lines if no code ran. */
export async function runWithLines(
  replayer: Replayer,
  what: string,
  source: string | undefined,
): Promise<LinesHere & { recording?: Recording | undefined; deployed: DeployedCode; replay?: Replay }> {
  const { openRecord, runOpened } = await import('./openRecord');
  const opened = await openRecord(what);
  if (opened !== undefined) {
    const { recording, deployed, transaction } = await runOpened(opened);
    const lines = await linesOf(recording, deployed, source);
    return { ...lines, recording, deployed, ...(transaction && { replay: transaction.replay }) };
  }
  const { recording, replay } = await replayer.run(await replayer.inputs(what), []);
  const { replayedCode } = await import('../toolkit/replay/replayedCode');
  const deployed = replayedCode(replay);
  return { ...(await linesOf(recording, deployed, source)), recording, deployed, replay };
}

async function linesOf(
  recording: Recording | undefined,
  deployed: DeployedCode,
  source: string | undefined,
): Promise<LinesHere> {
  return recording === undefined ? { notes: ['No code ran.'] } : linesHere(recording, deployed, source);
}

/** A code is looked for once. */
const mapsHere = perRun(() => new Map<string, ReturnType<typeof findMapHere>>());

/**
 * The source lines of a code, or why there are none.
 * @param isTrusted the user runs the project's code anyway, so its own compilers may run, too
 */
export function sourceMapHere(
  deployed: DeployedCode,
  source: string | undefined,
  isTrusted = false,
): ReturnType<typeof findMapHere> {
  const key = `${deployed.codeHash} ${source} ${isTrusted}`;
  const found = mapsHere().get(key) ?? findMapHere(deployed, source, isTrusted);
  mapsHere().set(key, found);
  return found;
}

/** Finds the source that compiles to a code, and its lines. */
async function findMapHere(
  deployed: DeployedCode,
  source: string | undefined,
  isTrusted: boolean,
): Promise<{ map?: SourceMap; notes: string[]; named?: string }> {
  const { codeHash } = deployed;
  if (codeHash === undefined) {
    return { notes: ['The code that ran is not known, so it is shown by its instructions.'] };
  }
  const { treasuryCode } = await import('../toolkit/testRuns/describeRecord');
  if (codeHash === treasuryCode) {
    return { notes: ['A wallet of @ton/sandbox, which has no source here.'] };
  }
  if (source !== undefined) {
    return namedMap(source, codeHash);
  }
  const [{ projectPlace, projectWith }, { findSourceMap }] = await Promise.all([
    import('./projectWith'),
    import('../toolkit/sourceMap/findSourceMap'),
  ]);
  const folder = surroundings().folder;
  const contracts = await projectWith(folder, deployed);
  const root = await projectPlace(folder);
  const { map, tried } = await findSourceMap(codeHash, contracts, (file) =>
    mapFile(path.join(root, file), { isTrusted }),
  );
  if (map !== undefined) {
    return { map, notes: [] };
  }
  const inRoot = (file: string): string => path.join(root, file);
  const others = tried.length > 0 ? [] : await uncompiled(codeHash, contracts);
  for (const file of isTrusted ? others : []) {
    const named = await namedMap(inRoot(file), codeHash);
    if (named.map !== undefined) {
      return { ...named, named: inRoot(file) };
    }
  }
  return {
    notes: [
      others.length > 0
        ? unnamedNote(others.map((file) => shownFile(inRoot(file))))
        : await triedNote(tried.map((one) => ({ ...one, file: inRoot(one.file) }))),
    ],
  };
}

/** The lines of a source that the user named, or why it has none for this code. */
async function namedMap(source: string, codeHash: string): Promise<{ map?: SourceMap; notes: string[] }> {
  const [{ byInstructions }, { WorkbenchError }] = await Promise.all([
    import('../toolkit/sourceMap/whyNoLines'),
    import('../toolkit/base/errors'),
  ]);
  try {
    const map = (await mapFile(source, { isTrusted: true })).find((one) => one.codeHash === codeHash);
    return map === undefined
      ? { notes: [`${source} does not compile to the code that ran, ${byInstructions}`] }
      : { map, notes: [] };
  } catch (error) {
    const isOfCompiler =
      WorkbenchError.is(error, 'compile-failed') ||
      WorkbenchError.is(error, 'compiler-missing') ||
      WorkbenchError.is(error, 'compiler-unusable') ||
      WorkbenchError.is(error, 'over-limit');
    if (!isOfCompiler) {
      throw error;
    }
    return { notes: [`${source} gives no lines: ${error.message}`] };
  }
}

async function triedNote(tried: readonly TriedSource[]): Promise<string> {
  const [{ whyNoLines }, { otherCompiler }] = await Promise.all([
    import('../toolkit/sourceMap/whyNoLines'),
    import('../toolkit/build/otherCompiler'),
  ]);
  return whyNoLines(tried, {
    shown: shownFile,
    otherCompiler,
    toRunCompiler: (file) => `add --source ${shownFile(file)}`,
  });
}

/** Sources of contracts that are compiled only if the user names them: each may be that of the code. */
async function uncompiled(codeHash: string, contracts: readonly ProjectContract[]): Promise<string[]> {
  const [{ walletCodes }, { sourceLanguage }] = await Promise.all([
    import('../toolkit/contracts/opcodes/walletCodes'),
    import('../toolkit/contracts/abi/sourceLanguage'),
  ]);
  if (walletCodes.has(codeHash)) {
    return [];
  }
  const isUncompiled = ({ file, codeHash: known, methods, messages }: ProjectContract): boolean =>
    known === undefined &&
    (methods.length > 0 || (messages?.size ?? 0) > 0) &&
    ['func', 'tact'].includes(sourceLanguage(file) ?? '');
  return [...new Set(contracts.filter(isUncompiled).map(({ file }) => file))];
}

function unnamedNote(files: readonly string[]): string {
  const [first, ...others] = files;
  const also =
    others.length === 0 ? '' : ` (or ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''})`;
  return `For source lines, add --source ${first}${also}: FunC and Tact are compiled only if you name the file.`;
}

/** A file as the user would name it here; the names of a library's files stay. */
export function shownFile(file: string): string {
  return !isOwnFile(file) ? file : path.relative(surroundings().folder, file).replaceAll('\\', '/');
}

/** What the project around the working folder calls a code, and knows about its data and its messages. */
export async function storageHere(
  deployed: DeployedCode,
): Promise<{ name: string | undefined; storage: StorageLayout | undefined; messages: MessageNames }> {
  const [{ describeContract }, { projectStorage }] = await Promise.all([
    import('../toolkit/contracts/abi/contractDescription'),
    import('../toolkit/contracts/layouts/projectLayouts'),
  ]);
  const contracts = await projectWith(surroundings().folder, deployed);
  const { name, file, messages } = describeContract(deployed, contracts);
  return { name, storage: await projectStorage(contracts, { name, file }), messages };
}
