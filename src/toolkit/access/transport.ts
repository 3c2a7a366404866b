import type { Method } from './endpoint/endpoint';

/** One HTTP exchange. Redirects are never followed here. */
export interface TransportRequest {
  method: Method;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Aborts the exchange down to the socket; the transport then throws the signal's reason. */
  signal: AbortSignal;
  /** Bytes after which reading the body stops. */
  maximumBytes: number;
}

export interface TransportAnswer {
  status: number;
  /** A header's value, by lowercase name. */
  header: (name: string) => string | undefined;
  body: Buffer;
}

/**
 * Sends requests. Throws {@link TransportFailure} if no complete answer arrived, the signal's reason if it fired.
 * Everything else about HTTP (statuses, retries, JSON) is decided above it.
 */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** An answer that goes on. */
export interface StreamAnswer extends Omit<TransportAnswer, 'body'> {
  body: AsyncIterable<Uint8Array>;
}

/** Sends a request whose answer is read as it comes, until the signal fires. */
export type StreamTransport = (request: Omit<TransportRequest, 'maximumBytes'>) => Promise<StreamAnswer>;

/** Why no complete answer arrived. */
export class TransportFailure extends Error {
  override readonly name = 'TransportFailure';
  constructor(
    readonly reason: 'unreachable' | 'connection-lost' | 'timeout' | 'too-large',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

/** Why the proxy could not be used. */
function proxyRefused(status: number): string {
  return status === 407
    ? 'the proxy requires a user name and password (407)'
    : `the proxy opened no connection (status ${status})`;
}

/** DOMExceptions, which fetch wraps some failures in, have a meaningless number there. */
function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** A failure of fetch or undici, identified by the codes in its cause chain. */
export function transportFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) {
    return error;
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    const inner = cause instanceof AggregateError ? codeOf(cause.errors[0]) : undefined;
    // undici's error when a proxy refuses the tunnel: nothing was sent to the service.
    const refused = /^Proxy response \((\d+)\)/.exec(cause.message)?.[1];
    if (refused !== undefined) {
      return new TransportFailure('unreachable', proxyRefused(Number(refused)), error);
    }
    if (/^Proxy Authentication Required/.test(cause.message)) {
      return new TransportFailure('connection-lost', proxyRefused(407), error);
    }
    const known = code ?? inner;
    if (known === undefined) {
      continue;
    }
    if (known === 'UND_ERR_HEADERS_TIMEOUT' || known === 'UND_ERR_BODY_TIMEOUT') {
      return new TransportFailure('timeout', known, error);
    }
    // Certificate errors have OpenSSL's codes, such as CERT_HAS_EXPIRED or DEPTH_ZERO_SELF_SIGNED_CERT.
    const isCertificate = /CERT|ERR_TLS|SELF_SIGNED|UNABLE_TO_/.test(known);
    // The network may also vanish under an open connection (EHOSTUNREACH on a read): then something may have been
    // sent.
    const { syscall } = cause as NodeJS.ErrnoException;
    const isUnderWay = syscall === 'read' || syscall === 'write';
    const reason =
      (neverConnected.has(known) && !isUnderWay) || isCertificate ? 'unreachable' : 'connection-lost';
    return new TransportFailure(reason, isCertificate ? `${cause.message} (${known})` : known, error);
  }
  return new TransportFailure(
    'connection-lost',
    error instanceof Error ? error.message : String(error),
    error,
  );
}
