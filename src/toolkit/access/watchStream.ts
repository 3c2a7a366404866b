import type * as z from 'zod';
import { answerReader } from '../api/answerReader';
import type { V3Transaction } from '../api/v3Objects';
import type { V3Action, V3Trace } from '../api/v3Traces';
import { streamEvents } from '../api/v3Traces';
import { ownValue } from '../base/collections';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import type { Access } from './createAccess';
import { connectionLostError, wrongShapeError } from './errors';
import type { StreamRequest, StreamWay } from './openStream';
import { openStream, streamEndpoint, streamingBase } from './openStream';
import { pauseAfter } from './serviceError';

interface Settled {
  /** `pending`, `confirmed`, or `finalized`. */
  finality: string;
}

interface OfTrace extends Settled {
  /** Normalized hash of the external message that began it. */
  trace_external_hash_norm: string;
}

/** What happened: the objects of API v3, decoded. */
export type StreamEvent =
  /** Newest first. */
  | (OfTrace & { type: 'transactions'; transactions: V3Transaction[] })
  | (OfTrace & { type: 'actions'; actions: V3Action[] })
  | (OfTrace & { type: 'trace' } & Pick<V3Trace, 'trace' | 'transactions' | 'actions'>)
  | (Settled & { type: 'account_state_change'; account: string; state: V3Transaction['account_state_after'] })
  | (Settled & {
      type: 'jettons_change';
      jetton: {
        address: string;
        balance: bigint;
        owner: string;
        jetton: string;
        last_transaction_lt: bigint;
      };
    })
  /** What was told of this trace as pending or confirmed has not come true. */
  | { type: 'trace_invalidated'; trace_external_hash_norm: string };

/** What becomes of a stream. */
export type StreamSignal =
  /** From here on nothing is missed; what happened before, or since the last connection, is to be read. */
  | { kind: 'connected' }
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'lost'; error: WorkbenchError; failures: number; retryInMs: number }
  /** The last one: the service has no stream, or not for us. */
  | { kind: 'absent'; error: WorkbenchError };

/** Waits before another connection, in milliseconds: an earlier one may count for a minute. */
const backoff = { local: 200, first: 1_000, most: 60_000 };
/** A connection that lived so long, in milliseconds, was a good one. */
const goodMs = 10_000;

/**
 * Listens to a network until the signal fires, connecting again after each loss, at most at the pace of the network.
 * @throws WorkbenchError if the service refuses the subscription itself
 */
export async function* watchStream(
  { stream, network }: Pick<Access, 'stream' | 'network'>,
  request: StreamRequest,
  { signal, way: wanted = 'sse' }: { signal: AbortSignal; way?: StreamWay | undefined },
): AsyncGenerator<StreamSignal, void> {
  if (stream === undefined || streamingBase(network) === undefined) {
    yield { kind: 'absent', error: noStreamError(network.name) };
    return;
  }
  const { clock, random } = stream;
  let way = wanted;
  let failures = 0;
  let isOther = false;
  let hasConnected = false;
  while (!signal.aborted) {
    let connectedAt: number | undefined;
    try {
      for await (const message of openStream(stream.services, request, { way, signal })) {
        if (message.status !== undefined && message.type === undefined) {
          connectedAt = clock.monotonic();
          hasConnected = true;
          yield { kind: 'connected' };
        } else {
          const event = readStreamEvent(message);
          if (event !== undefined) {
            yield { kind: 'event', event };
          }
        }
      }
      const origin = new URL(streamingBase(network) ?? '').origin;
      const context = { endpoint: streamEndpoint, origin, hasKey: false, changesChain: false };
      throw connectionLostError(context, 'the service ended the stream', undefined);
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (signal.aborted) {
        return;
      }
      // What streamed before may say so for a moment only, while it starts again.
      if (isAbsent(error) && !hasConnected) {
        // Another installation may have only the other of the two.
        if (!isOther) {
          isOther = true;
          way = way === 'sse' ? 'ws' : 'sse';
          continue;
        }
        yield { kind: 'absent', error };
        return;
      }
      if (error.code === 'bad-request') {
        throw error;
      }
      failures = connectedAt !== undefined && clock.monotonic() - connectedAt >= goodMs ? 1 : failures + 1;
      const first = network.kind === 'local' ? backoff.local : backoff.first;
      const own = Math.min(backoff.most, first * 2 ** (failures - 1)) * (0.75 + random() / 2);
      const retryInMs = pauseAfter(error, own);
      yield { kind: 'lost', error, failures, retryInMs };
      await clock.sleep(retryInMs, signal).catch(() => undefined);
    }
  }
}

function isAbsent({ code, details }: WorkbenchError): boolean {
  return (
    ['not-found', 'unauthorized', 'forbidden', 'wrong-network-key'].includes(code) ||
    [404, 405, 426, 501].includes(Number(details.status))
  );
}

/** A type that is not known, or a message about the connection, is no event. @throws WorkbenchError `wrong-shape` */
function readStreamEvent(message: Readonly<Record<string, unknown>>): StreamEvent | undefined {
  const { type } = message;
  const schema =
    type === 'trace_invalidated'
      ? streamEvents.transactions
      : typeof type === 'string'
        ? ownValue<z.ZodType>(streamEvents, type)
        : undefined;
  if (schema === undefined) {
    return undefined;
  }
  const read = answerReader(schema).decode(message);
  if ('failure' in read) {
    throw wrongShapeError(streamEndpoint, read.failure);
  }
  return read.value as StreamEvent;
}

function noStreamError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'not-found',
    kind: 'service',
    message: `It is not known where ${network} streams.`,
    hint: 'A network whose URLs end in /api/v2 and /api/v3 streams at /api/streaming/v2.',
  });
}
