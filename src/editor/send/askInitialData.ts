import type { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { Network } from '../../toolkit/access/network';
import type { BuiltContract } from '../../toolkit/build/readBuiltContract';
import type { FormVerdict } from '../../toolkit/send/fieldForm';
import type { StorageLayout } from '../../toolkit/contracts/layouts/layoutSet';
import { ownValue } from '../../toolkit/base/collections';
import type { Services } from '../project/services';
import { structQuestions } from '../project/structQuestions';
import { askCell } from '../localnet/askCell';

/** Key of the data that each contract was last deployed with: stack text, by contract name. */
const dataKey = 'deployedData';
/** Key of the struct that each contract's data was deployed as, if there are several. */
const formKey = 'deployedForm';

/** Initial data, and how it was given. */
export interface InitialData {
  cell: Cell;
  /** Fields, or a cell: stack text. */
  text: string;
}

/** Of every box that a deployment asks in. */
export function deployTitle(name: string, network: Network): string {
  const place = network.kind === 'local' ? 'the Local Network' : network.name;
  return `TON: Deploy ${name} to ${place}`;
}

/**
 * Asks for a contract's initial data: a form with its fields if its source describes its storage, which says how
 * its get-methods cope with the data; otherwise one cell.
 * @returns undefined if the user canceled
 */
export async function askInitialData(
  services: Services,
  built: BuiltContract,
  file: vscode.Uri,
  network: Network,
): Promise<InitialData | undefined> {
  const { projectStorage } = await import('../../toolkit/contracts/layouts/projectLayouts');
  const path = vscode.workspace.asRelativePath(file);
  const found = await projectStorage(await services.project.list(), { name: built.name, file: path });
  const { initialLayout } = await import('../../toolkit/contracts/layouts/initialLayout');
  const form = found && (await askForm(services, `${built.name} ${path}`, found));
  if (found !== undefined && form === undefined) {
    return undefined;
  }
  const own = found && initialLayout(found, form);
  return own === undefined || own.layout.cells.flat().length === 0
    ? askDataCell(services, built, { storage: own, network })
    : askStorage(services, built, { storage: own, network });
}

/**
 * The form of data that has several, unless the source says which is deployed: the one chosen before, else the user is
 * asked once.
 * @returns the struct's name as the start of data; '' if there is nothing to choose; undefined if the user canceled
 */
async function askForm(
  { context }: Services,
  contract: string,
  { layout, others = [] }: StorageLayout,
): Promise<string | undefined> {
  const forms = [layout, ...others];
  if (others.length === 0 || forms.some(({ isDeployed }) => isDeployed)) {
    return '';
  }
  const chosen = context.workspaceState.get<Record<string, string>>(formKey, {});
  const kept = forms.find(({ name }) => name === chosen[contract])?.name;
  const name =
    kept ??
    (
      await vscode.window.showQuickPick(
        forms.map((form) => ({
          label: form.name,
          description: form.cells
            .flat()
            .map((field) => field.name)
            .join(', '),
        })),
        {
          title: 'TON: Deploy',
          placeHolder: 'The contract loads its data as each of these. Which one is it deployed with?',
        },
      )
    )?.label;
  if (name === undefined) {
    return undefined;
  }
  await context.workspaceState.update(formKey, { ...chosen, [contract]: name });
  return `${name} {`;
}

async function askStorage(
  services: Services,
  built: BuiltContract,
  { storage, network }: { storage: StorageLayout; network: Network },
): Promise<InitialData | undefined> {
  const { readStorageText } = await import('../../toolkit/contracts/layouts/readStorageText');
  const { fields, cell, remember } = await structQuestions(services, {
    ...storage,
    key: `${built.name}.${storage.layout.name}`,
    network,
    readWhole: (text, options) => readStorageText(text, storage, options),
  });
  const answer = await fields.ask({
    title: deployTitle(built.name, network),
    action: { label: 'Deploy', icon: 'rocket', anyway: 'Deploy Anyway' },
    checking: 'trying the get-methods',
    waits: true,
    verdict: () => tryData(services, built, { data: cell(), network }),
  });
  if (answer !== 'next') {
    return undefined;
  }
  await remember();
  return { cell: cell(), text: fields.text() };
}

/** Which get-methods work and which fail on the data. */
async function tryData(
  services: Services,
  built: BuiltContract,
  { data, network }: { data: Cell; network: Network },
): Promise<FormVerdict> {
  const { tryInitialData } = await import('../../toolkit/workflows/tryInitialData');
  const [access, contracts] = await Promise.all([
    services.connections.open(network),
    services.project.list(),
  ]);
  const trial = await tryInitialData({ access, contracts, log: services.log }, built, data);
  const { failures, passed } = trial;
  return failures.length > 0
    ? { state: 'fails', text: failures.join('; ') }
    : {
        state: 'fine',
        text:
          passed.length === 0
            ? ''
            : `${passed.join(', ')} ${passed.length === 1 ? 'works' : 'work'} on this data`,
      };
}

async function askDataCell(
  services: Services,
  { name, initial }: BuiltContract,
  { storage, network }: { storage: StorageLayout | undefined; network: Network },
): Promise<InitialData | undefined> {
  const { workspaceState } = services.context;
  const known = workspaceState.get<Record<string, string>>(dataKey, {});
  const wanted = initial === undefined || initial.parameters === '' ? '' : ` for ${initial.parameters}`;
  const answer = await askCell(services, {
    title: deployTitle(name, network),
    prompt: `Initial data${wanted} as one cell: b(…) with its values, or cell te6cc…. b() is empty.`,
    value: ownValue(known, name) ?? (await startText(storage)) ?? initial?.text ?? 'b()',
  });
  if (answer === undefined) {
    return undefined;
  }
  await workspaceState.update(dataKey, { ...known, [name]: answer.text });
  return answer;
}

/** The data of a contract whose storage or init() has no fields; undefined if nothing is known of it, or it is empty. */
async function startText(storage: StorageLayout | undefined): Promise<string | undefined> {
  if (storage === undefined) {
    return undefined;
  }
  const [{ readStorageText }, { printStackValue }] = await Promise.all([
    import('../../toolkit/contracts/layouts/readStorageText'),
    import('../../toolkit/stack/stackValue'),
  ]);
  const cell = readStorageText('{}', storage);
  return cell.bits.length === 0 ? undefined : printStackValue({ type: 'cell', cell });
}
