import path from 'node:path';
import * as vscode from 'vscode';
import type { ReplayTarget } from '../../commandTargets';
import { WorkbenchError } from '../../toolkit/base/errors';
import { writeNewFiles } from '../../toolkit/base/writeUserFile';
import { oneContract } from '../../toolkit/build/oneContract';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { TestStyle } from '../../toolkit/testRuns/testStyle';
import type { KeptTest } from '../../toolkit/workflows/keepTest';
import { EmulatorThread } from '../project/emulatorThread';
import { describeDeployed } from '../project/methodsOf';
import { projectWords } from '../project/projectWords';
import { askText } from '../ui/askText';
import { withProgress } from '../ui/withProgress';
import { findReplayTarget, openInWindow } from './findReplayTarget';
import type { OpenReplay, ReplayServices } from './replays';

/**
 * TON: Keep as Test: writes a transaction as a test that fails until its source is mended, and opens it. It is a test of
 * the project's own runner if that has @ton/sandbox, else a call sheet.
 */
export async function keepAsTestCommand(
  services: ReplayServices,
  given: ReplayTarget | undefined,
): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    throw new WorkbenchError({
      code: 'workspace-not-trusted',
      kind: 'input',
      message: 'Nothing is compiled: this window is not trusted.',
      hint: 'Trust the workspace first (Workspaces: Manage Workspace Trust).',
    });
  }
  const target = await findReplayTarget(services, 'TON: Keep as Test', given, { rehearsals: true });
  if (target === undefined) {
    return;
  }
  const replay = await openInWindow(services, target);
  const source = await sourceOf(services, replay);
  if (source === undefined) {
    return;
  }
  const place = await placeOf(source);
  const kept = await keep(services, replay, source, place);
  if (kept === undefined) {
    return;
  }
  const [test] = await write(place.root, kept);
  await vscode.window.showTextDocument(vscode.Uri.file(test!));
  vscode.window.setStatusBarMessage(`It fails today: ${kept.today}`, 5_000);
}

/** The source of the code that ran, which the user names if it is not known. */
async function sourceOf(
  { project }: ReplayServices,
  { report }: OpenReplay,
): Promise<vscode.Uri | undefined> {
  const { replayedCode } = await import('../../toolkit/replay/replayedCode');
  const { file, changedSource } = await describeDeployed(project, replayedCode(report.replay));
  const known = [changedSource, file].find((one) => one !== undefined && sourceLanguage(one) !== undefined);
  if (known !== undefined) {
    return project.uriOf(known);
  }
  const files = new Set((await project.list()).map((one) => one.file));
  const sources = [...files].filter((one) => sourceLanguage(one) !== undefined);
  const picked = await vscode.window.showQuickPick(sources, {
    title: 'TON: Keep as Test',
    placeHolder: 'Choose the source of the contract',
  });
  return picked === undefined ? undefined : project.uriOf(picked);
}

interface Place {
  root: string;
  /** The source, relative to the root. */
  source: string;
  style: TestStyle | undefined;
}

/** Where the tests of the project are; without any, the folder of the workspace. */
async function placeOf(source: vscode.Uri): Promise<Place> {
  const { testStyleAround } = await import('../../toolkit/testRuns/testStyle');
  const found = testStyleAround(source.fsPath);
  if (found !== undefined) {
    return found;
  }
  const root = vscode.workspace.getWorkspaceFolder(source)?.uri.fsPath ?? path.dirname(source.fsPath);
  return { root, source: path.relative(root, source.fsPath).replaceAll('\\', '/'), style: undefined };
}

/** The test; of a transaction that succeeded, the user says how it should have ended. Undefined if the user canceled. */
async function keep(
  { project }: ReplayServices,
  { report }: OpenReplay,
  uri: vscode.Uri,
  { source, style }: Place,
): Promise<KeptTest | undefined> {
  const [{ keepTest }, { describeTrace }] = await Promise.all([
    import('../../toolkit/workflows/keepTest'),
    import('../../toolkit/workflows/describeTrace'),
  ]);
  const emulators = new EmulatorThread();
  const make = (exit: number): Promise<KeptTest> =>
    withProgress('Keeping a transaction as a test', async (signal) =>
      keepTest({
        ...{ inputs: report.inputs, source, style, exit, signal },
        built: oneContract(await project.compile(uri), uri.path),
        emulator: await emulators.get(),
        describe: (model) => describeTrace(model, projectWords(project)),
      }),
    );
  try {
    return await make(0).catch(async (error: unknown) => {
      if (!WorkbenchError.is(error, 'keep-passes')) {
        throw error;
      }
      const exit = await askText({
        title: 'TON: Keep as Test',
        prompt:
          'With its source as it is today, this transaction succeeds. With which exit code should it end?',
        placeholder: '401',
        validate: (text) => (/^-?\d{1,10}$/.test(text.trim()) ? undefined : 'Enter an exit code.'),
      });
      return typeof exit === 'string' ? make(Number(exit.trim())) : undefined;
    });
  } finally {
    emulators.dispose();
  }
}

/**
 * @returns the files, absolute
 * @throws WorkbenchError `report-unwritable` (input), also if one of them is there: nothing is written then
 */
async function write(root: string, { files }: KeptTest): Promise<string[]> {
  try {
    return await writeNewFiles(root, files);
  } catch (cause) {
    const { code, path: file = root } = cause as NodeJS.ErrnoException;
    const name = path.relative(root, file).replaceAll('\\', '/');
    const isThere = code === 'EEXIST';
    throw new WorkbenchError({
      code: 'report-unwritable',
      kind: 'input',
      message: isThere
        ? `${name} is there already. Nothing was written.`
        : `${name} cannot be written (${code ?? String(cause)}).`,
      hint: isThere
        ? 'Remove it, or rename it, to keep the transaction again.'
        : 'Choose a folder that may be written to.',
      cause,
    });
  }
}
