import * as z from 'zod';
import { checkShape } from '../base/checkShape';
import { WorkbenchError, checkVersion } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import { numberWidths } from '../base/numberWidths';
import { visibleText } from '../base/text';
import { recordingFormat, recordingVersion } from './recordLines';
import type { CutLine, ExecutionLine, GetMethodLine, HeaderLine, LostLine, WalletLine } from './recordLines';

/** A run of code in a test. */
export type TestRecord = ExecutionLine | GetMethodLine;

const text = (most: number): z.ZodString => z.string().max(most);
const boc = z.base64().max(limits.bocText.most);
const hex = z.string().regex(/^[0-9a-f]{64}$/, 'is not 64 lowercase hex digits');
const blobName = z.string().regex(/^[0-9a-f]{32}$/, 'is not the name of a blob');
const rawAddress = z.string().regex(/^-?\d{1,3}:[0-9a-f]{64}$/, 'is not a raw address in lowercase hex');
const amount = z.string().regex(/^\d{1,40}$/, 'is not an amount');
const count = z.int().min(1);
const exit = z.int().optional();
const place = z.strictObject({ file: text(4_096).optional(), line: count, column: z.int().min(0) });
const block = z.tuple([
  z.int(),
  z.string().regex(/^-?\d{1,20}$/, 'is not a shard'),
  z.int().min(0).max(numberWidths.seqno),
  hex,
  hex,
]);
const blocks = z.array(block).max(16);
const about = { test: text(4_096).optional(), at: place.optional() };
const run = {
  n: count,
  ...about,
  chain: count,
  config: blobName,
  libs: blobName.optional(),
  now: z.int().min(0).max(0xffff_ffff),
  seed: hex.optional(),
  drawn: z.literal(true).optional(),
  debug: z.literal(true).optional(),
  blocks: z.strictObject({ last: blocks, key: block, hundreds: blocks.optional() }).optional(),
  replaced: z.literal(true).optional(),
};

const header: z.ZodType<HeaderLine> = z.strictObject({
  format: z.literal(recordingFormat),
  version: z.literal(recordingVersion),
  file: text(4_096),
  runner: text(100),
  versions: z.strictObject({
    runner: text(100).optional(),
    sandbox: text(100).optional(),
    engine: text(100).optional(),
  }),
});
const blob = z.strictObject({ blob: blobName, boc });
const execution: z.ZodType<ExecutionLine> = z.strictObject({
  ...run,
  kind: z.enum(['message', 'tick', 'tock']),
  state: boc,
  lt: z.string().regex(/^\d{1,20}$/, 'is not a logical time'),
  ignoreSignatures: z.literal(true).optional(),
  transaction: boc.optional(),
  message: boc.optional(),
  error: z.string().optional(),
  exit,
});
const getMethod: z.ZodType<GetMethodLine> = z.strictObject({
  ...run,
  kind: z.literal('get'),
  code: blobName,
  data: boc,
  address: rawAddress,
  balance: amount,
  extra: z.record(z.string().regex(/^\d{1,10}$/), amount).optional(),
  methodId: z.int(),
  stack: boc,
  gasLimit: amount,
  exit,
  gas: amount.optional(),
  answer: boc.optional(),
  error: z.string().optional(),
});
const wallet: z.ZodType<WalletLine> = z.strictObject({ wallet: text(4_096), address: rawAddress });
const lost: z.ZodType<LostLine> = z.strictObject({ lost: z.literal('debug-executor'), ...about });
const cut: z.ZodType<CutLine> = z.strictObject({ cut: z.enum(['limit', 'disk']), left: z.int().min(0) });

/** What the tests of one file ran. */
export interface TestRecording {
  header: HeaderLine;
  /** In the order in which they ran; each has the number of its place, from 1. */
  records: readonly TestRecord[];
  /** The names of the wallets that its tests have made, by raw address. */
  wallets: ReadonlyMap<string, string>;
  /** What could not be recorded. */
  lost: readonly LostLine[];
  /** The recording was full; how many records are left out. */
  cut: CutLine | undefined;
  /** Its last line is not whole: the run was killed. */
  isTruncated: boolean;
  /**
   * The cells that a record names, as BoC in base64.
   * @throws WorkbenchError `test-recording-invalid` (input) if the file does not have it
   */
  blob(name: string): string;
}

/**
 * Reads a `*.tontests` file. Nothing in it is trusted; only its last line may be incomplete.
 *
 * @throws WorkbenchError `test-recording-invalid`, `format-newer` (input), `over-limit`
 */
export function readTestRecording(content: Buffer): TestRecording {
  if (content.length > limits.testRecording.most) {
    throw overLimitError('testRecording');
  }
  const lines = linesOf(content);
  const blobs = new Map<string, string>();
  const records: TestRecord[] = [];
  const wallets = new Map<string, string>();
  const losses: LostLine[] = [];
  let full: CutLine | undefined;
  const [first, ...others] = lines.whole;
  const start = parsed(first ?? '', 1);
  checkVersion('This recording of tests', start, recordingVersion);
  const head = checked(header, start, 1);
  for (const [index, line] of others.entries()) {
    const number = index + 2;
    const value = parsed(line, number);
    if ('blob' in value) {
      const { blob: name, boc: cells } = checked(blob, value, number);
      blobs.set(name, cells);
    } else if ('wallet' in value) {
      const { wallet: name, address } = checked(wallet, value, number);
      wallets.set(address, visibleText(name, 60));
    } else if ('lost' in value) {
      losses.push(checked(lost, value, number));
    } else if ('cut' in value) {
      full = checked(cut, value, number);
    } else {
      const record = checked<TestRecord>(value['kind'] === 'get' ? getMethod : execution, value, number);
      if (record.n !== records.length + 1) {
        throw invalidError(`line ${number}: n is ${record.n}, not ${records.length + 1}`);
      }
      if (records.length === limits.testRecords.most) {
        throw overLimitError('testRecords');
      }
      records.push(record);
    }
  }
  return {
    header: head,
    records,
    wallets,
    lost: losses,
    cut: full,
    isTruncated: lines.rest !== '',
    blob: (name) => {
      const cells = blobs.get(name);
      if (cells === undefined) {
        throw invalidError(`it has no blob ${name}`);
      }
      return cells;
    },
  };
}

/** A line is whole if it has its end. */
function linesOf(content: Buffer): { whole: string[]; rest: string } {
  const whole: string[] = [];
  let start = 0;
  for (let end = content.indexOf(10); end >= 0; end = content.indexOf(10, start)) {
    whole.push(content.toString('utf8', start, end));
    start = end + 1;
  }
  return { whole, rest: content.toString('utf8', start, Math.min(content.length, start + 100)) };
}

function parsed(line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw invalidError(`line ${number} is not a JSON object`);
}

function checked<T>(schema: z.ZodType<T>, value: unknown, number: number): T {
  const { data, problem } = checkShape(schema, value);
  if (problem !== undefined) {
    throw invalidError(`line ${number}: ${problem.path || 'it'} ${problem.words}`);
  }
  return data;
}

/** `test-recording-invalid` (input). @param what the part and its problem; may contain text of the file */
export function invalidError(what: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'test-recording-invalid',
    kind: 'input',
    message: `This is not a recording of tests: ${visibleText(what, 300)}.`,
    hint: 'Give a file of .ton/tests that ton-workbench/record has written.',
    cause,
  });
}
