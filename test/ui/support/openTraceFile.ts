import path from 'node:path';
import { attempt, patience } from './patience';
import type { Workbench } from './workbench';

/** Opens a file with traces that is in the workspace's folder. */
export async function openTraceFile(workbench: Workbench, name: string): Promise<void> {
  const { folder, page, quickInput } = workbench;
  await workbench.runCommand('TON: Open Trace File…');
  await quickInput.asks('Open Trace File');
  // The dialog opens what it has found, and finds nothing in what is typed while it still lists a folder.
  const found = page.locator('.quick-input-list .monaco-list-row.focused', {
    hasText: path.parse(name).name,
  });
  for (const end = Date.now() + patience; !(await found.isVisible()) && Date.now() < end;) {
    await quickInput.type(`${folder}/`);
    await quickInput.type(path.join(folder, name));
    await found.waitFor({ timeout: attempt(2000) }).catch(() => undefined);
  }
  await quickInput.accept();
}
