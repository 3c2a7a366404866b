import * as vscode from 'vscode';
import { bocEditorType, documentScheme, readSetting } from '../../contributions';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import type { BocDocuments } from './bocDocuments';

/** Inspecting bags of cells. Everything but the registration is loaded on first use. */
export function registerCells(services: Services): vscode.Disposable {
  let made: Promise<BocDocuments> | undefined;
  const documents = (): Promise<BocDocuments> =>
    (made ??= import('./bocDocuments').then(({ BocDocuments }) => new BocDocuments(services)));
  return vscode.Disposable.from(
    registerBocEditor(services),
    afterStart(registerBocHover),
    registerCommands(services.log, {
      'tonWorkbench.inspectBoc': async (source) =>
        (await import('./inspectBocCommand')).inspectBocCommand(await documents(), source),
      'tonWorkbench.inspectCell': async (target) => (await documents()).showSelection(target),
      'tonWorkbench.copyCell': async (target, as) =>
        (await import('./cellCommands')).copyCell((await documents()).select(target), as),
      'tonWorkbench.compareBoc': async (target) =>
        (await import('./cellCommands')).compareBoc(services, (await documents()).select(target)),
      'tonWorkbench.disassembleCell': async (target) =>
        (await import('./cellCommands')).disassembleCell(services, (await documents()).select(target)),
      'tonWorkbench.readCellAs': async (target) =>
        (await import('./readCellAs')).readCellAs(services, (await documents()).select(target)),
      'tonWorkbench.findInBoc': async (target) =>
        (await import('./cellCommands')).findInBoc(await documents(), target),
    }),
  );
}

/** The read-only editor of *.boc files. Keeps nothing per file; the text is created when shown. */
function registerBocEditor(services: Services): vscode.Disposable {
  const provider: vscode.CustomReadonlyEditorProvider = {
    openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
    resolveCustomEditor: async ({ uri }, panel) =>
      (await import('./showBocEditor')).showBocEditor(services, uri, panel),
  };
  return vscode.window.registerCustomEditorProvider(bocEditorType, provider, {
    supportsMultipleEditorsPerDocument: true,
    webviewOptions: { enableFindWidget: true },
  });
}

/** Hovers over BoCs in base64 or hex, anywhere in text, unless turned off in the settings. */
function registerBocHover(): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    ['file', 'untitled', 'ton'].map((scheme) => ({ scheme })),
    {
      provideHover: async (document, position) =>
        readSetting(vscode.workspace, 'tonWorkbench.chainLinks') || document.uri.scheme === documentScheme
          ? (await import('./bocHover')).bocHover(document, position)
          : undefined,
    },
  );
}
