import * as vscode from 'vscode';
import type { FromTracePage } from '../../protocol/tracePage';
import { fileName } from '../../toolkit/fileName';
import { limits, overLimitError } from '../../toolkit/limits';
import { shortenMiddle } from '../../toolkit/text';
import { failedNodes } from '../../toolkit/trace/verdict';
import type { PageDetails } from '../../toolkit/tracePage/tracePage';
import type { PageSubject } from './pageSubject';
import { copyTrace } from './traceDocuments';
import type { TraceServices } from './traceServices';
import { readWorkspaceText } from '../ui/readWorkspaceFile';

/** Maximum transactions whose details are in a standalone file; failed ones come first. */
const mostDetails = 1_000;

type Export = Extract<FromTracePage, { type: 'export' }>;

/**
 * Saves a picture that the page has drawn, or the page itself as a standalone file; or copies the trace.
 * @throws WorkbenchError `over-limit`
 */
export async function exportTracePage(
  services: TraceServices,
  subject: PageSubject,
  message: Export,
): Promise<void> {
  switch (message.format) {
    case 'svg':
    case 'png':
      if (message.text.length > limits.tracePicture.most) {
        throw overLimitError('tracePicture');
      }
      await save(
        subject,
        message.format,
        Buffer.from(message.text, message.format === 'png' ? 'base64' : 'utf8'),
      );
      return;
    case 'mermaid':
    case 'json':
      await copyTrace(services.traces, { key: subject.at().trace.key, as: message.format });
      return;
    case 'html':
      await save(subject, 'html', Buffer.from(await htmlOf(services, subject)));
      return;
  }
}

async function htmlOf({ context }: TraceServices, subject: PageSubject): Promise<string> {
  const read = async (file: string): Promise<string> => {
    const uri = vscode.Uri.joinPath(context.extensionUri, 'dist/webview', file);
    return readWorkspaceText(uri, 'givenFile');
  };
  const { standaloneHtml } = await import('../../toolkit/tracePage/standaloneHtml');
  const page = await subject.page();
  const failed = new Set(failedNodes(subject.at().trace.model).map(({ index }) => index));
  const order = [...page.nodes.keys()].sort((a, b) => Number(failed.has(b)) - Number(failed.has(a)));
  const details: PageDetails[] = [];
  for (const index of order.slice(0, mostDetails)) {
    const one = await subject.details(index);
    if (one !== undefined) {
      details.push(withoutCommands(one));
    }
  }
  const [script, style] = await Promise.all([read('tracePage.js'), read('tracePage.css')]);
  return standaloneHtml({ page: { ...page, commands: [] }, details, script, style });
}

/** In a file there is no editor that could do anything. */
function withoutCommands({ sections, ...details }: PageDetails): PageDetails {
  return {
    ...details,
    commands: [],
    sections: sections.map(({ title, rows }) => ({
      title,
      rows: rows.map(({ label, text, tone }) => ({ label, text, ...(tone === undefined ? {} : { tone }) })),
    })),
  };
}

const kinds = { svg: 'Picture', png: 'Picture', html: 'Page' } as const;

async function save(subject: PageSubject, extension: keyof typeof kinds, content: Uint8Array): Promise<void> {
  const { trace } = subject.at();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `trace-${shortenMiddle(trace.model.id ?? trace.key).replace(/[^\w-]/g, '')}.${extension}`;
  const target = await vscode.window.showSaveDialog({
    title: 'Export Trace Page',
    filters: { [kinds[extension]]: [extension] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, content);
    void vscode.window.showInformationMessage(`Saved ${fileName(target.path)}.`);
  }
}
