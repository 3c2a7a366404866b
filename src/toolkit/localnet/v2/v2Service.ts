import { ApiError, statusOfError } from '../api/apiError';

/** The ways of a service that implements the non-indexed API, where the two implementations differ. */
export interface V2Service {
  /** `X-API-Version`. */
  readonly version: string;
  /** Methods that it lacks. */
  readonly lacks: ReadonlySet<string>;
  /** Whether methods that read are served by POST, too. */
  readonly readsByPost: boolean;
  /** Maximum `limit` of getTransactions. */
  readonly transactionsLimit: number;
  /** Status and words of a failed call. */
  readonly failure: (error: unknown) => { code: number; text: string };
  /** How JSON-RPC is answered. */
  readonly rpc: {
    /** A body that is not JSON, or names no method. */
    readonly malformed: { readonly status: number; readonly text: string };
    readonly unknownMethod: { readonly status: number; readonly text: string };
    /** Whether the answer repeats `jsonrpc` and `id`. */
    readonly echoes: boolean;
  };
  /** Whether `@extra` is beside the result, or in it. */
  readonly extra: 'beside' | 'inside';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The C++ service (toncenter/ton-http-api-cpp), which the public networks run. Its JSON-RPC posts to the method itself. */
const newestV2: V2Service = {
  version: '2.1.13',
  lacks: new Set(),
  readsByPost: true,
  transactionsLimit: 1000,
  failure: (error) => ({ code: statusOfError(error), text: wordsOf(error) }),
  rpc: {
    // Its parse error is not caught: the framework answers, without a body.
    malformed: { status: 500, text: '' },
    unknownMethod: { status: 404, text: 'Not Found' },
    echoes: false,
  },
  extra: 'beside',
};

/** The Python service (toncenter/ton-http-api), which older installations run. */
const classicV2: V2Service = {
  version: '2.0.68',
  lacks: new Set([
    'dnsResolve',
    'getShards',
    'getShardAccountCell',
    'getConfigAll',
    'getTransactionsStd',
    'runGetMethodStd',
    'getOutMsgQueueSize',
    'sendBocReturnHashNoError',
  ]),
  readsByPost: false,
  transactionsLimit: 100,
  failure: classicFailure,
  rpc: {
    malformed: { status: 422, text: 'Validation error: the body is not a JSON-RPC request' },
    unknownMethod: { status: 422, text: 'Unknown method' },
    echoes: true,
  },
  extra: 'inside',
};

/** 416 for an address, 503 for what is neither the caller's fault nor a lite server's. */
function classicFailure(error: unknown): { code: number; text: string } {
  const [code, text] = [statusOfError(error), wordsOf(error)];
  if (code === 422) {
    const what = text.replace(/^failed to (?:parse \w+|validate) request: /, '');
    return /\baddress\b/.test(what)
      ? { code: 416, text: 'Incorrect address' }
      : { code, text: `Validation error: ${what}` };
  }
  const isOwn = !(error instanceof ApiError) || code > 504;
  return { code: isOwn && code !== 502 ? 503 : code, text };
}

/** The service to imitate. */
export function v2Service(isClassic: boolean): V2Service {
  return isClassic ? classicV2 : newestV2;
}
