import type { StackValue } from '../stack/stackValue';
import { cellToAddress } from '../stack/stackValue';
import { encodeCell } from '../stack/encodeV3Stack';
import type { ExportedCall } from './exportedCall';
import { clientLines, fetchLines, quote, tonClientCanMake, tupleItem } from './exportedCall';
import type { GetMethodResult } from './getMethodResult';
import { isSuccess } from './getMethodResult';
import { requestedMethod } from './runGetMethod';

/** The test runner. */
export type TestForm = 'node:test' | 'jest';

/** The call as a test that expects the given answer. An API key is read from TON_API_KEY, never written. */
export function exportAsTest(call: ExportedCall, result: GetMethodResult, form: TestForm): string {
  const byClient = tonClientCanMake(call);
  const title = `${call.method} returns the same as on ${result.network}${result.block === undefined ? '' : `, block ${result.block}`}`;
  return [
    ...(form === 'node:test'
      ? [`import assert from 'node:assert/strict';`, `import test from 'node:test';`]
      : []),
    ...(byClient ? clientLines(call) : []),
    '',
    `test(${quote(title)}, async () => {`,
    ...(byClient ? bodyByClient(call, result, form) : bodyByFetch(call, result, form)).map(
      (line) => `  ${line}`,
    ),
    '});',
    '',
  ].join('\n');
}

function bodyByClient(call: ExportedCall, result: GetMethodResult, form: TestForm): string[] {
  const { address, stack } = call;
  const run = `client.runMethod(Address.parse(${quote(address)}), ${quote(requestedMethod(call))}, [${stack.map(tupleItem).join(', ')}])`;
  if (isSuccess(result)) {
    return [`const { stack } = await ${run};`, ...result.stack.map(({ value }) => expectation(value, form))];
  }
  // @ton/ton throws with the exit code in its message.
  return [
    form === 'jest'
      ? `await expect(${run}).rejects.toThrow(/${result.exitCode}/);`
      : `await assert.rejects(${run}, /${result.exitCode}/);`,
  ];
}

function bodyByFetch(call: ExportedCall, result: GetMethodResult, form: TestForm): string[] {
  const answered = JSON.stringify(result.raw);
  return [
    ...fetchLines(call, result.api === 'v2' && Array.isArray(result.raw[0])),
    ...(result.exitCode === null ? [] : [equal('result.exit_code', String(result.exitCode), form)]),
    ...(isSuccess(result)
      ? [
          form === 'jest'
            ? `expect(result.stack).toEqual(${answered});`
            : `assert.deepEqual(result.stack, ${answered});`,
        ]
      : []),
  ];
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
