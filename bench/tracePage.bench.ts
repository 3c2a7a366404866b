import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../scripts/browser.mjs';
import { root } from '../scripts/lib/root.mjs';
import { readTraces } from '../src/toolkit/trace/readTraces';
import { TraceContext } from '../src/toolkit/trace/traceContext';
import type { TracePage } from '../src/toolkit/tracePage/tracePage';
import { tracePageOf } from '../test/support/tracePageOf';
import { chain, syntheticTrace, wide } from '../test/unit/trace/syntheticTrace';
import type { Shape } from '../test/unit/trace/syntheticTrace';
import { median } from './support/median';
import { report } from './support/report';

/** A frame at 60 per second, and how much longer one that was dropped takes. */
const frame = 1000 / 60;
const isDropped = (took: number): boolean => took > 1.5 * frame;
const frames = 180;

const asset = (name: string): string => readFileSync(path.join(root, 'dist/webview', name), 'utf8');
const [script, style] = [asset('tracePage.js'), asset('tracePage.css')];

const fan: Shape = () => 0;
const traces: [name: string, trace: TracePage][] = (
  [
    ['10,000 transactions, 8 messages each', 10_000, wide],
    ['5,000 deep', 5000, chain],
    ['5,000 wide', 5000, fan],
  ] as const
).map(([name, count, shape]) => {
  const [model] = readTraces({ traces: [syntheticTrace(count, shape)] });
  if (model === undefined) {
    throw new Error('no trace');
  }
  return [name, tracePageOf(new TraceContext(model))];
});

/** Opens the page as the editor does, and resolves to the milliseconds from the model's arrival to its picture. */
async function open(page: Page, trace: TracePage): Promise<number> {
  await page.setContent(
    `<!DOCTYPE html><html><head><style>${style}</style></head><body><div id="app"></div></body></html>`,
  );
  return page.evaluate(
    async ({ text, code }: { text: string; code: string }) => {
      const shown = JSON.parse(text) as unknown;
      let began = 0;
      Object.assign(window, {
        acquireVsCodeApi: () => ({
          postMessage: ({ type }: { type: string }) => {
            if (type === 'ready') {
              began = performance.now();
              window.dispatchEvent(
                new MessageEvent('message', { data: { type: 'show', page: shown, selected: undefined } }),
              );
            }
          },
          getState: () => undefined,
          setState: () => undefined,
        }),
      });
      const element = document.createElement('script');
      element.textContent = code;
      document.body.append(element);
      while (document.querySelector('.box, .row[id]') === null) {
        await new Promise(requestAnimationFrame);
      }
      // The frame after the one that has the boxes: they are on the screen.
      await new Promise(requestAnimationFrame);
      return performance.now() - began;
    },
    { text: JSON.stringify(trace), code: script },
  );
}

/** Moves the picture a little in each frame; the frames' durations. */
function pan(page: Page, count: number): Promise<number[]> {
  return page.evaluate(async (steps) => {
    const picture = document.querySelector('.picture');
    const took: number[] = [];
    let last = await new Promise<number>(requestAnimationFrame);
    for (let step = 0; step < steps; step++) {
      const forth = Math.floor(step / 30) % 2 === 0;
      picture?.dispatchEvent(
        new WheelEvent('wheel', {
          deltaX: forth ? 24 : -24,
          deltaY: forth ? 12 : -12,
          bubbles: true,
          cancelable: true,
        }),
      );
      const now = await new Promise<number>(requestAnimationFrame);
      took.push(now - last);
      last = now;
    }
    return took;
  }, count);
}

/** Megabytes of the page's objects after a collection. */
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1e6;
}

const browser = await launchBrowser();
try {
  for (const [name, trace] of traces) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const first: number[] = [];
    for (let run = 0; run < 5; run++) {
      first.push(await open(page, trace));
    }
    // What is folded is moved too easily: the 5,000 siblings are shown one by one.
    await page.evaluate(() => {
      document.querySelector('.more')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await pan(page, 30);
    const took = await pan(page, frames);
    const memory = await heap(session);
    report([
      { name: `page of ${name}: first picture`, ours: median(first), unit: 'ms', goal: '<= 150 ms' },
      {
        name: `page of ${name}: dropped of ${frames} frames while panning`,
        ours: took.filter(isDropped).length,
        unit: 'frames',
        goal: '<= 2 frames',
      },
      { name: `page of ${name}: longest frame`, ours: Math.max(...took), unit: 'ms' },
      { name: `page of ${name}: memory of its objects`, ours: memory, unit: 'MB', goal: '<= 150 MB' },
    ]);
    await page.close();
  }
} finally {
  await browser.close();
}
