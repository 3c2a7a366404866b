import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callControl } from '../../../src/toolkit/localnet/callControl';

describe('callControl', () => {
  let server: Server;
  /** By request, in order. */
  let ports: (number | undefined)[];
  let asked: string[];
  let closesKept: boolean;
  beforeEach(async () => {
    ports = [];
    asked = [];
    closesKept = false;
    server = createServer((request, response) => {
      const { remotePort } = request.socket;
      const isKept = ports.includes(remotePort);
      ports.push(remotePort);
      asked.push(`${request.method} ${request.url}`);
      if (closesKept && isKept) {
        request.socket.destroy();
      } else {
        response.end('{"seqno":1}');
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  const base = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/control`;

  it('keeps the connection of queries', async () => {
    await callControl(base(), 'status', {});
    await callControl(base(), 'account', { address: '0:1' });
    assert.equal(ports[0], ports[1]);
    assert.deepEqual(asked, ['GET /control/status', 'GET /control/account?address=0%3A1']);
  });

  it('repeats a query whose kept connection was closed', async () => {
    await callControl(base(), 'status', {});
    closesKept = true;
    await callControl(base(), 'status', {});
    assert.equal(asked.length, 3);
    assert.notEqual(ports[2], ports[0]);
  });

  it('never repeats a command', async () => {
    await callControl(base(), 'status', {});
    await callControl(base(), 'mine', {});
    assert.notEqual(ports[1], ports[0]);
    server.removeAllListeners('request').on('request', (request) => {
      asked.push(`${request.method} ${request.url}`);
      request.socket.destroy();
    });
    asked = [];
    await assert.rejects(callControl(base(), 'mine', {}), { code: 'localnet-unreachable' });
    assert.deepEqual(asked, ['POST /control/mine']);
  });
});
