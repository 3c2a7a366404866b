import * as z from 'zod';
import { lowerHex } from '../address/lowerHex';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { RefusedRequest, protocolCodes } from './protocol';
import type { ProtocolError } from './protocol';
import type { TransactionRequest } from './checkTransaction';
import type { SignDataPayload } from './signData';

const connectItem = z.object({ name: z.string().max(100) }).loose();

const connectRequest = z.object({
  manifestUrl: z.string().max(2_000),
  items: z.array(connectItem).min(1).max(20),
});

/** What a dApp asks for when it connects. */
export interface ConnectRequest {
  manifestUrl: string;
  items: { name: string; [field: string]: unknown }[];
  /** The request in the link, checked, or why it cannot be carried out: the dApp connects nevertheless. */
  embedded?: { task: EmbeddedTask } | { error: ProtocolError } | undefined;
}

/** What a link may ask for beside the connection. */
export type EmbeddedTask =
  | { method: 'sendTransaction' | 'signMessage'; params: TransactionRequest }
  | { method: 'signData'; params: SignDataPayload };

/** A request to connect, from a link. */
export interface ConnectLink {
  /** The dApp's client id: an X25519 public key, lowercase hex. */
  app: string;
  request: ConnectRequest;
  /** The request in the link (`e`) as it is there: only a wallet with the feature reads it. */
  embedded?: string | undefined;
}

/**
 * Reads a connect link: `tc://…` or a universal link of any wallet.
 * @throws WorkbenchError `connect-link-invalid` (input)
 */
export function parseConnectLink(text: string): ConnectLink {
  const link = text.trim();
  if (link.length > limits.walletMessage.most) {
    throw invalid('it is too long');
  }
  const url = URL.canParse(link) ? new URL(link) : undefined;
  if (url === undefined || !['tc:', 'http:', 'https:'].includes(url.protocol)) {
    throw notALinkError();
  }
  if (onlyOpens(url)) {
    throw opensOnlyError();
  }
  const version = url.searchParams.get('v');
  const app = lowerHex(url.searchParams.get('id') ?? '');
  const request = url.searchParams.get('r');
  if (version !== '2') {
    throw invalid(version === null ? 'it has no version (v)' : 'its version (v) is not 2');
  }
  if (!/^[0-9a-f]{64}$/.test(app)) {
    throw invalid('the id of the dApp (id) is not 64 hex digits');
  }
  if (request === null) {
    throw invalid('it has no request (r)');
  }
  try {
    const embedded = url.searchParams.get('e') ?? undefined;
    return {
      ...{ app, request: readConnectRequest(JSON.parse(request)) },
      ...(embedded === undefined ? {} : { embedded }),
    };
  } catch (error) {
    throw invalid(error instanceof RefusedRequest ? error.message : 'its request (r) is not JSON', error);
  }
}

/** @throws RefusedRequest */
export function readConnectRequest(value: unknown): ConnectRequest {
  const read = connectRequest.safeParse(value);
  if (!read.success) {
    throw new RefusedRequest(protocolCodes.badRequest, 'the request has no manifestUrl and items');
  }
  const { manifestUrl, items } = read.data;
  if (!URL.canParse(manifestUrl) || !/^https?:$/.test(new URL(manifestUrl).protocol)) {
    throw new RefusedRequest(protocolCodes.badRequest, 'manifestUrl is not an http URL');
  }
  if (!items.some(({ name }) => name === 'ton_addr')) {
    throw new RefusedRequest(protocolCodes.badRequest, 'the items lack ton_addr');
  }
  return { manifestUrl, items };
}

/** The network that the dApp would like, if it is not this one: a hint, which refuses nothing by itself. */
export function otherNetworkHint({ items }: ConnectRequest, chain: string): string | undefined {
  const wanted = items.find(({ name }) => name === 'ton_addr')?.['network'];
  return typeof wanted === 'string' && wanted !== chain ? wanted.slice(0, 20) : undefined;
}

/** Whether a link only brings the wallet to the front, because its dApp is connected already. */
export function onlyOpens({ searchParams }: URL): boolean {
  return searchParams.has('id') && !searchParams.has('v') && !searchParams.has('r');
}

function opensOnlyError(): WorkbenchError {
  return new WorkbenchError({
    code: 'connect-link-invalid',
    kind: 'input',
    message: 'This link only opens a wallet: its dApp is connected already.',
    hint: 'Look at the pending requests of the wallet.',
  });
}

function notALinkError(): WorkbenchError {
  return new WorkbenchError({
    code: 'connect-link-invalid',
    kind: 'input',
    message: 'This is not a link.',
    hint: 'Copy the one that the dApp shows: it starts with tc:// or https://.',
  });
}

function invalid(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'connect-link-invalid',
    kind: 'input',
    message: `This is not a TON Connect link: ${reason}.`,
    hint: 'Copy the link that the dApp shows for connecting a wallet: tc://?v=2&id=…&r=…',
    cause,
  });
}
