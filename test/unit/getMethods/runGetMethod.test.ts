import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Network } from '../../../src/toolkit/access/network';
import type { Transport } from '../../../src/toolkit/access/transport';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';
import { runGetMethod } from '../../../src/toolkit/getMethods/runGetMethod';
import type { GetMethodAccess } from '../../../src/toolkit/getMethods/runGetMethod';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';

const both: Network = {
  name: 'N',
  kind: 'custom',
  v2: 'http://n/api/v2',
  v3: 'http://n/api/v3',
  globalId: -239,
};
const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
const boc = (cell: Cell): string => cell.toBoc().toString('base64');
const addressCell = beginCell().storeAddress(alice).endCell();

interface Sent {
  api: string;
  parameters: { address: string; method: string; stack: readonly unknown[] };
}

type Api = 'v3' | 'std' | 'v2';
const apiOfPath: Readonly<Record<string, Api>> = {
  '/api/v3/runGetMethod': 'v3',
  '/api/v2/runGetMethodStd': 'std',
  '/api/v2/runGetMethod': 'v2',
};

/** An access over a service that has the given stacks; what it lacks is an unknown route. */
function recording(
  network: Partial<Network>,
  stacks: Partial<Record<Api, unknown[]>>,
  { exitCode = 0, status = 404 } = {},
): { access: GetMethodAccess; sent: Sent[] } {
  const sent: Sent[] = [];
  const transport: Transport = ({ url, body }) => {
    const api = apiOfPath[new URL(url).pathname] ?? 'v3';
    sent.push({ api, parameters: JSON.parse(body ?? '') as Sent['parameters'] });
    const stack = stacks[api];
    const block = { workchain: -1, shard: '1', seqno: 77, root_hash: '', file_hash: '' };
    const result = {
      gas_used: 500,
      exit_code: exitCode,
      stack,
      ...(api === 'v2' ? { block_id: block } : {}),
    };
    const answer =
      stack === undefined
        ? { ok: false, error: 'refused', code: status }
        : api === 'v3'
          ? result
          : { ok: true, result };
    return Promise.resolve({
      status: stack === undefined ? status : 200,
      header: () => undefined,
      body: Buffer.from(JSON.stringify(answer)),
    });
  };
  return { sent, access: createAccess({ network: { ...both, ...network }, transport }) };
}

const call = (text: string): Parameters<typeof runGetMethod>[1] => ({
  address: alice.toString(),
  method: 'get_it',
  stack: parseStackText(text),
});
const withCode =
  (code: ErrorCode) =>
  (error: unknown): boolean =>
    WorkbenchError.is(error, code) && error.kind === 'input';

describe('getMethods: the API that runs a call', () => {
  const answers = { v3: [], std: [], v2: [] };

  it('is v3 for numbers, cells, and slices', async () => {
    const { access, sent } = recording({}, answers);
    const result = await runGetMethod(access, call('1 cell x{} slice x{}'));
    assert.deepEqual([sent.map(({ api }) => api), result.api], [['v3'], 'v3']);
    assert.equal(sent[0]?.parameters.address.toLowerCase(), alice.toRawString());
  });

  it('is v2 with typed entries for tuples, lists, and null', async () => {
    for (const text of ['[1]', '(1)', 'null']) {
      const { access, sent } = recording({}, answers);
      assert.equal((await runGetMethod(access, call(text))).api, 'v2');
      assert.deepEqual(
        sent.map(({ api }) => api),
        ['std'],
      );
    }
  });

  it('falls back to the older pairs if a server lacks typed entries, and remembers that', async () => {
    const { access, sent } = recording({}, { v2: [['num', '0x1']] });
    const result = await runGetMethod(access, call('[1]'));
    await runGetMethod(access, call('[2]'));
    assert.deepEqual(
      sent.map(({ api }) => api),
      ['std', 'v2', 'v2'],
    );
    assert.equal(result.block, 77);
  });

  it('is the preferred API if possible', async () => {
    const { access } = recording({}, answers);
    assert.equal((await runGetMethod(access, call('1'), { preferredApi: 'v2' })).api, 'v2');
    const { access: onlyV3 } = recording({ v2: undefined }, answers);
    assert.equal((await runGetMethod(onlyV3, call('1'), { preferredApi: 'v2' })).api, 'v3');
  });

  it('is reported if a network lacks it', async () => {
    const { access: onlyV3, sent } = recording({ v2: undefined }, answers);
    await assert.rejects(runGetMethod(onlyV3, call('[1] null')), (error) => {
      assert.ok(withCode('network-lacks-api')(error));
      assert.equal(
        (error as Error).message,
        'The network N has no v2 URL, and v3 does not accept tuple or null as an argument.',
      );
      return true;
    });
    const { access: neither } = recording({ v2: undefined, v3: undefined }, answers);
    await assert.rejects(runGetMethod(neither, call('1')), withCode('network-lacks-api'));
    const { access: onlyV2 } = recording({ v3: undefined }, answers);
    assert.equal((await runGetMethod(onlyV2, call('1'))).api, 'v2');
    assert.equal(sent.length, 0);
  });

  it('is not used for values that no API can carry, or a bad address', async () => {
    const { access, sent } = recording({}, answers);
    await assert.rejects(runGetMethod(access, call('nan')), withCode('stack-value-not-carried'));
    await assert.rejects(runGetMethod(access, call('builder b(u8 1)')), withCode('stack-value-not-carried'));
    await assert.rejects(runGetMethod(access, { ...call(''), address: 'EQ' }), withCode('address-invalid'));
    assert.equal(sent.length, 0);
  });

  it('reports other refusals of typed entries', async () => {
    const { access, sent } = recording({}, { v2: [] }, { status: 422 });
    await assert.rejects(
      runGetMethod(access, call('[1]')),
      (error) => WorkbenchError.is(error) && error.kind === 'service',
    );
    assert.deepEqual(
      sent.map(({ api }) => api),
      ['std'],
    );
  });
});

