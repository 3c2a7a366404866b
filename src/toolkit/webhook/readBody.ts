import type { IncomingMessage } from 'node:http';

/** Why a body did not come whole. */
export type Interruption = 'slow' | 'broken' | 'cut' | 'gone' | 'too-large';

export type BodyResult = { body: Buffer; interruption: Interruption | null };

/** A body being read: `interrupt` ends it from outside, when the parser or the clock gives up. */
export interface BodyReading {
  result: Promise<BodyResult>;
  interrupt(reason: Interruption): void;
}

/** Reads the raw bytes of a request, at most `limit`; never rejects. */
export function readBody(request: IncomingMessage, limit: number): BodyReading {
  const chunks: Buffer[] = [];
  let length = 0;
  let finish!: (interruption: Interruption | null) => void;
  const result = new Promise<BodyResult>((resolve) => {
    let finished = false;
    finish = (interruption) => {
      if (finished) {
        return;
      }
      finished = true;
      request.off('data', onData);
      const [only] = chunks;
      resolve({ body: chunks.length === 1 && only ? only : Buffer.concat(chunks), interruption });
    };
  });
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > limit) {
      chunks.length = 0;
      finish('too-large');
      return;
    }
    chunks.push(chunk);
  };
  request
    .on('data', onData)
    .once('end', () => finish(null))
    .once('error', () => finish('gone'))
    .once('close', () => finish('gone'));
  return { result, interrupt: finish };
}
