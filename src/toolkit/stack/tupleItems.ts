import type { TupleItem } from '@ton/core';
import type { StackValue } from './stackValue';
import { notCarriedError } from './wireValue';

/**
 * Stack values in the form of @ton/core. A list is nested pairs that end with null, as TVM keeps it.
 * @throws WorkbenchError `stack-value-not-carried` (input) for a value that cannot be an argument
 */
export function tupleItems(values: readonly StackValue[]): TupleItem[] {
  return values.map(tupleItem);
}

function tupleItem(value: StackValue): TupleItem {
  switch (value.type) {
    case 'tuple':
      return { type: 'tuple', items: tupleItems(value.items) };
    case 'list':
      return value.items.reduceRight<TupleItem>(
        (tail, head) => ({ type: 'tuple', items: [tupleItem(head), tail] }),
        { type: 'null' },
      );
    case 'unsupported':
      throw notCarriedError(value);
    default:
      return value;
  }
}
