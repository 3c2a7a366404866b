import { coinLabelLength } from './text';
import type { ErrorKind } from './errors';
import { WorkbenchError } from './errors';

/** A bound on one kind of outside input, enforced before the work is done. */
export interface Limit {
  /** The input's name in the error, without an article: `token content`. */
  input: string;
  /** The maximum. */
  most: number;
  /** The unit: `bytes`, `cells`, `types` … */
  unit: string;
}

const mebibyte = 1024 * 1024;

/**
 * Every bound on outside input (service answers, chain content, workspace files, pasted text, requests): the one
 * table behind the checks, their errors and docs/limits.md.
 */
export const limits = {
  serviceAnswer: { input: 'answer', most: 64 * mebibyte, unit: 'bytes' },
  unreadOutput: { input: 'unread output of a command', most: mebibyte, unit: 'bytes' },
  streams: { input: 'local network', most: 1_000, unit: 'streams' },
  streamSubscription: { input: 'subscription to a stream', most: mebibyte, unit: 'bytes' },
  streamAddresses: { input: 'subscription to a stream', most: 1_000, unit: 'addresses' },
  streamFrame: { input: 'one event of a stream', most: 16 * mebibyte, unit: 'bytes' },
  unreadStream: { input: 'unread events of a stream', most: 4 * mebibyte, unit: 'bytes' },
  webhookBody: { input: 'webhook body', most: mebibyte, unit: 'bytes' },
  webhookBodyPieces: { input: 'webhook body', most: 16_384, unit: 'pieces' },
  webhookBodyFraming: { input: 'framing of a webhook body', most: 256 * 1024, unit: 'bytes' },
  webhookBodies: { input: 'queue of unanswered webhook bodies', most: 64 * mebibyte, unit: 'bytes' },
  webhookConnections: { input: 'webhook listener', most: 1_024, unit: 'connections' },
  webhookRefusedBody: {
    input: 'refused webhook body',
    most: 32 * mebibyte,
    unit: 'bytes that are still read',
  },
  webhookQueue: { input: 'queue of unwritten deliveries', most: 64 * mebibyte, unit: 'bytes' },
  webhookJournal: { input: 'webhook journal', most: 256 * mebibyte, unit: 'bytes; the oldest go first' },
  webhookDeliveries: { input: 'webhook journal', most: 10_000, unit: 'deliveries; the oldest go first' },
  webhookStates: {
    input: 'list of processed references',
    most: 200_000,
    unit: 'references; the oldest are forgotten first',
  },
  webhookChainSightings: {
    input: 'list of deliveries checked against the chain',
    most: 500,
    unit: 'deliveries; the oldest are forgotten first',
  },
  webhookSentTests: {
    input: 'list of tests sent to your own server',
    most: 20,
    unit: 'tests; the newest are kept',
  },
  webhookLateAnswer: { input: 'delay of an answer on purpose', most: 120, unit: 'seconds' },
  webhookRefusedOnPurpose: { input: 'deliveries refused on purpose', most: 1_000, unit: 'deliveries' },
  webhookForwards: { input: 'queue of deliveries being forwarded', most: 64 * mebibyte, unit: 'bytes' },
  givenFile: { input: 'file', most: 64 * mebibyte, unit: 'bytes' },
  secretFile: { input: 'file of a secret or key', most: 64 * 1024, unit: 'bytes' },
  ordersFile: { input: 'orders file', most: 16 * mebibyte, unit: 'bytes' },
  journalFile: { input: 'journal', most: 2048 * mebibyte - 1, unit: 'bytes' },
  localNetworkFile: { input: 'file about a local network', most: 10_000, unit: 'bytes' },
  handOverFile: { input: 'record of a message that was handed over', most: 16 * 1024, unit: 'bytes' },
  planFile: { input: 'record of how far a call sheet is', most: 4 * mebibyte, unit: 'bytes' },
  deploymentsFile: { input: 'record of deployments', most: 4 * mebibyte, unit: 'bytes' },
  payments: { input: 'journal of payments', most: 100_000, unit: 'payments; more are refused' },
  paymentRows: { input: 'payments in a window', most: 200, unit: 'rows; the newest' },
  paymentRequest: { input: 'request of the payment API', most: 64 * 1024, unit: 'bytes' },
  paymentComment: { input: 'comment of a payment', most: 1_000, unit: 'characters' },
  paymentProblems: {
    input: 'payment',
    most: 20,
    unit: 'messages that did not settle it; the newest are kept',
  },
  paymentAttempts: {
    input: 'payment',
    most: 50,
    unit: 'attempts to deliver its webhook; the newest are kept',
  },
  webhookAnswer: { input: "receiver's answer", most: 4 * 1024, unit: 'bytes; the rest is cut' },
  walletMessage: { input: 'message to the test wallet', most: 64 * 1024, unit: 'bytes' },
  walletManifest: { input: "dApp's manifest", most: 64 * 1024, unit: 'bytes' },
  walletQueue: { input: "queue of a test wallet's client", most: 100, unit: 'messages' },
  walletEvents: { input: "test wallet's journal", most: 1_000, unit: 'sent messages; the oldest go first' },
  walletLifetime: { input: 'message to or from the test wallet', most: 300, unit: 'seconds to live' },
  walletSessions: { input: 'test wallet', most: 100, unit: 'connected dApps' },
  walletStreams: { input: 'test wallet', most: 2_000, unit: 'event streams' },
  traceTransactions: {
    input: 'local network trace',
    most: 4_000,
    unit: 'transactions; a longer one is answered without them',
  },
  tracePicture: { input: 'picture of a trace', most: 64 * mebibyte, unit: 'characters' },
  forwardHops: { input: 'route of a forwarded webhook', most: 8, unit: 'listeners' },
  dictionaryCells: { input: 'dictionary', most: 20_000, unit: 'cells' },
  /** Debug output of one contract run. */
  keptDebugOutput: { input: 'debug output of all transactions', most: 4 * mebibyte, unit: 'characters' },
  /** Debug output of one contract run. */
  debugOutput: { input: 'debug output', most: 65_536, unit: 'characters' },
  gasBaseline: { input: 'gas baseline', most: mebibyte, unit: 'characters' },
  projectFiles: { input: 'project', most: 10_000, unit: 'files with contracts' },
  projectFileBytes: { input: 'project file', most: mebibyte, unit: 'bytes' },
  bundleBytes: { input: 'source bundle of Acton', most: 8 * mebibyte, unit: 'bytes' },
  projectBytes: { input: 'project', most: 16 * mebibyte, unit: 'bytes in files with contracts' },
  compiledCodes: {
    input: 'codes compiled from a project',
    most: 500,
    unit: 'codes; the oldest are forgotten first',
  },
  compiledCodesFile: { input: 'file of compiled codes', most: mebibyte, unit: 'bytes' },
  compileCache: {
    input: 'cache of compiled sources',
    most: 64 * mebibyte,
    unit: 'bytes; the oldest are removed first',
  },
  compileCacheEntries: {
    input: 'cache of compiled sources',
    most: 200,
    unit: 'sources; the oldest are removed first',
  },
  sourceText: { input: 'source', most: 128 * 1024, unit: 'characters' },
  importedFiles: { input: 'source', most: 64, unit: 'files that it imports' },
  sourceMethods: { input: 'project file', most: 2_000, unit: 'get-methods' },
  sourceNames: { input: 'source', most: 1_000, unit: 'named errors or messages' },
  sourceSteps: { input: 'source', most: 1_000_000, unit: 'parsing steps; the rest is left out' },
  storageSteps: {
    input: 'source that loads its data by hand',
    most: 4_000_000,
    unit: 'steps to follow what it loads; with more, its storage is a cell',
  },
  sourceNesting: { input: 'type in a source', most: 100, unit: 'nested brackets' },
  abiValues: { input: 'ABI', most: 50_000, unit: 'values in its JSON' },
  typeIds: { input: 'list of types in unions', most: 100, unit: 'types' },
  typeParts: { input: 'type', most: 1_000, unit: 'parts' },
  typeSteps: { input: 'source', most: 100_000, unit: 'steps to resolve its types' },
  codeCells: { input: 'code in a build output', most: 4_096, unit: 'cells' },
  listedContracts: {
    input: 'local network',
    most: 200,
    unit: 'newest contracts that are listed',
  },
  codeNames: { input: 'project', most: 50, unit: 'contracts offered for a field that holds a code' },
  structFields: { input: 'ABI struct', most: 1_000, unit: 'fields' },
  serviceErrorText: {
    input: 'service error text',
    most: 64 * 1024,
    unit: 'characters; the rest is cut',
  },
  loggedBody: { input: 'body in the request log', most: 16_384, unit: 'characters; the rest is cut' },
  loggedPath: { input: 'path in the request log', most: 4_096, unit: 'characters; the rest is cut' },
  listing: { input: "compiler's listing", most: 4 * mebibyte, unit: 'characters' },
  alignedInstructions: {
    input: "compiler's listing",
    most: 200_000,
    unit: 'instructions when functions are inlined',
  },
  testRecording: { input: 'recording of tests', most: 256 * mebibyte, unit: 'bytes' },
  testRecords: { input: 'recording of tests', most: 200_000, unit: 'transactions and get-methods' },
  replayFile: { input: 'saved replay', most: 64 * mebibyte, unit: 'characters' },
  replayEarlier: {
    input: 'replay',
    most: 1_000,
    unit: 'transactions of the account that must run first',
  },
  getMethodLog: {
    input: 'recording of a get-method',
    most: 32 * mebibyte,
    unit: 'characters of its log; the last ones are kept',
  },
  recordings: {
    input: 'kept recordings',
    most: 64,
    unit: 'executions; the oldest are dropped, and made again when needed',
  },
  recordingBytes: {
    input: 'kept recordings',
    most: 256 * mebibyte,
    unit: 'bytes; the oldest are dropped, and made again when needed',
  },
  stateDump: { input: "local network's state", most: 64 * mebibyte, unit: 'bytes' },
  dumpAccounts: { input: "local network's state", most: 100_000, unit: 'accounts' },
  dumpCells: { input: "local network's state", most: 4_000_000, unit: 'cells' },
  dumpLibraries: { input: "local network's state", most: 1_000, unit: 'libraries, or failed messages' },
  boc: { input: 'BoC', most: 16 * mebibyte, unit: 'bytes' },
  bocCells: { input: 'BoC', most: 2 ** 20, unit: 'cells' },
  bocDepth: { input: 'BoC', most: 1024, unit: 'cells from a root to its deepest leaf' },
  bocRoots: { input: 'BoC', most: 16_384, unit: 'roots' },
  bocText: { input: 'BoC text', most: 48 * mebibyte, unit: 'characters' },
  disassembledCells: { input: 'code', most: 20_000, unit: 'cells when every reference is followed' },
  compileSeconds: { input: 'contract source', most: 30, unit: 'seconds of compiling' },
  compileMemory: { input: 'contract source', most: 512 * mebibyte, unit: 'bytes of memory while compiling' },
  actonOutput: { input: 'output of acton', most: 64 * mebibyte, unit: 'bytes' },
  compilerText: {
    input: 'compiler output',
    most: 256 * 1024,
    unit: 'characters; the rest is not read',
  },
  tokenContent: { input: 'token content', most: 5_000, unit: 'cells' },
  unfoldedCells: {
    input: 'cell and everything it refers to',
    most: 20_000,
    unit: 'cells when every reference is followed',
  },
  callSheet: { input: 'call sheet', most: 256 * 1024, unit: 'characters' },
  sheetCalls: { input: 'call sheet', most: 2_000, unit: 'calls' },
  sheetStepSeconds: { input: 'step of a call sheet', most: 120, unit: 'seconds until its trace has ended' },
  sheetProblems: { input: 'call sheet', most: 1_000, unit: 'problems; the rest are not listed' },
  sheetBrackets: {
    input: 'call sheet',
    most: 1_000_000,
    unit: 'characters after unclosed brackets',
  },
  exploredDeliveries: { input: 'explored order', most: 200, unit: 'deliveries; a longer one is cut there' },
  exploredStates: { input: 'exploration of orders', most: 300_000, unit: 'states that it remembers' },
  coinLabel: {
    input: 'setting tonWorkbench.coinLabel',
    most: coinLabelLength,
    unit: 'characters; a longer one is not used',
  },
  stackValues: { input: 'stack text', most: 5_000, unit: 'values, including those of named values' },
  domains: { input: 'text', most: 32, unit: 'domains' },
  stackEntries: { input: 'result stack', most: 100_000, unit: 'entries' },
  numberText: { input: 'number', most: 1_000, unit: 'characters' },
  stackObjectCells: {
    input: 'local network answer',
    most: 10_000,
    unit: 'cells written as objects; the rest is in bytes',
  },
  structureFields: {
    input: 'structure of the blockchain',
    most: 200_000,
    unit: 'fields; the rest is not read',
  },
  decodedFields: { input: 'decoded cell', most: 50_000, unit: 'fields' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;

/** How an error about a limit describes its input. */
export interface OverLimitDetails {
  /** The actual input, with its article if needed: `The file vault.abi.json`. By default `The <input>`. */
  what?: string;
  /** The kind of the error; by default `input`, the user's. */
  kind?: ErrorKind;
}

/** `over-limit`: the input exceeds its limit; nothing beyond the limit was read. */
export function overLimitError(
  name: LimitName,
  { what, kind = 'input' }: OverLimitDetails = {},
): WorkbenchError {
  const limit: Limit = limits[name];
  return new WorkbenchError({
    code: 'over-limit',
    kind,
    message: `${what ?? `The ${limit.input}`} has more than ${limit.most.toLocaleString('en-US')} ${limit.unit}.`,
    hint: 'TON Workbench stops here so that hostile input cannot block it; docs/limits.md lists the limits.',
    details: { limit: name, most: limit.most, unit: limit.unit },
  });
}

/**
 * The remaining work allowed for one input. A walk spends one unit per step, so a small input that expands into
 * endless work stops at the limit.
 */
export class WorkBudget {
  #left: number;

  constructor(
    readonly name: LimitName,
    readonly details: OverLimitDetails = {},
  ) {
    this.#left = limits[name].most;
  }

  /** @throws `over-limit` if the input exceeds its limit */
  spend(units = 1): void {
    this.#left -= units;
    if (this.#left < 0) {
      throw overLimitError(this.name, this.details);
    }
  }
}
