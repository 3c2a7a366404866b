import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import ts from 'typescript';
import { exportAsCurl, exportAsTypeScript } from '../../../src/toolkit/getMethods/exportedCall';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';

const network = { name: 'N', v2: 'http://n/api/v2', v3: 'http://n/api/v3' };
const address = 'EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS';

describe('getMethods: an exported call', () => {
  it('is TypeScript that parses, whatever it contains', () => {
    const stack = parseStackText('-5 cell x{4A_}');
    const text = exportAsTypeScript({ network, address, method: "get_'x", stack });
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
    assert.deepEqual(diagnostics, []);
    assert.match(text, /value: -5n/);
    assert.match(text, /http:\/\/n\/api\/v2\/jsonRPC/);
    assert.doesNotMatch(exportAsTypeScript({ network, address, method: 'm', stack: [] }), /Cell/);
  });

  it('has an address as an address, not as an unreadable cell', () => {
    const stack = parseStackText(`addr ${address} slice x{4A_}`);
    const text = exportAsTypeScript({ network, address, method: 'weightOf', stack });
    assert.deepEqual(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics, []);
    assert.match(text, /^import \{ Address, beginCell, Cell \} from/);
    assert.ok(text.includes(`cell: beginCell().storeAddress(Address.parse('${address}')).endCell() }`), text);
    const alone = exportAsTypeScript({ network, address, method: 'm', stack: stack.slice(0, 1) });
    assert.match(alone, /^import \{ Address, beginCell \} from/);
  });

  it('is TypeScript without @ton/ton if that cannot send the arguments, or lacks the API', () => {
    const stack = parseStackText('[1, (2, 3)] null');
    const text = exportAsTypeScript({ network, address, method: "get_'x", stack });
    assert.deepEqual(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics, []);
    assert.match(text, /sends no tuples[^]*api\/v2\/runGetMethodStd/);
    assert.doesNotMatch(text, /TonClient\(/);
    const onlyV3 = { name: 'N', v3: network.v3 };
    assert.match(
      exportAsTypeScript({ network: onlyV3, address, method: 'm', stack: [] }),
      /API v2, which this network lacks[^]*api\/v3\/runGetMethod'/,
    );
  });

  it('is a curl command for the API that can carry it, safe for a shell', () => {
    const method = `a'; echo hacked; '`;
    const text = exportAsCurl({ network, address, method, stack: parseStackText('1') });
    assert.match(text, /^curl 'http:\/\/n\/api\/v3\/runGetMethod'/);
    // The shell itself reads the body back.
    const body = execFileSync('sh', ['-c', text.replace('curl ', "printf '%s\\n' ")], { encoding: 'utf8' });
    const json = JSON.parse(body.trim().split('\n').at(-1) ?? '') as { method: string; stack: unknown };
    assert.deepEqual([json.method, json.stack], [method, [{ type: 'num', value: '0x1' }]]);
    assert.match(
      exportAsCurl({ network, address, method: 'm', stack: parseStackText('[1]') }),
      /api\/v2\/runGetMethod/,
    );
  });
});
