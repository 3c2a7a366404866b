import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import type { Network } from '../../../src/toolkit/access/network';
import { WorkbenchError } from '../../../src/toolkit/errors';
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

/** An access that records what it is asked and answers the given stacks. */
function recording(
  network: Partial<Network>,
  stacks: { v3?: unknown[]; std?: unknown[]; v2?: unknown[] },
  exitCode = 0,
): { access: GetMethodAccess; sent: Sent[] } {
  const sent: Sent[] = [];
  const answer =
    (api: 'v3' | 'std' | 'v2') =>
    (parameters: Sent['parameters']): ReturnType<GetMethodAccess['v3']['runGetMethod']> => {
      sent.push({ api, parameters });
      const stack = stacks[api];
      return stack === undefined
        ? Promise.reject(
            new WorkbenchError({
              code: 'not-found',
              kind: 'service',
              message: 'no',
              details: { status: 404 },
            }),
          )
        : Promise.resolve({
            gas_used: 500,
            exit_code: exitCode,
            stack,
            ...(api === 'v2' ? { block_id: { seqno: 77 } } : {}),
          });
    };
  return {
    sent,
    access: {
      network: { ...both, ...network },
      v2: { runGetMethod: answer('v2'), runGetMethodStd: answer('std') },
      v3: { runGetMethod: answer('v3') },
    },
  };
}

const call = (text: string): Parameters<typeof runGetMethod>[1] => ({
  address: alice.toString(),
  method: 'get_it',
  stack: parseStackText(text),
});
const withCode =
  (code: string) =>
  (error: unknown): boolean =>
    WorkbenchError.is(error, code) && error.kind === 'input';

describe('getMethods: which API runs a call', () => {
  const answers = { v3: [], std: [], v2: [] };

  it('takes v3 for numbers, cells and slices', async () => {
    const { access, sent } = recording({}, answers);
    const result = await runGetMethod(access, call('1 cell x{} slice x{}'));
    assert.deepEqual([sent.map(({ api }) => api), result.api], [['v3'], 'v3']);
    assert.equal(sent[0]?.parameters.address, alice.toRawString());
  });

  it('takes v2 with typed entries for tuples, lists and null', async () => {
    for (const text of ['[1]', '(1)', 'null']) {
      const { access, sent } = recording({}, answers);
      assert.equal((await runGetMethod(access, call(text))).api, 'v2');
      assert.deepEqual(
        sent.map(({ api }) => api),
        ['std'],
      );
    }
  });

  it('falls back to the older pairs where a server lacks typed entries, and remembers it', async () => {
    const { access, sent } = recording({}, { v2: [['num', '0x1']] });
    const result = await runGetMethod(access, call('[1]'));
    await runGetMethod(access, call('[2]'));
    assert.deepEqual(
      sent.map(({ api }) => api),
      ['std', 'v2', 'v2'],
    );
    assert.equal(result.block, 77);
  });

  it('takes the preferred API where it can', async () => {
    const { access } = recording({}, answers);
    assert.equal((await runGetMethod(access, call('1'), { preferredApi: 'v2' })).api, 'v2');
    const { access: onlyV3 } = recording({ v2: undefined }, answers);
    assert.equal((await runGetMethod(onlyV3, call('1'), { preferredApi: 'v2' })).api, 'v3');
  });

  it('says which API a network lacks', async () => {
    const { access: onlyV3, sent } = recording({ v2: undefined }, answers);
    await assert.rejects(runGetMethod(onlyV3, call('[1] null')), (error) => {
      assert.ok(withCode('network-lacks-api')(error));
      assert.equal(
        (error as Error).message,
        'The network N has no v2 URL, and v3 takes no tuple and no null as an argument.',
      );
      return true;
    });
    const { access: neither } = recording({ v2: undefined, v3: undefined }, answers);
    await assert.rejects(runGetMethod(neither, call('1')), withCode('network-lacks-api'));
    const { access: onlyV2 } = recording({ v3: undefined }, answers);
    assert.equal((await runGetMethod(onlyV2, call('1'))).api, 'v2');
    assert.equal(sent.length, 0);
  });

  it('refuses what no API carries, and a bad address, before sending', async () => {
    const { access, sent } = recording({}, answers);
    await assert.rejects(runGetMethod(access, call('nan')), withCode('stack-value-not-carried'));
    await assert.rejects(runGetMethod(access, call('builder b(u8 1)')), withCode('stack-value-not-carried'));
    await assert.rejects(runGetMethod(access, { ...call(''), address: 'EQ' }), withCode('address-invalid'));
    assert.equal(sent.length, 0);
  });

  it('passes other failures of typed entries on', async () => {
    const { access } = recording({}, answers);
    const failing: GetMethodAccess = {
      ...access,
      v2: {
        ...access.v2,
        runGetMethodStd: () =>
          Promise.reject(
            new WorkbenchError({ code: 'rate', kind: 'service', message: '', details: { status: 429 } }),
          ),
      },
    };
    await assert.rejects(runGetMethod(failing, call('[1]')), (error) => WorkbenchError.is(error, 'rate'));
  });
});

describe('getMethods: what an answer says', () => {
  it('reads a cell of v3 as an address where it is one, and says so', async () => {
    const { access } = recording({}, { v3: [{ type: 'cell', value: boc(addressCell) }] });
    const [entry] = (await runGetMethod(access, call(''))).stack;
    assert.equal(entry?.type, 'slice');
    assert.equal(entry.readAs, 'slice');
    assert.deepEqual(entry.decoded, { kind: 'address', address: alice.toRawString() });
  });

  it('leaves a cell a cell where v2 says it is one', async () => {
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

  it('recognises texts: plain, off-chain content, comments, and no others', async () => {
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
    const { access } = recording({}, { v3: [{ type: 'num', value: '0x14c97' }] }, 11);
    const result = await runGetMethod(access, call(''));
    assert.deepEqual([result.exitCode, result.exitMeaning, result.gasUsed], [11, 'no such method (usually)', 500]);
  });
});
