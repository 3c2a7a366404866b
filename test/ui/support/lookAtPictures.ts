import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { assertAccessible } from './assertAccessible';
import type { Theme, Workbench } from './workbench';

/** The pictures of a trace's page, as its toolbar calls them. */
export const pictures = ['Flow', 'Sequence', 'Money', 'Table'];

/**
 * Shows every picture of the open page of a trace in a theme: looked at by people, and by axe, in light as a whole and
 * in other themes for its colors. Ends at the flow.
 */
export async function lookAtPictures(workbench: Workbench, name: string, theme: Theme): Promise<void> {
  const page = workbench.editor.webview();
  const button = (picture: string) => page.getByRole('button', { name: picture, exact: true });
  const style = await readFile(path.join(root, 'dist/webview/tracePage.css'), 'utf8');
  await workbench.setTheme(theme);
  for (const picture of pictures) {
    await button(picture).click();
    await page.getByRole('button', { name: picture, exact: true, pressed: true }).waitFor();
    await page.locator('.body > :first-child').waitFor();
    await workbench.screenshot(`${name} ${picture.toLowerCase()} ${theme}`);
    await assertAccessible(workbench, style, theme === 'light' ? 'everything' : 'colors');
  }
  await button('Flow').click();
}
