import assert from 'node:assert/strict';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { traceFixtures } from '../support/traceFixtures';
import type { Finding, Operation } from './support/apiDescription';
import { ApiDescription } from './support/apiDescription';
import { deviations, neverSeen } from './support/apiDeviations';
import type { Request } from './support/apiRequests';
import { v2Requests, v3Requests } from './support/apiRequests';
import type { BusyNetwork } from './support/busyNetwork';
import { fillNetwork, startManualNetwork } from './support/busyNetwork';

type Layer = 'v2' | 'v3';

describe('the local network against the published descriptions', function () {
  const descriptions = { v2: new ApiDescription('v2'), v3: new ApiDescription('v3') };
  let network: Localnet | undefined;
  let busy: BusyNetwork;
  let requests: Record<Layer, Request[]>;
  const needed = new Set<object>();
  const asked = new Set<string>();
  const used = new Set<string>();
  const seen = new Map<string, boolean>();

  before(async () => {
    network = await startManualNetwork();
    busy = await fillNetwork(network);
    requests = { v2: await v2Requests(busy), v3: await v3Requests(busy) };
  });
  after(() => network?.close());

  /** What the table of deviations does not explain. */
  const unexplained = (layer: Layer, path: string, findings: Finding[]): string[] =>
    findings.flatMap((one) => {
      const known = deviations.find(
        (row) =>
          row.layer === layer &&
          (row.path === '*' || row.path === path) &&
          row.schema === one.schema &&
          row.pointer === one.pointer &&
          row.finding === one.finding,
      );
      if (known !== undefined) {
        needed.add(known);
      }
      return known === undefined ? [`${layer} ${one.schema} ${one.pointer} ${one.finding}`] : [];
    });

  const ask = async (
    layer: Layer,
    verb: 'GET' | 'POST',
    path: string,
    parameters: Request['parameters'],
  ): Promise<{ status: number; body: unknown }> => {
    const url = `/api/${layer}${path}`;
    return verb === 'GET' ? busy.call('GET', url + queryOf(parameters)) : busy.call('POST', url, parameters);
  };

  const checkAnswer = (
    layer: Layer,
    place: string,
    path: string,
    operation: Operation,
    answer: { status: number; body: unknown },
  ): string[] => {
    const description = descriptions[layer];
    const row = deviations.find(
      (one) => one.layer === layer && one.path === path && one.answersAs !== undefined,
    );
    if (row !== undefined) {
      needed.add(row);
    }
    const schema =
      row?.answersAs === undefined
        ? description.answerSchema(operation, answer.status)
        : { $ref: `#/components/schemas/${row.answersAs}` };
    assert.ok(
      schema,
      `${place}: the description has no answer with status ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
    if (layer === 'v3') {
      description.visitFields(schema, answer.body, (field, present) => {
        seen.set(field, present || (seen.get(field) ?? false));
      });
    }
    return unexplained(layer, path, description.check(place, schema, answer.body));
  };

  for (const layer of ['v2', 'v3'] as const) {
    const description = descriptions[layer];
    for (const { verb, path, operation } of description.operations()) {
      it(`${layer} ${verb} ${path}: requests and answers`, async () => {
        const place = `${verb} ${path}`;
        const own = requests[layer].filter((one) => one.path === path);
        assert.ok(own.length > 0, 'nothing asks it');
        const problems: string[] = [];
        for (const { parameters, status = 200 } of own) {
          const wrong =
            verb === 'GET'
              ? description.checkQuery(place, operation, parameters)
              : description.checkBody(place, operation, parameters);
          problems.push(...unexplained(layer, path, wrong));
          Object.keys(parameters).forEach((name) => used.add(`${layer} ${place} ${name}`));
          const answer = await ask(layer, verb, path, parameters);
          assert.equal(
            answer.status,
            status,
            `${place} ${JSON.stringify(parameters)}: ${JSON.stringify(answer.body).slice(0, 500)}`,
          );
          if (status === 200) {
            problems.push(...checkAnswer(layer, place, path, operation, answer));
          }
          asked.add(`${layer} ${place}`);
        }
        assert.deepEqual([...new Set(problems)], []);
        const names = description.parameterNames(operation);
        assert.deepEqual(
          names.filter((name) => !used.has(`${layer} ${place} ${name}`)),
          [],
          'parameters that nothing asks with',
        );
      });
    }
  }

  it('v2 answers POST and JSON-RPC like GET', async () => {
    const problems: string[] = [];
    for (const { verb, path } of descriptions.v2.operations()) {
      for (const { parameters, status = 200 } of requests.v2.filter(
        (one) => one.path === path && verb === 'GET',
      )) {
        const method = path.slice(1);
        const name = requestName(method);
        assert.ok(descriptions.v2.hasSchema(name), name);
        problems.push(...unexplained('v2', path, descriptions.v2.checkBody(path, name, parameters)));
        const [get, post, rpc] = [
          await ask('v2', 'GET', path, parameters),
          await ask('v2', 'POST', path, parameters),
          await ask('v2', 'POST', '/jsonRPC', { id: '1', jsonrpc: '2.0', method, params: parameters }),
        ].map(({ status: code, body }) => ({ code, result: (body as { result?: unknown }).result }));
        assert.equal(get?.code, status, path);
        assert.deepEqual(post, get, path);
        assert.deepEqual(rpc, get, path);
      }
    }
    assert.deepEqual([...new Set(problems)], []);
  });

  for (const { file, text } of traceFixtures()) {
    it(`the recorded answer ${file} has no other deviations`, () => {
      const findings = descriptions.v3.check(
        file,
        { $ref: '#/components/schemas/TracesResponse' },
        JSON.parse(text),
      );
      assert.deepEqual(unexplained('v3', 'recorded', findings), []);
    });
  }

  it('every described field of v3 occurs, except those that a local network does not have', () => {
    const missing = [...seen].filter(([, present]) => !present).map(([field]) => field);
    assert.deepEqual(missing.filter((field) => !Object.hasOwn(neverSeen, field)).sort(), []);
    assert.deepEqual(
      Object.keys(neverSeen).filter((field) => !missing.includes(field)),
      [],
      'seen after all',
    );
  });

  it('every deviation in the table is needed', () => {
    assert.equal(asked.size, 34 + 49, 'only when every operation was asked');
    const idle = deviations.filter((row) => !needed.has(row));
    assert.deepEqual(
      idle.map(({ layer, schema, pointer, finding }) => `${layer} ${schema} ${pointer} ${finding}`),
      [],
    );
  });
});

/** The description names the POST form of a GET method's parameters, without using it in a path. */
function requestName(method: string): string {
  const bare = method.replace(/^get/, '').replace(/^./, (letter) => letter.toUpperCase());
  return `${bare.replace(/Std$/, 'V2')}Request`;
}

function queryOf(parameters: Request['parameters']): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map(
      (item) => `${name}=${encodeURIComponent(String(item))}`,
    ),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
