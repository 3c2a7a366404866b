import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import type { StorageLayout } from '../../toolkit/layouts/findStorage';
import { ownValue } from '../../toolkit/ownValue';
import type { Services } from '../services';
import { structQuestions } from '../fields/structQuestions';
import { withProgress } from '../ui/withProgress';
import { askCell } from './askCell';

/** Key of the data that each contract was last deployed with: stack text, by contract name. */
const dataKey = 'deployedData';

/**
 * Asks for a contract's initial data: one box per field if its source describes its storage, followed by a
 * check of how its get-methods cope with the data; otherwise one cell.
 * @returns undefined if the user canceled
 */
export async function askInitialData(services: Services, built: BuiltContract): Promise<Cell | undefined> {
  const { projectStorage } = await import('../../toolkit/layouts/projectStorage');
  const storage = await projectStorage(await services.project.list(), built.name);
  const { initialLayout } = await import('../../toolkit/layouts/initialLayout');
  const own = storage && initialLayout(storage);
  return own === undefined || own.layout.cells.flat().length === 0
    ? askDataCell(services, built, own)
    : askStorage(services, built, own);
}

async function askStorage(
  services: Services,
  built: BuiltContract,
  storage: StorageLayout,
): Promise<Cell | undefined> {
  const { readStorageText } = await import('../../toolkit/layouts/readStorageText');
  const { fields, cell, remember } = await structQuestions(services, {
    ...storage,
    key: `${built.name}.${storage.layout.name}`,
    network: services.networks.local(),
    readWhole: (text, options) => readStorageText(text, storage, options),
  });
  for (let isBack = false; (await fields.ask(0, 1, isBack)) === 'next'; isBack = true) {
    const data = cell();
    const answer = await confirm(services, built, data, fields.text(), fields.count() + 1);
    if (answer === 'deploy') {
      await remember();
      return data;
    }
    if (answer === undefined) {
      return undefined;
    }
  }
  return undefined;
}

/** Shows what will be deployed, and which get-methods fail on it. */
async function confirm(
  services: Services,
  built: BuiltContract,
  data: Cell,
  text: string,
  step: number,
): Promise<'deploy' | 'change' | undefined> {
  const { tryInitialData } = await import('../../toolkit/workflows/tryInitialData');
  const { failures, passed } = await withProgress('Trying the get-methods', async () => {
    const [access, contracts] = await Promise.all([
      services.connections.open(services.networks.local()),
      services.project.list(),
    ]);
    return tryInitialData({ access, contracts, log: services.log }, built, data);
  });
  const isFine = failures.length === 0;
  const fine =
    passed.length === 0 ? '' : `${passed.join(', ')} ${passed.length === 1 ? 'works' : 'work'} on it`;
  const deploy = {
    label: isFine ? '$(rocket) Deploy' : '$(warning) Deploy Anyway',
    description: isFine ? fine : '',
    detail: text,
    answer: 'deploy' as const,
  };
  const change = {
    label: '$(edit) Change Data',
    description: '',
    detail: failures.join('; '),
    answer: 'change' as const,
  };
  const picked = await vscode.window.showQuickPick(isFine ? [deploy, change] : [change, deploy], {
    title: `TON: Deploy ${built.name} (${step}/${step})`,
    placeHolder: isFine ? 'Deploy with this data?' : 'Get-methods fail on this data',
    ignoreFocusOut: true,
  });
  return picked?.answer;
}

async function askDataCell(
  services: Services,
  { name, initial }: BuiltContract,
  storage: StorageLayout | undefined,
): Promise<Cell | undefined> {
  const { workspaceState } = services.context;
  const known = workspaceState.get<Record<string, string>>(dataKey, {});
  const wanted = initial === undefined || initial.parameters === '' ? '' : ` for ${initial.parameters}`;
  const answer = await askCell(services, {
    title: `TON: Deploy ${name}`,
    prompt: `Initial data${wanted} as one cell: b(…) with its values, or cell te6cc…. b() is empty.`,
    value: ownValue(known, name) ?? (await startText(storage)) ?? initial?.text ?? 'b()',
  });
  if (answer === undefined) {
    return undefined;
  }
  await workspaceState.update(dataKey, { ...known, [name]: answer.text });
  return answer.cell;
}

/** The data of a contract whose storage or init() has no fields; undefined if nothing is known of it, or it is empty. */
async function startText(storage: StorageLayout | undefined): Promise<string | undefined> {
  if (storage === undefined) {
    return undefined;
  }
  const [{ readStorageText }, { printStackValue }] = await Promise.all([
    import('../../toolkit/layouts/readStorageText'),
    import('../../toolkit/stack/printStackValue'),
  ]);
  const cell = readStorageText('{}', storage);
  return cell.bits.length === 0 ? undefined : printStackValue({ type: 'cell', cell });
}
