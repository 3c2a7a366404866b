import * as vscode from 'vscode';
import { asCommand, documentScheme } from '../../contributions';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { accountName } from '../project/accountName';
import { perWindow } from '../networks/sourceNames';
import type { Services } from '../project/services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { shownWith } from './copyCallCommand';
import type { CompleteCall } from './recentCalls';

/**
 * Opens the document of a result; the same call on the same network updates it in place.
 * @param beside opens it beside the editor, which keeps the focus
 */
export async function showGetMethodResult(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
  beside = false,
): Promise<void> {
  const { path, document } = await documentOf(services, call, answer);
  const options = { language: 'ton-report', preview: true, beside, preserveFocus: beside };
  const editor = await services.documents.show(path, document, options);
  markChangedLines(services, editor);
  if (answer.result.network === services.networks.local().name) {
    const { oldDocuments } = await import('../project/oldDocuments');
    const { address, method, stack } = call;
    const again = { network: answer.result.network, address, method, stack };
    const command = asCommand('tonWorkbench.runGetMethod', 'Run again', again);
    await oldDocuments(services).watch(path, [answer.result.address], command);
  }
}

/** Updates the document of a call if it is open; never opens one. */
export async function updateGetMethodResult(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
): Promise<void> {
  if (services.documents.isOpen(pathOf(services, call, answer.result))) {
    const { path, document } = await documentOf(services, call, answer);
    services.documents.keep(path, document);
  }
}

async function documentOf(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
): Promise<{ path: string; document: ReadOnlyDocument }> {
  const { result } = answer;
  const { rawAnswerLines, resultLines, textOfLines } =
    await import('../../toolkit/getMethods/describeGetMethodResult');
  const path = pathOf(services, call, result);
  const lines = resultLines(result, {
    ...shownWith(services, answer),
    previous: services.documents.find(path)?.result,
  });
  const again = { network: result.network, address: call.address, method: call.method };
  const block = result.block === undefined ? {} : { block: result.block };
  const ran = { ...again, stack: call.stack, ...block };
  return {
    path,
    document: {
      text: textOfLines(lines),
      lines,
      folded: rawAnswerLines(lines),
      result,
      lenses: [
        asCommand('tonWorkbench.runGetMethod', '$(refresh) Run again', { ...again, stack: call.stack }),
        asCommand('tonWorkbench.runGetMethod', '$(edit) Other arguments', again),
        asCommand('tonWorkbench.watchCall', '$(eye) Watch', { ...again, stack: call.stack }),
        asCommand('tonWorkbench.debug', '$(debug-alt) Debug', ran),
        asCommand('tonWorkbench.showMethodSteps', '$(list-ordered) Steps', ran),
        asCommand('tonWorkbench.showGas', '$(flame) Gas', ran),
        asCommand('tonWorkbench.copyCall', '$(copy) Copy as…', { ...again, stack: call.stack }),
      ],
    },
  };
}

function pathOf(services: Services, call: CompleteCall, result: GetMethodResult): string {
  const who = accountName(services)(result.address) ?? shortAddress(call.address);
  const title = `${result.method} on ${who}`.replace(/[/\\]/g, ' ');
  const identity = encodeURIComponent(JSON.stringify([result.network, call.address, call.stack]));
  return `get-method/${identity}/${title}`;
}

/** One decoration per window. */
const markOf = perWindow((services: Services) => {
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
  });
  services.context.subscriptions.push(
    mark,
    // An open document gets its new text only after it has been shown.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      for (const one of vscode.window.visibleTextEditors.filter((shown) => shown.document === document)) {
        decorate(services, one, mark);
      }
    }),
  );
  return mark;
});

/** Highlights the lines that changed since the last answer like inserted lines, now and after each update. */
function markChangedLines(services: Services, editor: vscode.TextEditor): void {
  decorate(services, editor, markOf(services));
}

function decorate(
  { documents }: Services,
  editor: vscode.TextEditor,
  mark: vscode.TextEditorDecorationType,
): void {
  const { uri, lineCount } = editor.document;
  const shown = uri.scheme === documentScheme ? documents.find(uri.path.slice(1)) : undefined;
  // Marks only lines flagged by the description; other results have their own marks.
  if (shown?.result === undefined) {
    return;
  }
  const changed = (shown.lines ?? []).flatMap(({ isChanged }, line) => (isChanged === true ? [line] : []));
  editor.setDecorations(
    mark,
    changed.filter((line) => line < lineCount).map((line) => editor.document.lineAt(line).range),
  );
}
