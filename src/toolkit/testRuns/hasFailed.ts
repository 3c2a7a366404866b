import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import { isSuccessCode } from '../isSuccessCode';
import { checkedCell } from './recordInputs';
import type { TestRecord } from './testRecording';

/** Whether the code of a record threw, its actions failed, or there is no transaction. */
export function hasFailed(record: TestRecord): boolean {
  if (record.kind === 'get') {
    return record.exit === undefined || !isSuccessCode(record.exit);
  }
  if (record.transaction === undefined) {
    return true;
  }
  const { description } = loadAnyTransaction(checkedCell(record.transaction));
  return 'aborted' in description && description.aborted;
}
