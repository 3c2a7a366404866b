import type { Cell } from '@ton/core';
import { WorkbenchError } from '../../toolkit/errors';
import { localAccounts } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { askText } from '../ui/askText';

/** A cell as the user wrote it. */
export interface AskedCell {
  text: string;
  cell: Cell;
}

/**
 * Asks for one cell in stack text: `b(addr @alice, i64 0)`, `cell te6cc…`; what is wrong is said as it is typed.
 * @returns undefined when the user left
 */
export async function askCell(
  services: Services,
  texts: { title: string; prompt: string; value: string },
): Promise<AskedCell | undefined> {
  const { parseStackText } = await import('../../toolkit/stack/parseStackText');
  const accounts = new Map(localAccounts(services).map(({ name, address }) => [name, address]));
  const read = (text: string): Cell => {
    const [value, ...more] = parseStackText(text, { accounts });
    if (value === undefined || more.length > 0 || !('cell' in value)) {
      throw new WorkbenchError({
        code: 'not-one-cell',
        kind: 'input',
        message: 'This is one cell: b(…), or cell te6cc…; b() is an empty one.',
      });
    }
    return value.cell;
  };
  const text = await askText({
    ...texts,
    placeholder: 'b(…)',
    validate: (typed) => {
      try {
        read(typed);
        return undefined;
      } catch (error) {
        return problemOf(error);
      }
    },
  });
  return typeof text === 'string' ? { text: text.trim(), cell: read(text) } : undefined;
}

function problemOf(error: unknown): string {
  if (!WorkbenchError.is(error)) {
    return String(error);
  }
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  return `${place}${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`;
}
