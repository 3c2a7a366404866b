import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pressLens } from './pressLens';
import { openWorkbench } from './workbench';
import type { Workbench } from './workbench';

/** Milliseconds for compiling a source: another click meanwhile would open another form over the first. */
const compiles = 15_000;

export interface DeployedOptions {
  /** The name of the source's file; its contract has the same name, capitalized. */
  file: string;
  source: string;
  /** The values of the fields of its storage, by name. */
  storage: Readonly<Record<string, string>>;
  /** A get-method without parameters, whose lens appears when the contract is deployed. */
  getMethod: string;
  /** Other files of the folder, by name. */
  files?: Readonly<Record<string, string>>;
  settings?: Record<string, unknown>;
}

/** A window with a source that is deployed on the local network, from its lens. */
export async function openDeployed({
  file,
  source,
  storage,
  getMethod,
  files = {},
  settings = {},
}: DeployedOptions): Promise<Workbench> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-deployed-'));
  for (const [name, text] of Object.entries({ ...files, [file]: source })) {
    await writeFile(path.join(folder, name), text);
  }
  const workbench = await openWorkbench({ folder, settings });
  await rm(folder, { recursive: true });
  await workbench.runCommand('TON: Start Local Network');
  await workbench.statusBar.item(/TON Local \d+/).waitFor();
  try {
    await deployFrom(workbench, { file, storage, getMethod });
  } catch (error) {
    // Mocha tells of a failure before the first test to no hook.
    await workbench.keepEvidence(`deploying ${file}`);
    await workbench.close();
    throw error;
  }
  return workbench;
}

/** Deploys a source of the window's folder on its local network, from its lens. */
export async function deployFrom(
  workbench: Workbench,
  { file, storage, getMethod }: Pick<DeployedOptions, 'file' | 'storage' | 'getMethod'>,
): Promise<void> {
  const { editor, quickInput, page } = workbench;
  const stem = path.basename(file, path.extname(file));
  const contract = `${stem.slice(0, 1).toUpperCase()}${stem.slice(1)}`;
  await workbench.openFile(file);
  await pressLens(
    editor.lens(`Deploy ${contract}…`),
    page.locator('.quick-input-title:visible'),
    'visible',
    compiles,
  );
  const [[name, value] = ['', ''], ...more] = Object.entries(storage);
  if (more.length === 0) {
    // The form begins in the box of its only value.
    await quickInput.asks(`of ${contract} Storage`);
    await quickInput.fill(value);
    await quickInput.row(`${name}: ${value}`).waitFor();
  } else {
    await quickInput.asks(`TON: Deploy ${contract}`);
    await quickInput.fillForm(storage);
  }
  await quickInput.pick('Deploy');
  await editor.lens(new RegExp(`${getMethod}\\(\\).* on ${contract}`)).waitFor();
}
