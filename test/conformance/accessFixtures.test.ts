import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { answerReader } from '../../src/toolkit/api/answerReader';
import type { CallContext } from '../../src/toolkit/access/errors';
import { findEndpoint } from '../../src/toolkit/access/listEndpoints';
import { readAnswer } from '../../src/toolkit/access/readAnswer';
import { v3Endpoints } from '../../src/toolkit/access/v3/v3Endpoints';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { referenceFolder } from '../support/referenceFolder';
import { traceFixtures } from '../support/traceFixtures';

const tracesResult = v3Endpoints.traces.result;

describe('recorded answers', () => {
  for (const { file, text } of traceFixtures()) {
    it(`${file} can be read, and written back equals the recording`, () => {
      const read = answerReader(tracesResult).decode(JSON.parse(text));
      assert.ok('value' in read, 'failure' in read ? JSON.stringify(read.failure) : '');
      const written: unknown = z.encode(tracesResult, read.value);
      assert.deepEqual(written, JSON.parse(text));
    });

    it(`${file} is read as zod reads it`, () => {
      const read = answerReader(tracesResult).decode(JSON.parse(text));
      assert.ok('value' in read);
      assert.deepEqual(read.value, z.parse(tracesResult, JSON.parse(text)));
    });

    it(`${file}: a check leaves the answer unchanged`, () => {
      const json: unknown = JSON.parse(text);
      assert.equal(answerReader(tracesResult).check(json), undefined);
      assert.deepEqual(json, JSON.parse(text));
    });
  }

  it('converts numbers, hashes, and addresses to our forms', () => {
    const [fixture] = traceFixtures().filter(({ file }) => file === 'ton-sent-traces.json');
    assert.ok(fixture);
    const read = answerReader(tracesResult).decode(JSON.parse(fixture.text));
    assert.ok('value' in read);
    const [trace] = read.value.traces ?? [];
    assert.ok(trace?.trace && trace.transactions && trace.trace_id);
    assert.match(trace.trace_id, /^[0-9a-f]{64}$/);
    assert.equal(trace.trace.tx_hash, trace.trace_id);
    const root = trace.transactions[trace.trace_id];
    assert.ok(root?.account, 'found by the hash in our form');
    assert.equal(typeof root.lt, 'bigint');
    assert.equal(typeof root.total_fees, 'bigint');
    assert.match(root.account, /^0:[0-9a-f]{64}$/);
    assert.equal(root.in_msg?.source, null);
    assert.equal(typeof root.description?.compute_ph?.gas_used, 'bigint');
    assert.ok(read.value.address_book?.[root.account], 'the address book is keyed by the same form');
  });

  const meanings: Record<string, [code: string, kind: string]> = {
    'v2-429-result': ['rate-limited', 'service'],
    'v2-429-error-documented': ['rate-limited', 'service'],
    'v2-401': ['unauthorized', 'service'],
    'v2-403': ['wrong-network-key', 'service'],
    'v2-sendBoc-not-accepted': ['message-rejected', 'failed'],
    'v2-sendBoc-bad-boc': ['message-rejected', 'failed'],
    'v2-sendBoc-not-message': ['message-rejected', 'failed'],
    'v2-runGetMethod-python-503': ['service-failure', 'service'],
    'v2-runGetMethod-wrong-slice-tag-503': ['service-failure', 'service'],
    'v2-getTransactions-not-archival': ['history-missing', 'service'],
    'v2-getBlockTransactions-notready': ['history-missing', 'service'],
    'v2-404-route': ['not-found', 'service'],
  };
  const file = path.join(referenceFolder, 'v2-errors.json');
  const bodies = JSON.parse(readFileSync(file, 'utf8')) as { id: string; http: number; body: object }[];

  it('covers every recorded error body', () => {
    assert.deepEqual(bodies.map(({ id }) => id).sort(), Object.keys(meanings).sort());
  });

  for (const { id, http, body } of bodies) {
    it(`${id} is ${meanings[id]?.[0]}`, () => {
      const error = errorOf(id.includes('sendBoc') ? 'sendBoc' : 'getTransactions', http, body);
      assert.deepEqual([error.code, error.kind], meanings[id]);
      assert.equal(error.details.status, http);
    });
  }

  it('an error for a rejected message includes the exit code, the gas, and the log', () => {
    const body = bodies.find(({ id }) => id === 'v2-sendBoc-not-accepted')?.body ?? {};
    const { details } = errorOf('sendBoc', 500, body);
    assert.equal(details.exitCode, 133);
    assert.equal(details.steps, 49);
    assert.equal(details.gasUsed, 0);
    assert.match(String(details.vmLog), /THROWIFNOT 133\n.*exit code 133\n$/);
  });
});

function errorOf(method: string, status: number, body: object): WorkbenchError {
  const { endpoint } = findEndpoint('v2', method) ?? assert.fail(method);
  const context: CallContext = { endpoint, origin: 'http://service', hasKey: false, changesChain: true };
  try {
    readAnswer(context, { status, header: () => undefined, body: Buffer.from(JSON.stringify(body)) });
  } catch (error) {
    assert.ok(error instanceof WorkbenchError);
    return error;
  }
  return assert.fail('no error');
}
