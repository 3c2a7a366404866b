import * as z from 'zod';
import type { Endpoint } from '../../src/toolkit/access/endpoint/endpoint';
import { allEndpoints } from '../../src/toolkit/access/listEndpoints';
import type { NamedEndpoint } from '../../src/toolkit/access/listEndpoints';
import type { Parameter } from '../../src/toolkit/access/endpoint/parameter';
import * as v2Objects from '../../src/toolkit/api/v2Objects';
import * as v3Blocks from '../../src/toolkit/api/v3Blocks';
import * as v3Contracts from '../../src/toolkit/api/v3Tokens';
import * as v3Mirrored from '../../src/toolkit/api/v3Mirrored';
import * as v3Objects from '../../src/toolkit/api/v3Objects';
import * as v3Tokens from '../../src/toolkit/api/v3Tokens';
import * as v3Traces from '../../src/toolkit/api/v3Traces';
import { leafOf } from '../../src/toolkit/api/wire';

const introduction = `# The endpoints of API v2 and v3

All that \`ton-workbench api v3 NAME parameter=value --json\`, **TON: Call API Endpoint…**, and
\`access.v3.NAME({ parameter: value }, { signal })\` can ask a network for. Written by \`npm run docs\` from
\`src/toolkit/access\`.

Parameters (\`*\` is required, \`…\` may be repeated):

- address: raw (\`0:83df…\`) or user-friendly, base64 or base64url, with any flags
- hash: 64 hex digits, with or without 0x, or 32 bytes in base64 or base64url, with or without padding
- time: Unix seconds; on the command line also \`2026-01-31T12:00Z\`
- shard: hex as v3 writes it, or signed decimal as v2 writes it
- boc: base64 or hex
- stack, json: JSON

The command line prints the service's answer unchanged. In code, answers are typed: amounts in nanocoins, lt, and other
large numbers are bigints; counts, times, and seqnos are numbers, even if the service sends text; hashes are lowercase
hex; addresses are raw and lowercase. Fields that no type lists are kept as sent. The types stand in
\`src/toolkit/api\`; in the package, \`dist/apiTypes.d.ts\` has them all.
`;

/** docs/api.md: every endpoint with its parameters and its answer, from the tables. */
export function renderApiDocument(): string {
  const endpoints = allEndpoints();
  const sections = (['v2', 'v3'] as const).map((layer) => {
    const rows = endpoints.filter(({ endpoint }) => endpoint.layer === layer);
    const categories = [...new Set(rows.map(({ endpoint }) => endpoint.category))];
    const parts = categories.map((category) => {
      const inside = rows.filter(({ endpoint }) => endpoint.category === category);
      return `### ${layer}: ${category}\n\n${inside.map(endpointSection).join('\n')}`;
    });
    return `## API ${layer}\n\n${parts.join('\n')}`;
  });
  const known = `## Parameters of several endpoints\n\nElsewhere on this page, only their names stand.\n\n${[...shared].sort().join('\n')}\n`;
  return `${introduction}\n${known}\n${sections.join('\n')}`;
}

function endpointSection({ name, endpoint }: NamedEndpoint): string {
  const notes = [
    ...(endpoint.changesChain
      ? ['Changes the chain: never retried; needs confirmation on the main network.']
      : []),
    ...(endpoint.isUndescribed ? ['Not in the published description.'] : []),
  ];
  const answer = answerText(endpoint.result);
  const place = endpoint.path === `/${name}` ? '' : ` ${endpoint.path}`;
  const title = [
    `**${name}** (\`${endpoint.methods.join(', ')}${place}\`)`,
    ...(answer === undefined ? [] : [`→ \`${answer}\``]),
  ];
  return [
    `${title.join(' ')}: ${[endpoint.purpose, ...notes].join(' ')}`,
    '',
    ...parameterLines(endpoint),
  ].join('\n');
}

/** A parameter as its line of a list: what it is called, what it takes, what it means. */
function parameterLine(name: string, parameter: Parameter): string {
  return `- \`${name}\`${markOf(parameter)} (${parameter.kind}): ${meaningText(parameter)}`;
}

function markOf({ repeated, required }: Parameter): string {
  return `${repeated ? '…' : ''}${required ? '*' : ''}`;
}

/** The lines of parameters that mean the same wherever they stand; each is written once, at the top. */
const shared = new Set(sharedLines());

function sharedLines(): string[] {
  const counts = new Map<string, number>();
  for (const { endpoint } of allEndpoints()) {
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      const line = parameterLine(name, parameter);
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  const often = [...counts].filter(([, count]) => count >= 4).sort(([, one], [, other]) => other - one);
  // A name that means two things stands where it is used, but for what it means most often.
  const names = new Set<string>();
  return often.flatMap(([line]) => {
    const name = nameIn(line);
    return names.has(name) || !names.add(name) ? [] : [line];
  });
}

function nameIn(line: string): string {
  return line.slice(0, line.indexOf(' (')).replaceAll(/[^\w]/g, '');
}

function parameterLines({ parameters }: Endpoint): string[] {
  const all = Object.entries(parameters);
  const own = all
    .map(([name, parameter]) => parameterLine(name, parameter))
    .filter((line) => !shared.has(line));
  const known = all
    .filter(([name, parameter]) => shared.has(parameterLine(name, parameter)))
    .map(([name, parameter]) => `\`${name}\`${markOf(parameter)}`);
  const line = known.length === 0 ? [] : [`- ${known.join(', ')}`];
  return all.length === 0 ? [] : [...own, ...line, ''];
}

function meaningText(parameter: Parameter): string {
  const { meaning, choices, minimum, maximum, default: preset, usualMaximum, usualItems } = parameter;
  const facts = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(minimum === undefined || parameter.kind === 'time' ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(usualMaximum === undefined ? [] : [`at most ${usualMaximum} on public services`]),
    ...(usualItems === undefined ? [] : [`up to ${usualItems} values on public services`]),
    ...(preset === undefined ? [] : [`default ${preset}`]),
  ];
  return [meaning, ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`])].join(' ');
}

const modules: Record<'v2' | 'v3', readonly object[]> = {
  v2: [v2Objects],
  v3: [v3Blocks, v3Contracts, v3Mirrored, v3Objects, v3Tokens, v3Traces],
};

/** The shared objects of a module by name. */
function objectsOf(module: object): [string, z.ZodType][] {
  return Object.entries(module).filter(
    (entry): entry is [string, z.ZodType] =>
      entry[1] instanceof z.ZodObject || entry[1] instanceof z.ZodRecord,
  );
}

function typeName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The types that have a name. */
const named = new Map<unknown, string>(
  [...modules.v2, ...modules.v3].flatMap((module) =>
    objectsOf(module).map(([name, schema]): [unknown, string] => [schema, typeName(name)]),
  ),
);

/** The name of an answer's type; undefined if it has none, because it is an object of its own. */
function answerText(schema: unknown): string | undefined {
  const known = named.get(schema) ?? leafOf(schema)?.type;
  if (known !== undefined) {
    return known;
  }
  if (schema instanceof z.ZodArray) {
    const element = answerText(schema.element);
    return element === undefined ? undefined : `${element}[]`;
  }
  if (schema instanceof z.ZodRecord) {
    const value = answerText(schema.valueType);
    return value === undefined ? undefined : `Record<string, ${value}>`;
  }
  return schema instanceof z.ZodObject || schema instanceof z.ZodUnion
    ? undefined
    : (schema as z.ZodType).type;
}
