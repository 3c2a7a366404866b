import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import { isSuccessCode } from '../isSuccessCode';
import { checkedCell, readPart } from './recordInputs';
import type { TestRecord } from './testRecording';

/**
 * Whether the code of a record threw, its actions failed, or there is no transaction.
 * @throws WorkbenchError `test-recording-invalid` (input), `over-limit`
 */
export function hasFailed(record: TestRecord): boolean {
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
