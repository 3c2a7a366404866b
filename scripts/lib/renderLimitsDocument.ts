import type { Limit } from '../../src/toolkit/base/limits';
import { limits } from '../../src/toolkit/base/limits';

const introduction = `# Limits

How much TON Workbench takes of what comes from outside: answers of services, content of the chain, files, pasted
text, and requests to its own servers. Nothing larger can block it. At a limit, the error \`over-limit\` names the input
and the limit (\`details.limit\`), or the text shows what was left out.

Written by \`npm run docs\` from \`src/toolkit/base/limits.ts\`. Sizes are bytes unless characters or cells are named.
`;

/** docs/limits.md: the limits of each input, written by `npm run docs`. */
export function renderLimitsDocument(): string {
  const inputs = new Map<string, string[]>();
  for (const [name, limit] of Object.entries<Limit>(limits)) {
    inputs.set(limit.input, [...(inputs.get(limit.input) ?? []), `${amountOf(limit)} (\`${name}\`)`]);
  }
  const rows = [...inputs].map(([input, own]) => `- ${input}: ${own.join('; ')}`);
  return `${introduction}\n${rows.join('\n')}\n`;
}

function amountOf({ most, unit }: Limit): string {
  const bytes = /^bytes\b(.*)$/.exec(unit)?.[1];
  if (bytes === undefined) {
    return `${most.toLocaleString('en-US')} ${unit}`;
  }
  const [size, name] =
    most % 1_048_576 === 0
      ? [most / 1_048_576, 'MiB']
      : most % 1024 === 0
        ? [most / 1024, 'KiB']
        : [most, 'bytes'];
  return `${size.toLocaleString('en-US')} ${name}${bytes.replace(/^ of /, ' of ')}`;
}
