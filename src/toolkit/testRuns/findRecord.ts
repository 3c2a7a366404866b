import { loadAnyTransaction } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import { isSuccessCode } from '../contracts/standardExitCode';
import { groupBy } from '../base/collections';
import { visibleText } from '../base/text';
import { checkedCell, readPart } from './recordInputs';
import type { TestRecord, TestRecording } from './testRecording';

/**
 * The record that a text names: its number (`12`), a test (`Till rolls a die`, or a part of its name that no other has)
 * for what it was about, or one of its records (`Till rolls a die:2`).
 *
 * @throws WorkbenchError `test-record-unknown` (input)
 */
export function findRecord({ records, header }: TestRecording, what: string): TestRecord {
  if (/^\d+$/.test(what)) {
    const record = records[Number(what) - 1];
    if (record === undefined) {
      throw unknownError(`${header.file} has ${records.length} records, and none is number ${what}`);
    }
    return record;
  }
  const whole = recordsOfTest(records, what);
  const [, name = what, number] = whole.length > 0 ? [] : (/^(.*):(\d+)$/s.exec(what) ?? []);
  const found = whole.length > 0 ? whole : recordsOfTest(records, name);
  if (found.length === 0) {
    const names = [...new Set(records.map(({ test }) => test).filter((test) => test?.includes(name)))];
    throw unknownError(
      names.length > 1
        ? `several tests have ${JSON.stringify(name)} in their names: ${names.slice(0, 3).join('; ')}`
        : `no test of ${header.file} that ran code has ${JSON.stringify(name)} in its name`,
    );
  }
  const record = number === undefined ? aboutRecord(found) : found[Number(number) - 1];
  if (record === undefined) {
    throw unknownError(`${JSON.stringify(name)} has ${found.length} records, and none is number ${number}`);
  }
  return record;
}

/**
 * Finds the record of a transaction by its hash (lowercase hex). The recording is gone through when it is first asked.
 *
 * @param near tests that begin alike have the same transactions: then that of its chain is meant
 */
export function transactionFinder(
  { records }: Pick<TestRecording, 'records'>,
  near: Pick<TestRecord, 'chain'>,
): (hash: string) => TestRecord | undefined {
  let found: ReadonlyMap<string, readonly TestRecord[]> | undefined;
  const read = (): ReadonlyMap<string, readonly TestRecord[]> =>
    groupBy(
      records.filter((one) => one.kind !== 'get' && one.transaction !== undefined),
      (one) => hashOf(one) ?? '',
    );
  return (hash) => {
    const all = (found ??= read()).get(hash) ?? [];
    return all.find(({ chain }) => chain === near.chain) ?? all[0];
  };
}

function hashOf(record: TestRecord): string | undefined {
  const boc = record.kind === 'get' ? undefined : record.transaction;
  return boc === undefined
    ? undefined
    : readPart('transaction', () => checkedCell(boc).hash().toString('hex'));
}

/** The records of the one test with this name, or with this in its name; empty if there is none, or more than one. */
function recordsOfTest(records: readonly TestRecord[], name: string): readonly TestRecord[] {
  const same = records.filter(({ test }) => test === name);
  if (same.length > 0) {
    return same;
  }
  const alike = records.filter(({ test }) => test?.includes(name));
  return new Set(alike.map(({ test }) => test)).size === 1 ? alike : [];
}

/**
 * What a failed test was most likely about: a test ends where it fails, so its last call; of the transactions of that
 * call the first that failed.
 *
 * @param records of one test, of which there is at least one
 */
export function aboutRecord(records: readonly TestRecord[]): TestRecord | undefined {
  const last = records.at(-1);
  const group = records.slice(records.findLastIndex((one) => !isSameCall(one, last)) + 1);
  return group.find(hasFailed) ?? last;
}

/** Whether two records come from the same line of the test and the same instance of `Blockchain`. */
function isSameCall(one: TestRecord, other: TestRecord | undefined): boolean {
  return (
    one.chain === other?.chain &&
    one.at?.line === other.at?.line &&
    one.at?.column === other.at?.column &&
    one.at?.file === other.at?.file
  );
}

function unknownError(what: string): WorkbenchError {
  return new WorkbenchError({
    code: 'test-record-unknown',
    kind: 'input',
    message: `There is no such record: ${visibleText(what, 400)}.`,
    hint: 'Write FILE.tontests#12 for its 12th record, or FILE.tontests#NAME for a test.',
  });
}

/**
 * Whether the code of a record threw, its actions failed, or there is no transaction.
 * @throws WorkbenchError `test-recording-invalid` (input), `over-limit`
 */
function hasFailed(record: TestRecord): boolean {
  if (record.kind === 'get') {
    return record.exit === undefined || !isSuccessCode(record.exit);
  }
  const { transaction } = record;
  if (transaction === undefined) {
    return true;
  }
  const { description } = readPart('transaction', () => loadAnyTransaction(checkedCell(transaction)));
  return 'aborted' in description && description.aborted;
}
