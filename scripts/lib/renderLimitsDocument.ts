import type { Limit } from '../../src/toolkit/limits';
import { limits } from '../../src/toolkit/limits';

/** docs/limits.md: the table of limits, written by `npm run docs`. */
export function renderLimitsDocument(): string {
  const rows = Object.entries<Limit>(limits).map(
    ([name, { input, most, unit }]) => `| \`${name}\` | ${input} | ${most.toLocaleString('en-US')} ${unit} |`,
  );
  return [
    '# Limits',
    '',
    'Outside input (service answers, chain content, workspace files, pasted text, requests to the local network and to',
    'the webhook listener) is bounded before it is read, so that nothing can block TON Workbench. Where a limit is',
    'reached, TON Workbench says so: the error `over-limit` names the input and the limit (`details.limit`), or the text',
    'shows what was left out.',
    '',
    'This file is written by `npm run docs` from src/toolkit/limits.ts.',
    '',
    '| limit | input | at most |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
