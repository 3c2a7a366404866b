import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { reduceDescription } from '../../../scripts/lib/reduceDescription.mjs';
import { renewReference } from '../../../scripts/lib/renewReference.mjs';
import { readDescription } from '../../support/readDescription';
import { referenceFolder } from '../../support/referenceFolder';

/** What a description says to people, or to a tool that draws it. */
const prose = {
  description: 'Some prose.',
  summary: 'Prose',
  title: 'Prose',
  example: { prose: true },
  examples: ['prose'],
  tags: ['prose'],
  externalDocs: { url: 'https://prose.example' },
  'x-prose': { type: 'string' },
};

/** Objects whose keys are names, not keywords: nothing can be said between them. */
const nameMaps = new Set(['properties', 'schemas', 'parameters', 'responses', 'paths', 'content', 'mapping']);

/** Values that are data, whatever they hold. */
const dataKeys = new Set(['enum', 'required', 'const', 'default']);

/** The same description, with prose wherever a description may have it. */
function withProse(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || dataKeys.has(key)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => withProse(one, 'entry'));
  }
  const inner = Object.entries(value).map(([name, one]) => [
    name,
    withProse(one, nameMaps.has(key) ? 'named' : name),
  ]);
  return { ...Object.fromEntries(inner), ...(nameMaps.has(key) ? {} : prose) };
}

describe('the reduced facts of a published description', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'ton-workbench-reference-'));
  after(() => rmSync(scratch, { recursive: true }));
  const write = (name: string, value: unknown): string => {
    const file = path.join(scratch, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };

  it('are its names, types, limits, enumerations, and requirements', () => {
    const facts = {
      openapi: '3.1.0',
      info: { version: '9' },
      paths: {
        '/api/v3/things': {
          post: {
            parameters: [
              {
                name: 'limit',
                in: 'query',
                required: true,
                schema: { type: 'integer', minimum: 1, maximum: 5 },
              },
              { $ref: '#/components/parameters/sort' },
            ],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
            responses: { '200': { $ref: '#/components/responses/200' }, '404': {} },
          },
        },
      },
      components: {
        parameters: {
          sort: { name: 'sort', in: 'query', schema: { enum: ['asc', 'desc'], default: 'asc' } },
        },
        responses: { '200': { content: { 'application/json': { schema: { type: 'array', items: {} } } } } },
        schemas: {
          Thing: {
            type: 'object',
            required: ['title'],
            properties: {
              title: { type: 'string', pattern: '^a' },
              description: { type: 'string' },
              example: { oneOf: [{ const: 1 }, { type: 'number', nullable: true }] },
            },
            additionalProperties: false,
          },
        },
      },
    };
    assert.deepEqual(reduceDescription(withProse(facts)), facts);
    assert.deepEqual(
      reduceDescription({ ...facts, servers: [{ url: 'https://a.example' }], security: [] }),
      facts,
    );
  });

  for (const layer of ['v2', 'v3'] as const) {
    it(`of ${layer} are derived from the description as published, line by line`, async () => {
      const file = write('published.json', withProse(readDescription(layer)));
      const [renewed] = await renewReference([file], scratch);
      assert.equal(renewed?.layer, layer);
      const stored = path.join(referenceFolder, `${layer}-openapi.json`);
      assert.equal(readFileSync(renewed.file, 'utf8'), readFileSync(stored, 'utf8'));
    });
  }

  it('are not written if a file does not describe either API', async () => {
    const good = write('good.json', readDescription('v3'));
    const folder = mkdtempSync(path.join(scratch, 'out-'));
    for (const wrong of [
      'no JSON',
      {},
      { paths: {} },
      { paths: { '/api/v2/a': {}, '/api/v3/b': {} } },
      { paths: { '/v3/b': {} } },
    ]) {
      const bad = write('bad.json', wrong);
      await assert.rejects(
        renewReference([good, bad], folder),
        (error: Error) => error.message.includes(bad),
        JSON.stringify(wrong),
      );
    }
    await assert.rejects(renewReference([path.join(scratch, 'absent.json')], folder), /absent\.json/);
    assert.deepEqual(readdirSync(folder), []);
  });
});
