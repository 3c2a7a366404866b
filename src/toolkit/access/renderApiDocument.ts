import * as z from 'zod';
import type { Endpoint } from './endpoint/endpoint';
import { allEndpoints } from './listEndpoints';
import type { NamedEndpoint } from './listEndpoints';
import type { Parameter } from './endpoint/parameter';
import * as v2Objects from '../api/v2Objects';
import * as v3Accounts from '../api/v3Accounts';
import * as v3Blocks from '../api/v3Blocks';
import * as v3Contracts from '../api/v3Contracts';
import * as v3Mirrored from '../api/v3Mirrored';
import * as v3Objects from '../api/v3Objects';
import * as v3Tokens from '../api/v3Tokens';
import * as v3Traces from '../api/v3Traces';
import { leafOf } from '../api/wire';

const introduction = `# The endpoints of API v2 and v3

Written by \`npm run docs\` from the tables in \`src/toolkit/access\`; do not edit.

On the command line: \`node dist/cli.js api v3 <name> parameter=value --json\`. In the editor: "TON: Call API Endpoint…".
In this project's own code: \`access.v2.<name>({ parameter: value }, { signal })\` and \`access.v3.<name>(…)\`.

Parameters (\`*\` must be given, \`…\` may be repeated):

- address: raw (\`0:83df…\`) or user-friendly, base64 or base64url, with any flags
- hash: 64 hex digits, with or without 0x, or 32 bytes in base64 or base64url, with or without padding
- time: Unix seconds, on the command line also \`2026-01-31T12:00Z\`
- shard: hex as v3 writes it, or signed decimal as v2 writes it
- boc: base64 or hex
- stack, json: JSON

Answers, in code: bigint for amounts in nanocoins, lt and what else does not fit a number, number for counts, times and
seqnos (also where the service sends them as strings), hash as 64 lower-case hex digits, address raw with lower-case hex. \`?\` may be left out or null. Fields that are not listed are
kept as sent. The command line prints the service's answer as it is.
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
    return `## API ${layer}\n\n${parts.join('\n')}\n${objectSections(layer)}`;
  });
  return `${introduction}\n${sections.join('\n')}`;
}

function endpointSection({ name, endpoint }: NamedEndpoint): string {
  const notes = [
    ...(endpoint.changesChain ? ['Changes the chain: never retried, asked about on the main network.'] : []),
    ...(endpoint.isUndescribed ? ['Not in the published description.'] : []),
  ];
  const lines = [
    `#### ${name}`,
    '',
    `${endpoint.methods.map((method) => `\`${method} ${endpoint.path}\``).join(', ')}  `,
    [endpoint.purpose, ...notes].join(' '),
    '',
    ...parameterLines(endpoint),
    `Answer:${answerText(endpoint)}`,
    '',
  ];
  return lines.join('\n');
}

function parameterLines({ parameters }: Endpoint): string[] {
  const rows = Object.entries(parameters).map(([name, parameter]) => {
    const mark = `${parameter.repeated ? '…' : ''}${parameter.required ? '*' : ''}`;
    return `| \`${name}\`${mark} | ${parameter.kind} | ${cellText(parameter)} |`;
  });
  return rows.length === 0 ? [] : ['| parameter | kind | meaning |', '| --- | --- | --- |', ...rows, ''];
}

function cellText(parameter: Parameter): string {
  const { meaning, choices, minimum, maximum, default: preset, usualMaximum, usualItems } = parameter;
  const facts = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(minimum === undefined || parameter.kind === 'time' ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(usualMaximum === undefined ? [] : [`at most ${usualMaximum} on public services`]),
    ...(usualItems === undefined ? [] : [`up to ${usualItems} values on public services`]),
    ...(preset === undefined ? [] : [`default ${preset}`]),
  ];
  return [meaning, ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`])].join(' ').replaceAll('|', '\\|');
}

const modules: Record<'v2' | 'v3', readonly object[]> = {
  v2: [v2Objects],
  v3: [v3Accounts, v3Blocks, v3Contracts, v3Mirrored, v3Objects, v3Tokens, v3Traces],
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

/** They are named where they occur, and written out once per layer. */
const named = new Map<unknown, string>(
  [...modules.v2, ...modules.v3].flatMap((module) =>
    objectsOf(module).map(([name, schema]): [unknown, string] => [schema, typeName(name)]),
  ),
);

function answerText({ result }: Endpoint): string {
  const text = typeText(result);
  return text.includes('\n') ? `\n\n\`\`\`ts\n${text}\n\`\`\`` : ` \`${text}\``;
}

function objectSections(layer: 'v2' | 'v3'): string {
  const parts = modules[layer]
    .flatMap(objectsOf)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, schema]) => `type ${typeName(name)} = ${writtenOut(schema, '')};`);
  return `### ${layer}: shared objects\n\n\`\`\`ts\n${parts.join('\n\n')}\n\`\`\`\n`;
}

function typeText(schema: unknown, indent = ''): string {
  return named.get(schema) ?? writtenOut(schema, indent);
}

function writtenOut(schema: unknown, indent: string): string {
  const leaf = leafOf(schema);
  if (leaf !== undefined) {
    return leaf.type;
  }
  if (schema instanceof z.ZodOptional) {
    return typeText(schema.unwrap(), indent);
  }
  if (schema instanceof z.ZodNullable) {
    return `${typeText(schema.unwrap(), indent)} | null`;
  }
  if (schema instanceof z.ZodArray) {
    return listText(typeText(schema.element, indent));
  }
  if (schema instanceof z.ZodRecord) {
    return `Record<${typeText(schema.keyType)}, ${typeText(schema.valueType, indent)}>`;
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.map((option) => typeText(option, indent)).join(' | ');
  }
  if (schema instanceof z.ZodLiteral) {
    return [...schema.values].map((value) => JSON.stringify(value)).join(' | ');
  }
  return schema instanceof z.ZodObject ? objectText(schema, indent) : (schema as z.ZodType).type;
}

function listText(element: string): string {
  return /[ |]/.test(element) && !element.startsWith('{') ? `(${element})[]` : `${element}[]`;
}

function objectText(schema: z.ZodObject, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.shape).map(([name, field]) => {
    const { isOptional, type } = unwrap(field);
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${inner}${key}${isOptional ? '?' : ''}: ${typeText(type, inner)};`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** The `?` of the document covers both left out and null. */
function unwrap(schema: unknown): { isOptional: boolean; type: unknown } {
  if (!(schema instanceof z.ZodOptional)) {
    return { isOptional: false, type: schema };
  }
  const inner: unknown = schema.unwrap();
  return { isOptional: true, type: inner instanceof z.ZodNullable ? inner.unwrap() : inner };
}
