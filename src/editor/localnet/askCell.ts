import type { Cell } from '@ton/core';
import { accountsByName } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import { codeLookUp, compiledCodes } from '../project/codeLookUp';
import type { Services } from '../project/services';
import { askText } from '../ui/askText';
import { inputReason } from '../../toolkit/base/text';

/** A cell, and the text the user typed for it. */
export interface AskedCell {
  text: string;
  cell: Cell;
}

/**
 * Asks for one cell in stack text: `b(addr @alice, i64 0)`, `cell te6cc…`. Errors are shown while typing.
 * @returns undefined if the user canceled
 */
export async function askCell(
  services: Services,
  texts: { title: string; prompt: string; value: string },
): Promise<AskedCell | undefined> {
  const { parseOneCell } = await import('../../toolkit/stack/parseOneCell');
  const local = services.networks.local();
  const read = (text: string): Cell =>
    parseOneCell(text, {
      accounts: accountsByName(services, local),
      codes: compiledCodes(services),
    });
  const text = await askText({
    ...texts,
    placeholder: 'b(…)',
    validate: (typed) => {
      try {
        read(typed);
        return undefined;
      } catch (error) {
        return inputReason(error);
      }
    },
    lookUp: codeLookUp(services, domainLookUp(services, local)),
  });
  return typeof text === 'string' ? { text: text.trim(), cell: read(text) } : undefined;
}
