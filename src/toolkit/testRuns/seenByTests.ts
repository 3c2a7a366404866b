import type { Account, Message } from '@ton/core';
import { Address, Cell, beginCell, loadShardAccount, parseTuple, storeShardAccount } from '@ton/core';
import { loadAnyMessage, loadAnyTransaction, loadFolded } from '../cell/loadFolded';
import type { Emulator } from '../execution/emulator/emulator';
import { actionPhaseOf, computePhaseOf, pastMessage } from '../replay/replayErrors';
import { checkedCell, codeBefore, recordedAccount } from './recordInputs';
import type { ExecutionLine, GetMethodLine } from './recordLines';
import { commonInputs } from './runRecord';
import type { TestRecord, TestRecording } from './testRecording';

/** A record, and the recording that it is in. */
export interface RecordInTests {
  recording: TestRecording;
  record: TestRecord;
}

/** The code that a record ran, also if its message brought it; undefined if it had none. */
export function codeOfRecord({ recording, record }: RecordInTests): Cell | undefined {
  return record.kind === 'get' ? checkedCell(recording.blob(record.code)) : initialOf(record)?.code;
}

/**
 * What a test can see of a record if another code runs in it, as a text to compare: exit code, gas, answer, actions, messages,
 * fees, balance, and data. The code itself and its hash are no part of it.
 *
 * @throws WorkbenchError `test-recording-invalid` (input), `emulator-failed`
 */
export async function seenOfRecord(
  { recording, record }: RecordInTests,
  code: Cell,
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock' | 'runGetMethod'>,
): Promise<string> {
  return record.kind === 'get'
    ? seenOfGetMethod(recording, record, code, emulator)
    : seenOfTransaction(recording, record, code, emulator);
}

async function seenOfGetMethod(
  recording: TestRecording,
  record: GetMethodLine,
  code: Cell,
  emulator: Pick<Emulator, 'runGetMethod'>,
): Promise<string> {
  const { exitCode, gasUsed, stackBoc } = await emulator.runGetMethod({
    ...commonInputs(recording, record),
    code: code.toBoc().toString('base64'),
    data: record.data,
    address: Address.parse(record.address),
    methodId: record.methodId,
    stack: parseTuple(checkedCell(record.stack)),
    balance: BigInt(record.balance),
    seed: record.seed,
    gasLimit: BigInt(record.gasLimit),
    extraCurrencies: record.extra,
    verbosity: 'short',
  });
  const answer = stackBoc === undefined ? '' : checkedCell(stackBoc).hash().toString('hex');
  return [exitCode, gasUsed, answer].join(' ');
}

async function seenOfTransaction(
  recording: TestRecording,
  record: ExecutionLine,
  code: Cell,
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock'>,
): Promise<string> {
  const input = {
    ...commonInputs(recording, record),
    shardAccount: withCode(record, code),
    lt: BigInt(record.lt),
    seed: Buffer.from(record.seed ?? '', 'hex'),
    ignoreSignatures: record.ignoreSignatures ?? false,
    verbosity: 'short' as const,
  };
  const outcome =
    record.kind === 'message'
      ? await emulator.runTransaction({ ...input, message: messageCell(record)!.toBoc().toString('base64') })
      : await emulator.runTickTock({ ...input, which: record.kind });
  if (!outcome.success) {
    return `refused ${outcome.vm?.exitCode}`;
  }
  const { description, outMessages, totalFees, endStatus } = loadAnyTransaction(
    Cell.fromBase64(outcome.transaction),
  );
  const { account } = loadFolded(Cell.fromBase64(outcome.shardAccount), loadShardAccount);
  const state = account?.storage.state;
  const data = state?.type === 'active' ? (state.state.data?.hash().toString('hex') ?? '') : '';
  const compute = computePhaseOf({ description });
  const action = actionPhaseOf({ description });
  return JSON.stringify([
    compute?.type === 'vm' ? [compute.exitCode, String(compute.gasUsed), compute.vmSteps] : compute?.reason,
    action === undefined ? null : [action.resultCode, action.totalActions, String(action.actionListHash)],
    [...outMessages.values()].map(messageText),
    ...[endStatus, String(totalFees.coins), String(account?.storage.balance.coins ?? 0n), data],
  ]);
}

function messageText({ info, body }: Message): string {
  const value = info.type === 'internal' ? info.value.coins : 0n;
  return `${String(info.dest)} ${value} ${body.hash().toString('hex')}`;
}

/** The message of a record; undefined for a tick or a tock. */
function messageCell({ transaction, message }: ExecutionLine): Cell | undefined {
  if (message !== undefined) {
    return checkedCell(message);
  }
  return transaction === undefined ? undefined : pastMessage(checkedCell(transaction));
}

/** Code and data that a record runs with: those of the account, or of the state that the message deploys. */
function initialOf(record: ExecutionLine): { code: Cell; data: Cell } | undefined {
  const message = messageCell(record);
  const { code, data } = (message && loadAnyMessage(message)?.init) ?? {};
  return codeBefore(record) ?? (code == null ? undefined : { code, data: data ?? Cell.EMPTY });
}

/**
 * The account before a record, with another code. What the message would deploy is there already, because its address is
 * that of the old code.
 */
function withCode(record: ExecutionLine, code: Cell): string {
  const before = loadFolded(checkedCell(record.state), loadShardAccount);
  const data = initialOf(record)?.data ?? Cell.EMPTY;
  const there: Account = before.account ?? {
    addr: Address.parse(recordedAccount(record)),
    storageStats: { used: { cells: 0n, bits: 0n }, lastPaid: record.now, storageExtra: null },
    storage: { lastTransLt: before.lastTransactionLt, balance: { coins: 0n }, state: { type: 'uninit' } },
  };
  const was = there.storage.state;
  const state = { ...(was.type === 'active' ? was.state : {}), code, data };
  const account = { ...there, storage: { ...there.storage, state: { type: 'active' as const, state } } };
  return beginCell()
    .store(storeShardAccount({ ...before, account }))
    .endCell()
    .toBoc()
    .toString('base64');
}
