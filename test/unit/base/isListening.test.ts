import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { isListening } from '../../../src/toolkit/base/isListening';

describe('whether something listens at a URL', () => {
  it('is known of this machine, and is asked of no other', async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/webhook`);
    assert.equal(await isListening(url), true);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(await isListening(url), false);
    assert.equal(isListening(new URL('https://shop.example/webhook')), undefined);
  });
});
