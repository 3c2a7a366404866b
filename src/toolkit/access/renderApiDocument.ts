import type * as z from 'zod';
import type { Endpoint } from './endpoint';
import { allEndpoints } from './listEndpoints';
import type { NamedEndpoint } from './listEndpoints';
import type { Parameter } from './parameter';
import * as v2Objects from '../api/v2Objects';
import * as v3Objects from '../api/v3Objects';
import * as v3TraceObjects from '../api/v3Traces';
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
  const { meaning, choices, minimum, maximum, default: preset, maximumItems } = parameter;
  const facts = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(minimum === undefined || parameter.kind === 'time' ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(maximumItems === undefined ? [] : [`up to ${maximumItems} values`]),
    ...(preset === undefined ? [] : [`default ${preset}`]),
  ];
  return [meaning, ...(facts.length === 0 ? [] : [`(${facts.join('; ')})`])].join(' ').replaceAll('|', '\\|');
}

type Module = typeof v2Objects | typeof v3Objects | typeof v3TraceObjects;

/** The shared objects of a module by name. */
function objectsOf(module: Module): [string, z.core.$ZodType][] {
  return (Object.entries(module) as [string, object][]).filter(
    (entry): entry is [string, z.core.$ZodObject | z.core.$ZodRecord] =>
      '_zod' in entry[1] && ['object', 'record'].includes((entry[1] as z.core.$ZodTypes)._zod.def.type),
  );
}

/** They are named where they occur, and written out once per layer. */
const named = new Map<z.core.$ZodType, string>(
  [v2Objects, v3Objects, v3TraceObjects].flatMap((module) =>
    objectsOf(module).map(([name, schema]): [z.core.$ZodType, string] => [schema, name]),
  ),
);

function answerText({ result }: Endpoint): string {
  const text = typeText(result);
  return text.includes('\n') ? `\n\n\`\`\`ts\n${text}\n\`\`\`` : ` \`${text}\``;
}

function objectSections(layer: 'v2' | 'v3'): string {
  const modules = layer === 'v2' ? [v2Objects] : [v3Objects, v3TraceObjects];
  const parts = modules
    .flatMap(objectsOf)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, schema]) => `type ${name} = ${writtenOut(schema, '')};`);
  return `### ${layer}: shared objects\n\n\`\`\`ts\n${parts.join('\n\n')}\n\`\`\`\n`;
}

function typeText(schema: z.core.$ZodType, indent = ''): string {
  return named.get(schema) ?? writtenOut(schema, indent);
}

function writtenOut(schema: z.core.$ZodType, indent: string): string {
  const leaf = leafOf(schema);
  if (leaf !== undefined) {
    return leaf.type;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return typeText(def.innerType, indent);
    case 'nullable':
      return `${typeText(def.innerType, indent)} | null`;
    case 'array':
      return listText(typeText(def.element, indent));
    case 'record':
      return `Record<${typeText(def.keyType)}, ${typeText(def.valueType, indent)}>`;
    case 'union':
      return def.options.map((option) => typeText(option, indent)).join(' | ');
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ');
    case 'object':
      return objectText(schema as z.core.$ZodObject, indent);
    default:
      return def.type;
  }
}

function listText(element: string): string {
  return /[ |]/.test(element) && !element.startsWith('{') ? `(${element})[]` : `${element}[]`;
}

function objectText(schema: z.core.$ZodObject, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema._zod.def.shape).map(([name, field]) => {
    const { isOptional, type } = unwrap(field);
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${inner}${key}${isOptional ? '?' : ''}: ${typeText(type, inner)};`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** The `?` of the document covers both left out and null. */
function unwrap(schema: z.core.$ZodType): { isOptional: boolean; type: z.core.$ZodType } {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'optional') {
    return { isOptional: false, type: schema };
  }
  const inner = (def.innerType as z.core.$ZodTypes)._zod.def;
  return { isOptional: true, type: inner.type === 'nullable' ? inner.innerType : def.innerType };
}
