import assert from 'node:assert/strict';
import { describeReplay, describeRequests } from '../../../src/toolkit/localnet/describeRequests';

const time = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(11, 19);
const alice = `0:${'a1'.repeat(32)}`;
const words = { time, name: (address: string) => (address === alice ? 'alice' : undefined) };

const rpc = {
  id: 1,
  time: 0,
  method: 'POST',
  path: '/api/v2/jsonRPC',
  status: 200,
  duration: 1.26,
  body: '{"id":"1","method":"runGetMethod","params":{"big":12345678901234567890}}',
};
const refused = {
  ...rpc,
  id: 2,
  time: 61_000,
  method: 'GET',
  path: '/api/v3/x\u202e',
  status: 422,
  duration: 12.6,
  body: '',
};

describe('the log of requests', () => {
  it('lists the newest first, one line each, with folded bodies', () => {
    const { text, rows } = describeRequests([rpc, refused], words);
    assert.deepEqual(text.split('\n'), [
      'Requests to the local network: 2, 1 refused; newest first',
      '',
      '✗ 00:01:01  422     13 ms  GET  /api/v3/x\\u{202e}',
      '✓ 00:00:00  200    1.3 ms  POST /api/v2/jsonRPC  runGetMethod',
      '      {',
      '        "id": "1",',
      '        "method": "runGetMethod",',
      '        "params": {',
      '          "big": 12345678901234567890',
      '        }',
      '      }',
      '',
    ]);
    assert.deepEqual(rows, [
      { line: 2, id: 2 },
      { line: 3, id: 1 },
    ]);
  });

  it('names accounts, counts what has no room, and folds the rest below', () => {
    const others = Array.from({ length: 3 }, (_, index) => `0:${`b${index}`.repeat(32)}`);
    const query = [alice, ...others].map((one) => `address=${encodeURIComponent(one)}`).join('&');
    const path = `/api/v3/accountStates?${query}&include_boc=false`;
    const { text } = describeRequests([{ ...refused, status: 200, path }], words);
    assert.deepEqual(text.split('\n').slice(2), [
      '✓ 00:01:01  200     13 ms  GET  /api/v3/accountStates  address=alice, EQCwsL…sPzt, … 2 more  include_boc=false',
      ...[alice, ...others].map((one) => `      address=${one}`),
      '      include_boc=false',
      '',
    ]);
  });

  it('says how many it does not show', () => {
    assert.match(
      describeRequests([rpc], words, 66).text,
      /^Requests .*: 1, 0 refused; newest first; 66 of this editor hidden\n/,
    );
    assert.match(describeRequests([], words, 66).text, /^No requests yet\..*\n66 of this editor/);
  });

  it('says what to do while there are none', () => {
    assert.match(describeRequests([], words).text, /^No requests yet\. When a program/);
  });

  it('shows the answer when a request is sent again', () => {
    const text = describeReplay(refused, { status: 500, body: '{"error":"no"}' }, time);
    assert.match(
      text,
      /^✗ GET \/api\/v3\/x\\u\{202e\}: status 500 \(422 at 00:01:01\)\n\nanswer\n {2}\{\n {4}"error": "no"/,
    );
  });
});
