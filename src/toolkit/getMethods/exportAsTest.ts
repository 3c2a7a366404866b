import { encodeCell } from '../stack/wireValue';
import { cellToAddress } from '../stack/cellToAddress';
import type { StackValue } from '../stack/stackValue';
import { holdsCell, quote, tupleItem } from './exportCall';
import type { ExportedCall } from './exportCall';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';

/** What runs the test. */
export type TestForm = 'node:test' | 'jest';

/** The call as a test that expects what it has answered. An API key is read from TON_API_KEY, never written. */
export function exportAsTest(call: ExportedCall, result: GetMethodResult, form: TestForm): string {
  const { network, address, method, stack } = call;
  const expectations = isSuccess(result) ? result.stack.map(({ value }) => expectation(value, form)) : [];
  const isNode = form === 'node:test';
  const run = `client.runMethod(Address.parse(${quote(address)}), ${quote(method)}, [${stack.map(tupleItem).join(', ')}])`;
  const body = isSuccess(result)
    ? [`const { stack } = await ${run};`, ...expectations]
    : [
        // @ton/ton throws with the exit code in its message.
        isNode
          ? `await assert.rejects(${run}, /${result.exitCode}/);`
          : `await expect(${run}).rejects.toThrow(/${result.exitCode}/);`,
      ];
  return [
    ...(isNode ? [`import assert from 'node:assert/strict';`, `import test from 'node:test';`] : []),
    `import { Address${stack.some(holdsCell) ? ', Cell' : ''} } from '@ton/core';`,
    `import { TonClient } from '@ton/ton';`,
    '',
    `const client = new TonClient({ endpoint: ${quote(`${network.v2 ?? ''}/jsonRPC`)}, apiKey: process.env.TON_API_KEY });`,
    '',
    `test(${quote(`${method} answers as on ${result.network}${result.block === undefined ? '' : `, block ${result.block}`}`)}, async () => {`,
    ...body.map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

/** Reads the next entry and compares it. */
function expectation(value: StackValue, form: TestForm): string {
  switch (value.type) {
    case 'int':
      return equal('stack.readBigNumber()', `${value.value}n`, form);
    case 'cell':
    case 'slice':
    case 'builder': {
      const address = cellToAddress(value.cell);
      return value.type === 'slice' && address !== undefined
        ? equal('stack.readAddress().toRawString()', quote(address.toRawString()), form)
        : equal(`stack.readCell().toBoc().toString('base64')`, quote(encodeCell(value.cell)), form);
    }
    default:
      return equal('stack.pop().type', quote(value.type === 'list' ? 'tuple' : value.type), form);
  }
}

function equal(actual: string, expected: string, form: TestForm): string {
  return form === 'jest'
    ? `expect(${actual}).toEqual(${expected});`
    : `assert.equal(${actual}, ${expected});`;
}
