import assert from 'node:assert/strict';
import { isLoopbackHost } from '../../../src/toolkit/base/loopback';

describe('the names of this machine', () => {
  it('are loopback addresses and localhost, with or without a port', () => {
    const own = [
      'localhost',
      'LOCALHOST:8081',
      'app.localhost',
      '127.0.0.1',
      '127.3.2.1:80',
      '[::1]',
      '[::1]:1',
    ];
    assert.deepEqual(
      own.filter((host) => !isLoopbackHost(host)),
      [],
    );
  });

  it('are no names that only begin or end like one', () => {
    const foreign = [
      ...['', '127.example.org', '127.0.0.1.example.org', 'localhost.example.org', 'notlocalhost'],
      ...['127.0.0.1@example.org', 'localhost:80:80', '[::2]', '0.0.0.0', '2130706433'],
    ];
    assert.deepEqual(foreign.filter(isLoopbackHost), []);
  });
});
