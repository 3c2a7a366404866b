import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { Interruption } from '../../../src/toolkit/webhook/listener/readBody';
import { BodyMemory, readBody } from '../../../src/toolkit/webhook/listener/readBody';

const mebibyte = 1024 * 1024;

interface Read {
  body: Buffer;
  interruption: Interruption | null;
  /** Most that was held while it was read. */
  most: number;
  release: () => void;
}

/** Reads pieces as they come from a connection. */
async function read(pieces: readonly Buffer[], memory: BodyMemory): Promise<Read> {
  const stream = new PassThrough({ writableHighWaterMark: 2 * mebibyte });
  const request = Object.assign(stream, { headers: {} }) as unknown as IncomingMessage;
  let most = 0;
  const result = new Promise<Omit<Read, 'most'>>((resolve) => {
    const reading = readBody(request, memory, (body, interruption) =>
      resolve({ body, interruption, release: () => reading.release() }),
    );
  });
  stream.on('data', () => (most = Math.max(most, memory.held)));
  pieces.forEach((piece) => stream.write(piece));
  stream.end();
  return { ...(await result), most };
}

describe('webhook bodies', () => {
  it('are assembled from any pieces, with at most twice their size in memory, which is then freed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 9_000 }), { maxLength: 40 }),
        async (arrays) => {
          const pieces = arrays.map((array) => Buffer.from(array));
          const memory = new BodyMemory();
          const { body, interruption, most, release } = await read(pieces, memory);
          assert.equal(interruption, null);
          assert.deepEqual(body, Buffer.concat(pieces));
          assert.ok(most <= Math.max(2 * body.length, 4_096), `${most} for ${body.length}`);
          release();
          release();
          assert.equal(memory.held, 0);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are refused one byte beyond the limit, and then hold no memory', async () => {
    const memory = new BodyMemory();
    const whole = Array.from({ length: 16 }, () => Buffer.alloc(mebibyte / 16, 1));
    const fits = await read(whole, memory);
    assert.deepEqual([fits.interruption, fits.body.length, fits.most], [null, mebibyte, mebibyte]);
    fits.release();
    const over = await read([...whole, Buffer.from('x')], memory);
    assert.deepEqual([over.interruption, over.body.length, memory.held], ['too-large', 0, 0]);
  });

  it('share their memory: large ones leave a quarter of it to small ones', async () => {
    const memory = new BodyMemory(400_000);
    const large = await read([Buffer.alloc(290_000)], memory);
    assert.equal(large.interruption, null);
    const second = await read([Buffer.alloc(20_000)], memory);
    assert.deepEqual([second.interruption, memory.held], ['no-room', 290_000]);
    for (let count = 0; count < 6; count++) {
      assert.equal((await read([Buffer.alloc(16_000)], memory)).interruption, null);
    }
    assert.equal((await read([Buffer.alloc(16_000)], memory)).interruption, 'no-room');
    large.release();
    assert.equal((await read([Buffer.alloc(16_000), Buffer.alloc(100)], memory)).interruption, null);
  });
});
