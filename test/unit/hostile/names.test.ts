import assert from 'node:assert/strict';
import { readSignatures } from '../../../src/toolkit/contracts/abi/readSignatures';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { findEndpoint } from '../../../src/toolkit/access/listEndpoints';
import { isMainNetwork } from '../../../src/toolkit/access/networkIdentity';
import { prepareRequest } from '../../../src/toolkit/access/prepareRequest';
import { actionWords } from '../../../src/toolkit/trace/actionWords';
import { buildTrace } from '../../../src/toolkit/trace/buildTrace';
import { fieldLines } from '../../../src/toolkit/trace/fieldLines';
import { completeTrace, readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';

/** What every object inherits: none of it is data. */
const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const context = new TraceContext(buildTrace({}));

describe('outside names that every object inherits', () => {
  for (const name of inherited) {
    it(`${name} is unknown: as an action, a field, a network, a parameter, a type`, async () => {
      const { words } = actionWords({ type: name, details: {} }, context);
      assert.equal(typeof words, 'string');
      assert.ok(words.includes(name.replaceAll('_', ' ').trim()), words);

      const fields = JSON.parse(`{"${name}": "7", "outer": {"${name}": "8"}}`) as object;
      const lines = fieldLines(fields, 'transaction', context).map(({ text }) => text.trim().split(/\s{2,}/));
      assert.deepEqual(lines, [
        [name, '7'],
        [`outer.${name}`, '8'],
      ]);

      const v2 = { getMasterchainInfo: () => Promise.resolve({ init: { root_hash: name } }) };
      const access = { network: { name: 'x', kind: 'custom', v2: 'http://x' }, v2 } as unknown as Access;
      assert.equal(await isMainNetwork(access), false);

      const found = findEndpoint('v3', 'transactions');
      assert.ok(found);
      assert.throws(
        () => prepareRequest(found.endpoint, JSON.parse(`{"${name}": 5}`) as Record<string, unknown>),
        {
          code: 'parameter-invalid',
        },
      );

      for (const file of ['a.fc', 'a.tolk', 'a.tact']) {
        const source =
          file === 'a.fc' ? `${name} get() method_id { }` : `get fun get(a: ${name}): ${name} {}`;
        for (const method of await readSignatures(file, source)) {
          assert.ok(
            ['unknown', 'named', 'void'].includes(method.result.kind),
            `${file}: ${method.result.kind}`,
          );
        }
      }
    });
  }

  it('lose no transaction', async () => {
    const rows = inherited.map((hash) => ({ hash, lt: '1', trace_id: '' }));
    const [trace] = readTraces({ transactions: rows });
    assert.equal(trace?.nodes.length, inherited.length);

    const id = Buffer.alloc(32, 1).toString('base64');
    const model = readTraces({
      traces: [
        { trace_id: id, start_lt: '1', end_lt: '9', is_incomplete: true, warning: 'trace is too large' },
      ],
    })[0];
    assert.ok(model);
    const source = {
      request: () =>
        Promise.resolve({ transactions: inherited.map((hash) => ({ hash, lt: '1', trace_id: id })) }),
    };
    const whole = await completeTrace(source, model);
    assert.equal(whole.nodes.length, inherited.length);
  });
});
