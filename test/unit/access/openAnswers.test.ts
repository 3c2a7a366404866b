import assert from 'node:assert/strict';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { runGetMethod } from '../../../src/toolkit/getMethods/runGetMethod';
import { describeGetMethodResult } from '../../../src/toolkit/getMethods/describeGetMethodResult';

const address = `0:${'ab'.repeat(32)}`;

/** A service that answers everything with one body, and remembers what it was asked. */
function service(body: unknown, status = 200): { access: Access; asked: string[] } {
  const asked: string[] = [];
  const access = createAccess({
    network: {
      name: 'own',
      kind: 'custom',
      v2: 'http://127.0.0.1:9/api/v2',
      v3: 'http://127.0.0.1:9/api/v3',
      globalId: 0,
    },
    transport: ({ url, body: sent }) => {
      asked.push(sent === undefined ? url : String(sent));
      return Promise.resolve({
        status,
        header: (name) => (name === 'content-type' ? 'application/json' : undefined),
        body: Buffer.from(JSON.stringify(body)),
      });
    },
  });
  return { access, asked };
}

async function refusalOf(work: Promise<unknown>): Promise<WorkbenchError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof WorkbenchError);
    return error;
  }
  assert.fail('was not refused');
}

describe('the access layer and what the documents leave open', () => {
  it('accepts an answer of runGetMethod with exactly the documented fields', async () => {
    const { access } = service({ address, method: 'seqno', stack: [{ type: 'num', value: '0x2a' }] });
    const result = await runGetMethod(access, { address, method: 'seqno', stack: [] });
    assert.deepEqual([result.exitCode, result.gasUsed], [null, null]);
    const text = describeGetMethodResult(result);
    assert.match(text, /success \(exit code unknown\), gas unknown/);
    assert.match(text, /\b42\b/);
    assert.doesNotMatch(text, /undefined|null/);
  });

  it('rejects an answer of runGetMethod with neither result nor exit code', async () => {
    const { access } = service({ address, method: 'seqno' });
    const error = await refusalOf(runGetMethod(access, { address, method: 'seqno', stack: [] }));
    assert.equal(error.code, 'wrong-shape');
  });

  it('treats an error in a body with status 200 as a refusal, with its own code', async () => {
    const { access } = service({ code: 17, error: 'contract is not initialized' });
    const error = await refusalOf(access.v3.runGetMethod({ address, method: 'seqno', stack: [] }));
    assert.equal(error.code, 'bad-request');
    assert.match(error.message, /\(status 200, code 17\): contract is not initialized\./);
    assert.equal(error.details.serviceCode, 17);
  });

  it("keeps a refusal's code beside the HTTP status, once", async () => {
    const other = await refusalOf(service({ code: 42, error: 'no' }, 400).access.v3.masterchainInfo());
    assert.match(other.message, /\(status 400, code 42\): no\./);
    const same = await refusalOf(service({ code: 400, error: 'no' }, 400).access.v3.masterchainInfo());
    assert.match(same.message, /\(status 400\): no\./);
  });

  it('accepts an answer with a result and an error text', async () => {
    const { access } = service({ traces: [], error: 'metadata is late' });
    assert.deepEqual(await access.v3.traces(), { traces: [], error: 'metadata is late' });
  });

  it('sends a limit and lists that only private services accept', async () => {
    const { access, asked } = service({ traces: [], accounts: [] });
    await access.v3.traces({ limit: 5000 });
    await access.v3.accountStates({ address: Array<string>(1200).fill(address) });
    assert.match(asked[0] ?? '', /limit=5000/);
    assert.equal(asked.length, 2);
  });

  it('sends an empty stack if none is given', async () => {
    const { access, asked } = service({ stack: [], exit_code: 0, gas_used: 1 });
    const { v3Endpoints } = await import('../../../src/toolkit/access/v3/v3Endpoints');
    await access.ask(v3Endpoints.runGetMethod, { address, method: 'seqno' });
    assert.deepEqual((JSON.parse(asked[0] ?? '') as { stack: unknown }).stack, []);
  });
});
