import * as vscode from 'vscode';
import { asCommand, bocPathPrefix, documentScheme } from '../../contributions';
import type { BocTarget } from '../../commandTargets';
import type { Boc } from '../../toolkit/cell/boc';
import type { BocDocument } from '../../toolkit/contracts/opcodes/describeBoc';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { Services } from '../project/services';
import { describeInWorkspace } from './showBocEditor';
import { shortenMiddle } from '../../toolkit/base/text';
import { keepNewest } from '../../toolkit/base/collections';

/** A BoC open in a document. */
interface OpenBoc {
  boc: Boc;
  /** The document's name. */
  name: string;
  /** The root of the shown subtree; undefined shows all roots. */
  root: number | undefined;
  /** The cell shown on each line (zero-based). */
  cellOfLine: BocDocument['cellOfLine'];
}

/** Cells of an open BoC: its roots, or one subtree. */
export interface CellSelection {
  boc: Boc;
  /** Cell numbers. */
  roots: readonly number[];
  name: string;
}

/** Maximum number of BoCs kept; documents of dropped ones ask to be opened again. */
const capacity = 50;

/** The BoCs open as documents, and the cells their lines show. */
export class BocDocuments {
  readonly #services: Services;
  readonly #open = new Map<string, OpenBoc>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Shows a BoC as a read-only document: its meaning, its size, and its cells as a folding tree.
   * @param root shows only this cell's subtree
   */
  async show(boc: Boc, name: string | undefined, root?: number): Promise<void> {
    const hash = boc.hashHex(root ?? boc.roots[0]!);
    const title = name ?? `BoC ${shortenMiddle(hash)}`;
    const described = await describeInWorkspace(this.#services, boc, root);
    const tab = root === undefined ? `${title} cells` : `${title} cell #${root}`;
    const path = `${bocPathPrefix.slice(1)}${hash}/${tab.replaceAll(/[/\\]/g, ' ')}`;
    const key = `/${path}`;
    this.#remember(key, { boc, name: title, root, cellOfLine: described.cellOfLine });
    await this.#services.documents.show(
      path,
      { text: described.text, lenses: await lenses(boc, { key }, root) },
      { language: 'ton-report' },
    );
  }

  /**
   * The cells a command applies to: those of a lens, else those at the cursor.
   * @throws WorkbenchError `boc-not-open` if no BoC is being inspected
   */
  select(target: BocTarget | undefined): CellSelection {
    const editor = vscode.window.activeTextEditor;
    const key = target?.key ?? editor?.document.uri.path ?? '';
    const open = this.#open.get(key);
    if (open === undefined) {
      throw notOpenError();
    }
    const whole = open.root === undefined ? open.boc.roots : [open.root];
    const line = target?.key === undefined ? editor?.selection.active.line : undefined;
    const cell = line === undefined ? undefined : open.cellOfLine.get(line);
    return { boc: open.boc, name: open.name, roots: cell === undefined ? whole : [cell] };
  }

  /** Shows the selected cell by itself. */
  async showSelection(target: BocTarget | undefined): Promise<void> {
    const { boc, name, roots } = this.select(target);
    await this.show(boc, name, roots.length === 1 ? roots[0] : undefined);
  }

  /** Puts the cursor on the first line that shows the cell; false if the tree was truncated before it. */
  async reveal(target: BocTarget | undefined, cell: number): Promise<boolean> {
    const key = target?.key ?? vscode.window.activeTextEditor?.document.uri.path ?? '';
    const line = [...(this.#open.get(key)?.cellOfLine ?? [])].find(([, shown]) => shown === cell)?.[0];
    if (line === undefined) {
      return false;
    }
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: documentScheme, path: key }),
    );
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(line, 0, line, 0) });
    return true;
  }

  #remember(key: string, open: OpenBoc): void {
    keepNewest(this.#open, key, open, capacity);
  }
}

async function lenses(boc: Boc, target: BocTarget, root: number | undefined): Promise<vscode.Command[]> {
  const message = root === undefined ? await externalMessage(boc) : undefined;
  return [
    ...(message === undefined
      ? []
      : [
          asCommand('tonWorkbench.sendBoc', '$(cloud-upload) Send…', message),
          asCommand('tonWorkbench.openTrace', '$(history) Open Trace', message),
        ]),
    asCommand('tonWorkbench.copyCell', '$(copy) Copy as BoC', target, 'boc'),
    asCommand('tonWorkbench.copyCell', '$(copy) Copy as hex', target, 'hex'),
    asCommand('tonWorkbench.findInBoc', '$(search) Find a cell…', target),
    asCommand('tonWorkbench.compareBoc', '$(diff) Compare with another BoC…', target),
    asCommand('tonWorkbench.disassembleCell', '$(code) Disassemble code', target),
    asCommand('tonWorkbench.readCellAs', '$(symbol-structure) Read as…', target),
  ];
}

/** The BoC as base64, if it holds a sendable message. */
async function externalMessage(boc: Boc): Promise<string | undefined> {
  const { readExternalMessage } = await import('../../toolkit/send/externalMessage');
  try {
    readExternalMessage(boc);
    return Buffer.from(boc.bytes).toString('base64');
  } catch {
    return undefined;
  }
}

/** Lenses pass a reference; the palette passes nothing, and menus pass the document: then the cursor decides. */
function notOpenError(): WorkbenchError {
  return new WorkbenchError({
    code: 'boc-not-open',
    kind: 'input',
    message: 'No inspected BoC is open.',
    hint: 'Open one with "TON: Inspect BoC…".',
  });
}
