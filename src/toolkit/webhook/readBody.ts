import type { IncomingMessage } from 'node:http';

/** Why a body did not come whole. */
export type Interruption = 'slow' | 'broken' | 'cut' | 'gone' | 'too-large';

/** A body being read: `interrupt` ends it from outside, when the parser or the clock gives up. */
export interface BodyReading {
  interrupt(reason: Interruption): void;
}

/** Reads the raw bytes of a request, at most `limit`; `done` is called once, with what came. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  done: (body: Buffer, interruption: Interruption | null) => void,
): BodyReading {
  let chunks: Buffer[] = [];
  let length = 0;
  let finished = false;
  const finish = (interruption: Interruption | null): void => {
    if (finished) {
      return;
    }
    finished = true;
    if (interruption !== null) {
      request.off('data', onData);
    }
    const [only] = chunks;
    done(chunks.length === 1 && only ? only : Buffer.concat(chunks), interruption);
  };
  const onData = (chunk: Buffer): void => {
    length += chunk.length;
    if (length > limit) {
      chunks = [];
      finish('too-large');
      return;
    }
    chunks.push(chunk);
  };
  // An aborted request emits an error only where somebody listens for it; that it closes says as much.
  request
    .on('data', onData)
    .on('end', () => finish(null))
    .on('close', () => finish('gone'));
  return { interrupt: finish };
}
