import * as vscode from 'vscode';
import { replayEditorType } from '../../contributions';
import type { TraceServices } from '../traces/liveTraces';
import { registerCommands } from '../ui/registerCommands';
import type * as replayCommands from './replayCommands';
import type { ReplayServices } from './replays';
import type { GasMarks } from './gasMarks';
import type { ThrowMarks } from './throwMarks';

/** Replaying, and its services for features that stand on it. */
export interface RegisteredReplay extends vscode.Disposable {
  use: () => Promise<ReplayServices>;
}

/** Registers replaying transactions. The code is loaded on first use. */
export function registerReplay(services: TraceServices): RegisteredReplay {
  let made: Promise<ReplayServices> | undefined;
  const use = (): Promise<ReplayServices> =>
    (made ??= import('./replays').then(({ Replays }) => ({ ...services, replays: new Replays() })));
  const commands = (): Promise<typeof replayCommands> => import('./replayCommands');
  let marks: Promise<ThrowMarks> | undefined;
  const marked = (): Promise<ThrowMarks> =>
    (marks ??= import('./throwMarks').then((module) => new module.ThrowMarks()));
  services.traces.lineFinder = async (ref) => (await import('./nameThrow')).nameThrow(await use(), ref);
  services.traces.replayed = async (key) => {
    const all = await use();
    const replay = all.replays.find(key);
    return replay && (await import('./showReplay')).replayedForPage(all, replay);
  };
  let gasMarks: Promise<GasMarks> | undefined;
  const gasMarked = (): Promise<GasMarks> =>
    (gasMarks ??= Promise.all([use(), import('./gasMarks')]).then(
      ([all, module]) => new module.GasMarks(all),
    ));
  const editor: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) =>
      (await import('./showReplayEditor')).showReplayEditor(await use(), uri, panel),
  };
  const parts = vscode.Disposable.from(
    { dispose: () => void made?.then(({ replays }) => replays.dispose()) },
    { dispose: () => void marks?.then((one) => one.dispose()) },
    { dispose: () => void gasMarks?.then((one) => one.dispose()) },
    vscode.window.registerCustomEditorProvider(replayEditorType, editor, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { enableFindWidget: true },
    }),
    registerCommands(services.log, {
      'tonWorkbench.replayTransaction': async (what) => (await commands()).replayCommand(await use(), what),
      'tonWorkbench.replayWithChanges': async (what) =>
        (await import('./replayWithChangesCommand')).replayWithChangesCommand(await use(), what),
      'tonWorkbench.sendAgain': async (what) =>
        (await import('./sendAgainCommand')).sendAgainCommand(await use(), what),
      'tonWorkbench.undoSendAgain': async (which) =>
        (await import('./sendAgainCommand')).undoSendAgainCommand(await use(), which),
      'tonWorkbench.saveReplay': async (what) => (await commands()).saveReplayCommand(await use(), what),
      'tonWorkbench.keepAsTest': async (what) =>
        (await import('./keepAsTestCommand')).keepAsTestCommand(await use(), what),
      'tonWorkbench.openReplay': async (file) => (await commands()).openReplayCommand(await use(), file),
      'tonWorkbench.showReplaySteps': async (ref) => (await commands()).showStepsCommand(await use(), ref),
      'tonWorkbench.showMethodSteps': async (call) =>
        (await import('./showMethodStepsCommand')).showMethodStepsCommand(await use(), call),
      'tonWorkbench.goToThrow': async (what) =>
        (await import('./goToThrowCommand')).goToThrowCommand(await use(), await marked(), what),
      'tonWorkbench.showGas': async (what) =>
        (await import('./gasCommands')).showGasCommand(await use(), await gasMarked(), what),
      'tonWorkbench.hideGas': async () => (await gasMarks)?.hide(),
      'tonWorkbench.compareGas': async () =>
        (await import('./gasCommands')).compareGasCommand(await use(), await gasMarked()),
      'tonWorkbench.openFlameChart': async (what) =>
        (await import('./openFlameChartCommand')).openFlameChartCommand(await use(), await gasMarks, what),
      'tonWorkbench.dismissThrow': async (uri) => (await marks)?.dismiss(uri),
    }),
  );
  return { use, dispose: () => void parts.dispose() };
}
