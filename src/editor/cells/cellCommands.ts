import * as vscode from 'vscode';
import type { BocTarget, CellForm } from '../../commandTargets';
import { shortenMiddle } from '../../toolkit/base/text';
import type { Services } from '../project/services';
import { askText } from '../ui/askText';
import type { BocDocuments, CellSelection } from './bocDocuments';
import { pickBoc, readPickedBoc } from './readPickedBoc';

/** Copies the cells to the clipboard as a separate BoC. @param given asked for if absent */
export async function copyCell(selection: CellSelection, given?: CellForm): Promise<void> {
  const forms = [
    { label: 'BoC', detail: 'In base64.', form: 'boc' },
    { label: 'Hex', detail: 'The same bytes in hex.', form: 'hex' },
  ] as const;
  const form =
    given ??
    (await vscode.window.showQuickPick(forms, { title: 'TON: Copy Cell', placeHolder: 'Choose the form' }))
      ?.form;
  if (form === undefined) {
    return;
  }
  const { writeBoc } = await import('../../toolkit/cell/writeBoc');
  const { boc, roots } = selection;
  await vscode.env.clipboard.writeText(writeBoc(boc, roots).toString(form === 'hex' ? 'hex' : 'base64'));
  const what = roots.length === 1 ? `cell #${roots[0]} and what is below it` : `${roots.length} roots`;
  void vscode.window.setStatusBarMessage(`Copied ${what} as ${form === 'hex' ? 'a hex BoC' : 'a BoC'}`, 4000);
}

/** Shows how another BoC differs, starting at the roots. */
export async function compareBoc(services: Services, { boc, name, roots }: CellSelection): Promise<void> {
  const picked = await pickBoc('TON: Compare BoCs', 'Choose the BoC to compare with');
  if (picked === undefined) {
    return;
  }
  const [{ diffText }, { writeBoc }, { readBoc }] = await Promise.all([
    import('../../toolkit/cell/diffBocs'),
    import('../../toolkit/cell/writeBoc'),
    import('../../toolkit/cell/readBoc'),
  ]);
  const other = await readPickedBoc(picked);
  // Comparison starts at the roots, so a subtree is first made a separate BoC.
  const left = sameRoots(roots, boc.roots) ? boc : readBoc(writeBoc(boc, roots));
  const otherName = picked.name ?? `BoC ${shortenMiddle(other.hashHex(other.roots[0]!))}`;
  const text = `- ${name}\n+ ${otherName}\n\n${diffText(left, other)}`;
  const hashes = [left, other].map((one) => one.hashHex(one.roots[0]!)).join('-');
  const title = `${name} and ${otherName}`.replaceAll(/[/\\]/g, ' ');
  await services.documents.show(
    `boc-difference/${hashes}/${title}`,
    { text, lenses: [] },
    { language: 'ton-report' },
  );
}

/** Shows the code in a cell as TVM assembly, method by method. */
export async function disassembleCell(
  services: Services,
  { boc, name, roots }: CellSelection,
): Promise<void> {
  const [{ disassembleCode }, { toCoreCell }] = await Promise.all([
    import('../../toolkit/cell/disassembleCode'),
    import('../../toolkit/cell/toCoreCell'),
  ]);
  const root = roots[0]!;
  const { text, methods } = await disassembleCode(toCoreCell(boc, root));
  const hash = boc.hashHex(root);
  const indented = (code: string): string[] =>
    code
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`);
  const lines = [
    `code ${hash}`,
    methods.length === 0 ? 'no method table' : `${methods.length} methods`,
    '',
    'before a method is chosen',
    // The methods are listed separately below.
    ...indented(withoutMethods(text)),
    ...methods.flatMap((method) => [
      '',
      `${method.name === undefined ? 'method' : method.name} (${method.id})`,
      ...indented(method.text),
    ]),
  ];
  await services.documents.show(
    `boc-code/${hash}/${name.replaceAll(/[/\\]/g, ' ')} code`,
    { text: `${lines.join('\n')}\n`, lenses: [] },
    { language: 'ton-report' },
  );
}

/** The code without the method table, which lies between `DICTPUSHCONST … [` and a `]` on its own line. */
function withoutMethods(code: string): string {
  const lines = code.split('\n');
  const start = lines.findIndex((line) => /^DICTPUSHCONST \S+ \[$/.test(line));
  const end = start < 0 ? -1 : lines.indexOf(']', start);
  return end < 0
    ? code
    : [...lines.slice(0, start), `${lines[start]} the methods below ]`, ...lines.slice(end + 1)].join('\n');
}

/** Finds cells by hash, data, address, or text, and goes to the chosen one. */
export async function findInBoc(bocs: BocDocuments, target: BocTarget | undefined): Promise<void> {
  const { boc, name } = bocs.select(target);
  const { searchCells } = await import('../../toolkit/cell/searchCells');
  const query = await askText({
    title: `TON: Find in ${name}`,
    prompt: 'An address, hex data at any bit, the start of a hash, text, or #12 for cell 12',
    placeholder: 'Address, hex, text, or cell number',
    validate: (text) => problemOf(() => searchCells(boc, text)),
  });
  if (typeof query !== 'string') {
    return;
  }
  const matches = searchCells(boc, query);
  const items = matches.map(({ cell, bit }) => ({
    label: `#${cell}`,
    description: bit === undefined ? 'its hash' : `data, from bit ${bit}`,
    detail: boc.hashHex(cell),
    cell,
  }));
  const picked =
    items.length <= 1
      ? items[0]
      : await vscode.window.showQuickPick(items, { title: `TON: ${items.length} cells contain ${query}` });
  if (picked === undefined) {
    if (items.length === 0) {
      void vscode.window.showInformationMessage(`No cell in ${name} contains ${query}.`);
    }
    return;
  }
  if (!(await bocs.reveal(target, picked.cell))) {
    await bocs.show(boc, name, picked.cell);
  }
}

function problemOf(search: () => unknown): string | undefined {
  try {
    search();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function sameRoots(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((root, index) => root === right[index]);
}
