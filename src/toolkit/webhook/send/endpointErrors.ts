import { WorkbenchError } from '../../errors';
import type { ErrorCode } from '../../errorCodes';

const causes: Readonly<Record<string, [code: ErrorCode, text: string, hint: string]>> = {
  ECONNREFUSED: [
    'endpoint-refused',
    'nothing is listening there',
    'Start the receiver, or check the host and port.',
  ],
  ENOTFOUND: ['endpoint-unknown-host', 'the host name is unknown', 'Check the host name.'],
  EAI_AGAIN: ['endpoint-unknown-host', 'the host name cannot be resolved', 'Check the host name.'],
  ECONNRESET: ['endpoint-closed', 'the connection was closed before the answer', "See the receiver's log."],
  EPIPE: ['endpoint-closed', 'the connection was closed before the answer', "See the receiver's log."],
};

/** Converts any request failure to our own error. */
export function endpointError(url: URL, cause: unknown, ms: number): WorkbenchError {
  if (cause instanceof WorkbenchError) {
    return new WorkbenchError({ ...pick(cause), details: { ...cause.details, ms } });
  }
  const system = (cause as NodeJS.ErrnoException).code ?? '';
  const isCertificate = /CERT|SSL|TLS|VERIFY|ISSUER/.test(system);
  const message = cause instanceof Error ? cause.message : String(cause);
  const [code, text, hint]: [ErrorCode, string, string] = isCertificate
    ? [
        'endpoint-certificate',
        `its certificate is not trusted (${system})`,
        'Use a certificate from a public CA.',
      ]
    : (causes[system] ?? ['endpoint-unreachable', message, 'Check the address and the network.']);
  return new WorkbenchError({
    code,
    kind: 'network',
    message: `No answer from ${url.origin}: ${text}.`,
    hint,
    details: { ms },
    cause,
  });
}

/** No complete answer in time. */
export function endpointTimeoutError(url: URL, timeoutMs: number): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-timeout',
    kind: 'network',
    message: `No complete answer from ${url.origin} within ${timeoutMs / 1_000} s.`,
    hint: 'Store the delivery, answer, and do slow work afterwards.',
  });
}

/** The scenario closed the connection before the answer. */
export function endpointCutError(url: URL): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-cut',
    kind: 'network',
    message: `The connection to ${url.origin} was closed on purpose before the answer.`,
  });
}

function pick({ code, kind, message, hint, cause }: WorkbenchError): {
  code: ErrorCode;
  kind: WorkbenchError['kind'];
  message: string;
  hint: string | undefined;
  cause: unknown;
} {
  return { code, kind, message, hint, cause };
}
