import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/base/errors';
import { WorkBudget } from '../../toolkit/base/limits';
import type { LayoutSet, StructLayout } from '../../toolkit/contracts/layouts/layoutSet';
import type { DecodedBody } from '../../toolkit/contracts/opcodes/decodedBody';
import type { Services } from '../project/services';
import type { CellSelection } from './bocDocuments';
import { bocWords } from './showBocEditor';

type Item = vscode.QuickPickItem & { set: LayoutSet; layout: StructLayout; body: DecodedBody };

/**
 * Shows the selected cell as a struct from the workspace's ABIs, ignoring its prefix; matching structs come first.
 */
export async function readCellAs(services: Services, { boc, name, roots }: CellSelection): Promise<void> {
  const root = roots[0]!;
  const { projectLayouts } = await import('../../toolkit/contracts/layouts/projectLayouts');
  const sets = await projectLayouts(await services.project.list());
  if (sets.length === 0) {
    throw noLayoutsError();
  }
  const [{ decodeByLayout }, { toCoreCell }, { bodyLines }] = await Promise.all([
    import('../../toolkit/contracts/layouts/decodeByLayout'),
    import('../../toolkit/cell/toCoreCell'),
    import('../../toolkit/contracts/opcodes/bodyLines'),
  ]);
  const cell = toCoreCell(boc, root);
  const budget = new WorkBudget('decodedFields', { kind: 'failed' });
  const items = sets.flatMap((set) =>
    [...set.structs.values()].map((layout): Item => {
      const body = decodeByLayout(cell, layout, set, budget);
      const mark = fits(body) ? '$(check)' : '$(symbol-structure)';
      return {
        label: `${mark} ${layout.name}`,
        description: words(layout, body),
        detail: set.origin,
        set,
        layout,
        body,
      };
    }),
  );
  items.sort((a, b) => Number(fits(b.body)) - Number(fits(a.body)));
  const picked = await vscode.window.showQuickPick(items, {
    title: `TON: Read Cell #${root} of ${name} As`,
    placeHolder: 'Choose a struct',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) {
    return;
  }
  const { layout, body } = picked;
  const hash = boc.hashHex(root);
  const lines = [
    `cell #${root}  ${hash}`,
    fits(body) ? '✓ fits' : body.broken ? '✗ does not fit' : '✗ the cell has more data than the struct',
    '',
    ...bodyLines(body, { ...(await bocWords(services)), origins: true }),
  ];
  await services.documents.show(
    `boc-struct/${hash}/${layout.name}/${name.replaceAll(/[/\\]/g, ' ')} as ${layout.name}`,
    { text: `${lines.join('\n')}\n`, lenses: [] },
    { language: 'ton-report' },
  );
}

function fits({ broken, left }: DecodedBody): boolean {
  return !broken && left.bits + left.refs === 0;
}

function words(layout: StructLayout, body: DecodedBody): string {
  const kind = layout.isStorage
    ? 'contract storage'
    : body.opcode === undefined
      ? ''
      : `message ${body.opcode}`;
  return [kind, fits(body) ? 'fits' : ''].filter((part) => part !== '').join(', ');
}

function noLayoutsError(): WorkbenchError {
  return new WorkbenchError({
    code: 'no-layouts',
    kind: 'input',
    message: 'No file in this workspace describes the layout of structs.',
    hint: 'Add the Tolk source of the contract, or build it: the Tact compiler writes .abi and .pkg files.',
  });
}
