import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { patience } from './patience';

/** Waits for text after a line of an editor. */
export async function waitForMark(line: Locator, wanted: RegExp): Promise<void> {
  for (const end = Date.now() + patience; !wanted.test(await markOf(line));) {
    assert.ok(Date.now() < end, `the line has ${await markOf(line)}`);
    await line.page().waitForTimeout(50);
  }
}

/** The text after a line of an editor, which the editor keeps in styles. */
export function markOf(line: Locator): Promise<string> {
  return line.evaluate((element) =>
    [...element.querySelectorAll('span')].map((span) => getComputedStyle(span, '::after').content).join(' '),
  );
}
