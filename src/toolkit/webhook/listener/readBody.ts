import type { IncomingMessage } from 'node:http';
import { limits } from '../../base/limits';

/** Why a body is incomplete. */
export type Interruption =
  'slow' | 'broken' | 'cut' | 'gone' | 'too-large' | 'too-many-pieces' | 'too-much-framing' | 'no-room';

/** A body being read, and its memory afterward. */
export interface BodyReading {
  /** Ends reading from outside, on a parser error or timeout. */
  interrupt(reason: Interruption): void;
  /** Releases the body's memory; it must not be used any more. */
  release(): void;
}

const smallestBuffer = 4 * 1024;

/**
 * Reads the raw bytes of a request; `done` is called once, with the result.
 *
 * Chunks are copied into one growing buffer: otherwise each would keep an object and the connection's read block,
 * which for chunks of one byte is seventy times the body.
 */
export function readBody(
  request: IncomingMessage,
  memory: BodyMemory,
  done: (body: Buffer, interruption: Interruption | null) => void,
): BodyReading {
  const reading = new Reading(memory, framingOf(request), (interruption) => {
    if (interruption !== null) {
      request.off('data', onData);
    }
    done(reading.bytes(), interruption);
  });
  const onData = (piece: Buffer): void => reading.add(piece);
  // An aborted request emits an error only if there is a listener; its closing is enough.
  request
    .on('data', onData)
    .on('end', () => reading.finish(null))
    .on('close', () => reading.finish('gone'));
  return { interrupt: (reason) => reading.finish(reason), release: () => reading.release() };
}

/** Bytes on the wire since the head that are not the body's: chunk sizes and their extensions. */
function framingOf(request: IncomingMessage): ((bodyBytes: number) => number) | undefined {
  if (request.headers['transfer-encoding'] === undefined) {
    return undefined;
  }
  const { socket } = request;
  const start = socket.bytesRead;
  return (bodyBytes) => socket.bytesRead - start - bodyBytes;
}

class Reading {
  readonly #memory: BodyMemory;
  readonly #done: (interruption: Interruption | null) => void;
  readonly #framing: ((bodyBytes: number) => number) | undefined;
  #buffer: Buffer | undefined;
  #length = 0;
  #pieces = 0;
  #taken = 0;
  #finished = false;

  constructor(
    memory: BodyMemory,
    framing: ((bodyBytes: number) => number) | undefined,
    done: (interruption: Interruption | null) => void,
  ) {
    this.#memory = memory;
    this.#framing = framing;
    this.#done = done;
  }

  bytes(): Buffer {
    return this.#buffer?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    this.#pieces += 1;
    if (length > limits.webhookBody.most) {
      this.#drop('too-large');
    } else if (this.#pieces > limits.webhookBodyPieces.most) {
      this.#drop('too-many-pieces');
    } else if ((this.#framing?.(length) ?? 0) > limits.webhookBodyFraming.most) {
      this.#drop('too-much-framing');
    } else if (this.#makeRoom(piece, length)) {
      this.#length = length;
    } else {
      this.#drop('no-room');
    }
  }

  finish(interruption: Interruption | null): void {
    if (!this.#finished) {
      this.#finished = true;
      this.#done(interruption);
    }
  }

  release(): void {
    this.#memory.free(this.#taken);
    this.#taken = 0;
    this.#buffer = undefined;
  }

  /** Uses the first chunk as is: nearly every body is a single chunk. */
  #makeRoom(piece: Buffer, length: number): boolean {
    if (this.#buffer === undefined) {
      this.#buffer = this.#take(piece.length) ? piece : undefined;
      return this.#buffer !== undefined;
    }
    if (this.#pieces > 2 && length <= this.#buffer.length) {
      piece.copy(this.#buffer, this.#length);
      return true;
    }
    const capacity = Math.min(Math.max(2 * length, smallestBuffer), limits.webhookBody.most);
    if (!this.#take(capacity - this.#taken)) {
      return false;
    }
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown, 0, 0, this.#length);
    piece.copy(grown, this.#length);
    this.#buffer = grown;
    return true;
  }

  #take(bytes: number): boolean {
    const isThere = this.#memory.take(bytes, this.#taken + bytes);
    this.#taken += isThere ? bytes : 0;
    return isThere;
  }

  #drop(interruption: Interruption): void {
    this.release();
    this.#length = 0;
    this.finish(interruption);
  }
}

/** Bodies up to this size may use all of the memory, larger ones three quarters of it. */
const smallBody = 16 * 1024;

/**
 * The memory for bodies of unanswered requests, over all connections: they are buffered before they can be
 * authenticated. Deliveries are small, so large bodies must leave room for them.
 */
export class BodyMemory {
  readonly #most: number;
  #held = 0;

  constructor(most: number = limits.webhookBodies.most) {
    this.#most = most;
  }

  /** Bytes in use. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes more for one body.
   * @param total the body's total, including this
   * @returns false if there is not enough; then nothing is taken
   */
  take(bytes: number, total: number): boolean {
    const most = total <= smallBody ? this.#most : this.#most * 0.75;
    if (this.#held + bytes > most) {
      return false;
    }
    this.#held += bytes;
    return true;
  }

  /** Gives memory back. */
  free(bytes: number): void {
    this.#held -= bytes;
  }
}