describe('getMethods: interpreting an answer', () => {
  it('reads a v3 cell as an address if it is one, and says so', async () => {
    const { access } = recording({}, { v3: [{ type: 'cell', value: boc(addressCell) }] });
    const [entry] = (await runGetMethod(access, call(''))).stack;
    assert.equal(entry?.type, 'slice');
    assert.equal(entry.readAs, 'slice');
    assert.deepEqual(entry.decoded, { kind: 'address', address: alice.toRawString() });
  });

  it('leaves a cell a cell if v2 says it is one', async () => {
    const cell = { '@type': 'tvm.stackEntryCell', cell: { bytes: boc(addressCell) } };
    const slice = { '@type': 'tvm.stackEntrySlice', slice: { bytes: boc(addressCell) } };
    const { access } = recording({ v3: undefined }, { std: [cell, slice] });
    const { stack } = await runGetMethod(access, call(''));
    assert.deepEqual(
      stack.map(({ type, decoded, readAs }) => [type, decoded.kind, readAs]),
      [
        ['cell', 'cell', undefined],
        ['slice', 'address', undefined],
      ],
    );
  });

  it('recognizes texts: plain, off-chain content, and comments only', async () => {
    const text = (prefix: string, s: string): Cell =>
      beginCell().storeBuffer(Buffer.from(prefix, 'latin1')).storeStringTail(s).endCell();
    const cells = [
      text('', 'https://example.org/item.json'),
      text('\u0001', `ipfs://${'x'.repeat(300)}`),
      text('\0\0\0\0', 'привет 💎'),
      text('', 'bell\u0007'),
      text('\u00ff\u00fe', 'ab'),
      beginCell().storeUint(7, 33).endCell(),
      beginCell().storeUint(0, 2).endCell(),
      beginCell().endCell(),
    ];
    const { access } = recording({}, { v3: cells.map((cell) => ({ type: 'cell', value: boc(cell) })) });
    const { stack } = await runGetMethod(access, call(''));
    assert.deepEqual(
      stack.map(({ decoded, readAs }) => [decoded.kind, 'form' in decoded ? decoded.form : '', readAs]),
      [
        ['text', 'plain', 'slice'],
        ['text', 'off-chain content', 'cell'],
        ['text', 'comment', 'cell'],
        ['cell', '', 'cell'],
        ['cell', '', 'cell'],
        ['cell', '', 'cell'],
        ['address', '', 'slice'],
        ['cell', '', 'cell'],
      ],
    );
  });

  it('keeps a failure as a result', async () => {
    const { access } = recording({}, { v3: [{ type: 'num', value: '0x14c97' }] }, { exitCode: 11 });
    const result = await runGetMethod(access, call(''));
    assert.deepEqual(
      [result.exitCode, result.exitMeaning, result.gasUsed],
      [11, 'no such method (usually)', 500],
    );
  });
});
