import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import type { Workbench } from './workbench';

/** Each page takes a process of the browser: the pictures of a window take turns in one. */
const copies = new WeakMap<BrowserContext, Promise<Page>>();

function copyIn(context: BrowserContext): Promise<Page> {
  const copy = copies.get(context) ?? context.newPage();
  copies.set(context, copy);
  return copy;
}

/**
 * Accessibility of the visible webview for screen readers and low vision. The editor lets nothing else run in it, so a
 * copy of it with its colors is examined.
 *
 * @param style the webview's style sheet, if it is a file
 * @param what `colors`: only the rules that a theme decides, for what was examined whole in another theme
 */
export async function assertAccessible(
  { page, editor }: Workbench,
  style = '',
  what: 'everything' | 'colors' = 'everything',
): Promise<void> {
  const html = await editor
    .webview()
    .locator('html')
    .evaluate((root) => root.outerHTML);
  const copy = await copyIn(page.context());
  await copy.setContent(html.replace(/<meta http-equiv[^>]*>/, '').replace(/<script[^]*?<\/script>/g, ''));
  // The editor paints what is behind the page.
  await copy.addStyleTag({ content: `html { background: var(--vscode-editor-background); }\n${style}` });
  // There are no frames in it; otherwise a second page would be opened to add up what was found in each.
  const axe = new AxeBuilder({ page: copy }).setLegacyMode();
  const { violations } = await (
    what === 'colors'
      ? axe.withRules(['color-contrast', 'link-in-text-block'])
      : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
  ).analyze();
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 80)).join(', ')}`),
    [],
  );
}
