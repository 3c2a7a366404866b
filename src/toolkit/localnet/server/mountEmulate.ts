import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { fitsCoins, secondsProblem } from '../../base/numberWidths';
import { systemClock } from '../../base/time';
import { ApiError, statusOfError } from '../api/apiError';
import { parseAddress } from '../api/requestParameters';
import type { InboundMessage } from '../chain/inboundMessage';
import { RejectedMessageError, readInboundMessage } from '../chain/inboundMessage';
import { emulateMessage } from '../emulate/emulateMessage';
import type { EmulationAnswer, EmulationWishes } from '../emulate/encodeEmulation';
import { emulationAnswer, encodeEmulation } from '../emulate/encodeEmulation';
import type { TonConnectMessage } from '../emulate/tonConnectMessage';
import { tonConnectMessage } from '../emulate/tonConnectMessage';
import type { V3Context } from '../v3/v3Context';
import { parseBody } from './stringifyInTurns';

const prefix = '/api/emulate';

const strictBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The emulation API: what a message would do, on a copy of the chain. Nothing is sent or stored. */
export function mountEmulate(server: FastifyInstance, context: V3Context): void {
  const mount = (
    path: string,
    message: (body: Body) => Promise<{ boc: Buffer; ignoreSignatures: boolean }>,
  ): void => {
    server.post(`${prefix}/v1/${path}`, async (request, reply) =>
      answer(request, reply, async (body) => {
        requireNewest(context, body);
        const { boc, ignoreSignatures } = await message(body);
        const external = read(boc);
        const emulation = await emulateMessage(context.chain, external, ignoreSignatures);
        return encodeEmulation(context, emulation, external, wishes(body));
      }),
    );
  };
  mount('emulateTrace', (body) =>
    Promise.resolve({ boc: requiredBoc(body), ignoreSignatures: flag(body, 'ignore_chksig') }),
  );
  mount('emulateTonConnect', async (body) => {
    const { from, messages, validUntil } = tonConnectRequest(body);
    return {
      boc: await tonConnectMessage(context.chain, from, messages, validUntil),
      ignoreSignatures: true,
    };
  });
  server.all(`${prefix}/*`, async (request, reply) =>
    send(
      reply,
      404,
      { error: `Cannot ${request.method} ${request.url.split('?', 1)[0]}` },
      systemClock.monotonic(),
    ),
  );
}

type Body = Readonly<Record<string, unknown>>;

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (body: Body) => Promise<EmulationAnswer>,
): Promise<FastifyReply> {
  const began = systemClock.monotonic();
  try {
    const body = parseBody(request.body);
    if (body === null) {
      throw invalid('the body is not a JSON object');
    }
    return send(reply, 200, await writeAnswerInTurns(emulationAnswer, await work(body)), began);
  } catch (error) {
    const status = statusOfError(error);
    const text = error instanceof Error ? error.message : String(error);
    return send(reply, status, { error: text }, began);
  }
}

/** Past states are not kept, so an emulation can only start at the newest block. */
function requireNewest({ chain }: V3Context, body: Body): void {
  const seqno = body['mc_block_seqno'] ?? undefined;
  const { last } = chain.ledger;
  if (seqno !== undefined && seqno !== last.seqno) {
    throw new ApiError(500, `a local network only emulates on its newest block, which is ${last.seqno}`);
  }
}

function requiredBoc(body: Body): Buffer {
  const boc = text(body, 'boc') ?? '';
  if (boc === '') {
    throw invalid('boc is required');
  }
  if (!strictBase64.test(boc)) {
    throw invalid('invalid boc: illegal base64 data');
  }
  return Buffer.from(boc, 'base64');
}

function tonConnectRequest(body: Body): {
  from: string;
  messages: TonConnectMessage[];
  validUntil: number | undefined;
} {
  const from = text(body, 'from') ?? '';
  if (from === '') {
    throw invalid('from address is required for emulation');
  }
  const address = parseAddress(from);
  if (address === null) {
    throw invalid('from is not an address');
  }
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw invalid('messages array cannot be empty');
  }
  const validUntil = body['valid_until'] ?? undefined;
  if (
    validUntil !== undefined &&
    (typeof validUntil !== 'number' || secondsProblem(validUntil) !== undefined)
  ) {
    throw invalid('valid_until is not a time in Unix seconds');
  }
  return { from: address, messages: messages.map(tonConnectMessageOf), validUntil };
}

function tonConnectMessageOf(value: unknown, index: number): TonConnectMessage {
  const message = typeof value === 'object' && value !== null ? (value as Body) : {};
  const address = text(message, 'address') ?? '';
  const amount = text(message, 'amount') ?? '';
  if (address === '') {
    throw invalid(`message at index ${index} cannot be empty`);
  }
  if (amount === '') {
    throw invalid(`amount in message at index ${index} cannot be empty`);
  }
  if (!/^[0-9]{1,37}$/.test(amount) || !fitsCoins(BigInt(amount))) {
    throw invalid(`amount in message at index ${index} must be a valid number`);
  }
  const [payload, stateInit] = (['payload', 'stateInit'] as const).map((name) => {
    const boc = text(message, name);
    if (boc !== undefined && !strictBase64.test(boc)) {
      throw invalid(`invalid message ${name} at index ${index}: illegal base64 data`);
    }
    return boc;
  });
  return { address, amount, payload, stateInit };
}

function read(boc: Buffer): InboundMessage {
  try {
    return readInboundMessage(boc);
  } catch (error) {
    throw error instanceof RejectedMessageError ? new ApiError(500, error.reason) : error;
  }
}

function wishes(body: Body): EmulationWishes {
  return {
    actions: flag(body, 'with_actions'),
    codeAndData: flag(body, 'include_code_data'),
    addressBook: flag(body, 'include_address_book'),
    metadata: flag(body, 'include_metadata'),
  };
}

function flag(body: Body, name: string): boolean {
  return body[name] === true;
}

function text(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== 'string') {
    throw invalid(`${name} is not a string`);
  }
  return value;
}

function invalid(what: string): ApiError {
  return new ApiError(400, `invalid request: ${what}`);
}

function send(reply: FastifyReply, status: number, body: unknown, began: number): FastifyReply {
  return reply
    .code(status)
    .header('server-timing', `app;dur=${(systemClock.monotonic() - began).toFixed(3)}ms`)
    .type('application/json')
    .send(JSON.stringify(body));
}
