import { loadAnyTransaction } from '../cell/loadFolded';
import { readTransaction } from '../cell/light/bitCursor';
import { readLightCell } from '../cell/light/lightCell';
import { readMessage } from '../cell/light/readMessage';
import { isSuccessCode } from '../contracts/standardExitCode';
import { formatInteger, counted } from '../trace/figures';
import { checkedCell, readPart } from './recordInputs';
import type { CallPlace } from './recordLines';
import type { TestRecord, TestRecording } from './testRecording';
import { actionPhaseOf, computePhaseOf } from '../replay/replayErrors';

/** What one call of a test ran: a message with all that followed from it, a tick or tock, or a get-method. */
export interface TestCall {
  /** Full name; undefined outside of tests. */
  test: string | undefined;
  /** In the test file, or in one that it uses; undefined if it is not known. */
  at: CallPlace | undefined;
  chain: number;
  records: readonly TestRecord[];
  /** Number of transactions; 0 for get-methods and messages that were not accepted. */
  transactions: number;
  /** Gas of all, as far as the sandbox says. */
  gas: bigint;
  /** The record that failed first; if none did, the one that the call itself is about. */
  main: TestRecord;
  /** How that ended. */
  outcome: CallOutcome;
}

/** How a record ended. */
export interface CallOutcome {
  /** Exit code of the code; undefined if none ran. */
  exit: number | undefined;
  /** Result code of failed actions. */
  action?: number | undefined;
  hasFailed: boolean;
  /** The message was not accepted, so there is no transaction. */
  isRefused?: boolean;
}

interface OpenCall extends Omit<TestCall, 'records'> {
  records: TestRecord[];
  /** Hashes of messages that nothing has received yet. */
  underWay: Set<string>;
}

/**
 * The calls that the tests of a file made, in the order in which they began.
 *
 * @throws WorkbenchError `test-recording-invalid` (input), `over-limit`
 */
export function testCalls({ records }: Pick<TestRecording, 'records'>): TestCall[] {
  const calls: OpenCall[] = [];
  /** By chain: the one whose messages may still arrive. */
  const open = new Map<number, OpenCall>();
  for (const record of records) {
    const facts = factsOf(record);
    const known = open.get(record.chain);
    if (known !== undefined && facts.message !== undefined && known.underWay.delete(facts.message)) {
      add(known, record, facts);
      continue;
    }
    const { test, at, chain } = record;
    const call: OpenCall = {
      ...{ test, at, chain, records: [], transactions: 0, gas: 0n },
      ...{ main: record, outcome: facts.outcome, underWay: new Set() },
    };
    add(call, record, facts);
    calls.push(call);
    if (record.kind !== 'get') {
      open.set(chain, call);
    }
  }
  return calls;
}

function add(call: OpenCall, record: TestRecord, { outcome, gas, sent, isTransaction }: RecordFacts): void {
  call.records.push(record);
  call.transactions += isTransaction ? 1 : 0;
  call.gas += gas;
  sent.forEach((hash) => call.underWay.add(hash));
  // The first transaction is the wallet's; what the test is about is what the wallet has called.
  if (!call.outcome.hasFailed && (outcome.hasFailed || call.records.length === 2)) {
    call.main = record;
    call.outcome = outcome;
  }
}

interface RecordFacts {
  outcome: CallOutcome;
  gas: bigint;
  isTransaction: boolean;
  /** Hash of the message that it received. */
  message?: string | undefined;
  /** Hashes of the internal messages that it sent. */
  sent: readonly string[];
}

function factsOf(record: TestRecord): RecordFacts {
  if (record.kind === 'get') {
    const { exit, gas = 0 } = record;
    const hasFailed = exit === undefined || !isSuccessCode(exit);
    return { outcome: { exit, hasFailed }, gas: BigInt(gas), isTransaction: false, sent: [] };
  }
  const { transaction, exit } = record;
  if (transaction === undefined) {
    const outcome = { exit, hasFailed: true, isRefused: true };
    return { outcome, gas: 0n, isTransaction: false, sent: [] };
  }
  return readPart('transaction', () => {
    const { inMessage, outMessages } = readTransaction(readLightCell(Buffer.from(transaction, 'base64')));
    const { description } = loadAnyTransaction(checkedCell(transaction));
    const compute = computePhaseOf({ description });
    const action = actionPhaseOf({ description });
    return {
      outcome: {
        exit: compute?.type === 'vm' ? compute.exitCode : undefined,
        action: action?.success === false ? action.resultCode : undefined,
        hasFailed: 'aborted' in description && description.aborted,
      },
      gas: compute?.type === 'vm' ? compute.gasUsed : 0n,
      isTransaction: true,
      message: inMessage?.hexHash,
      sent: outMessages.filter((cell) => readMessage(cell).kind === 'internal').map((cell) => cell.hexHash),
    };
  });
}

/** `exit 402 · 3 tx · 4,387 gas`: how a call ended, in a few words. */
export function callWords({ outcome, transactions, gas }: TestCall): string {
  return [
    outcomeWords(outcome),
    ...(transactions > 0 ? [`${formatInteger(transactions)} tx`] : []),
    ...(gas > 0n ? [`${formatInteger(gas)} gas`] : []),
  ].join(' · ');
}

/** `exit 402`, `exit 0, action 37`, `exit 33, not accepted`, `no code ran`. */
export function outcomeWords({ exit, action, isRefused = false }: CallOutcome): string {
  return [
    exit === undefined ? 'no code ran' : `exit ${exit}`,
    ...(action === undefined ? [] : [`action ${action}`]),
    ...(isRefused ? ['not accepted'] : []),
  ].join(', ');
}

/** Calls of one line: the last one that failed its test, else the last one; a line may run many times. */
export interface CalledLine {
  /** One-based. */
  line: number;
  call: TestCall;
  /** How many times the line ran. */
  times: number;
}

/**
 * What each line of a test file called.
 *
 * @param isPreferred whether a call is what a failed test was about
 */
export function calledLines(
  calls: readonly TestCall[],
  isPreferred: (call: TestCall) => boolean = () => false,
): CalledLine[] {
  const lines = new Map<number, CalledLine>();
  for (const call of calls) {
    const { at } = call;
    if (at === undefined || at.file !== undefined) {
      continue;
    }
    const known = lines.get(at.line);
    const isBetter = known === undefined || isPreferred(call) || !isPreferred(known.call);
    lines.set(at.line, {
      line: at.line,
      call: isBetter ? call : known.call,
      times: (known?.times ?? 0) + 1,
    });
  }
  return [...lines.values()].sort((one, other) => one.line - other.line);
}

/** ` · 12 times`, or nothing. */
export function timesWords(times: number): string {
  return times === 1 ? '' : ` · ${counted(times, 'call')}`;
}
