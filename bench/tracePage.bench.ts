import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { launchBrowser } from '../scripts/browser.mjs';
import { root } from '../scripts/lib/root.mjs';
import { readTraces } from '../src/toolkit/trace/readTraces';
import { TraceContext } from '../src/toolkit/trace/traceContext';
import type { TracePage } from '../src/toolkit/trace/page/tracePage';
import { tracePageOf } from '../test/support/tracePageOf';
import { chain, syntheticTrace, wide } from '../test/unit/trace/syntheticTrace';
import type { Shape } from '../test/unit/trace/syntheticTrace';
import { median } from './support/median';
import { report } from './support/report';
import type { BenchRow } from './support/report';

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

const peerName = 'plain SVG, a rect and a line each';

/**
 * The plainest picture of the same tree, as the peer: a rect and a line per transaction, all of them in the document, moved
 * by one transform. It has no texts, details, folds, search, or selection. Resolves as {@link open} does.
 */
async function openPlain(page: Page, trace: TracePage): Promise<number> {
  await page.setContent('<!DOCTYPE html><body style="margin:0"></body>');
  return page.evaluate(async (text) => {
    const { nodes } = JSON.parse(text) as { nodes: { parent: number }[] };
    const began = performance.now();
    const places: { x: number; y: number }[] = [];
    let column = 0;
    const parts = nodes.map(({ parent }, index) => {
      const over = places[parent];
      column += parent === index - 1 ? 0 : 1;
      const place = { x: column * 222, y: over === undefined ? 0 : over.y + 88 };
      places.push(place);
      const line =
        over === undefined
          ? ''
          : `<line x1="${over.x}" y1="${over.y + 40}" x2="${place.x}" y2="${place.y}" stroke="gray"/>`;
      return `${line}<rect x="${place.x}" y="${place.y}" width="190" height="40" fill="none" stroke="green"/>`;
    });
    document.body.innerHTML = `<svg class="picture" width="1000" height="700"><g>${parts.join('')}</g></svg>`;
    const group = document.querySelector('g');
    const at = { x: 0, y: 0 };
    document.querySelector('svg')?.addEventListener('wheel', (event) => {
      at.x -= event.deltaX;
      at.y -= event.deltaY;
      group?.setAttribute('transform', `translate(${at.x} ${at.y})`);
    });
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
  }, JSON.stringify(trace));
}

/** What a picture takes, once it is open. */
interface Measured {
  /** Median milliseconds from the model to the picture. */
  first: number;
  dropped: number;
  longest: number;
  /** Megabytes. */
  memory: number;
}

async function measure(trace: TracePage, show: typeof open): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const first: number[] = [];
    for (let run = 0; run < 5; run++) {
      first.push(await show(page, trace));
    }
    // What is folded is moved too easily: the 5,000 siblings are shown one by one.
    await page.evaluate(() => {
      document.querySelector('.more')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await pan(page, 30);
    const took = await pan(page, frames);
    return {
      first: median(first),
      dropped: took.filter(isDropped).length,
      longest: Math.max(...took),
      memory: await heap(session),
    };
  } finally {
    await page.close();
  }
}

const browser = await launchBrowser();
try {
  for (const [name, trace] of traces) {
    const ours = await measure(trace, open);
    const peer = await measure(trace, openPlain);
    const row = (
      what: string,
      key: keyof Measured,
    ): Pick<BenchRow, 'name' | 'ours' | 'peer' | 'peerName'> => ({
      ...{ name: `page of ${name}: ${what}`, ours: ours[key], peer: peer[key], peerName },
    });
    report([
      { ...row('first picture', 'first'), unit: 'ms', goal: '<= 150 ms' },
      { ...row(`dropped of ${frames} frames while panning`, 'dropped'), unit: 'frames', goal: '<= 2 frames' },
      { ...row('longest frame', 'longest'), unit: 'ms' },
      { ...row('memory of its objects', 'memory'), unit: 'MB', goal: '<= 150 MB' },
    ]);
  }
} finally {
  await browser.close();
}
