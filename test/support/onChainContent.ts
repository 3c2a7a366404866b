import { createHash } from 'node:crypto';
import type { Cell } from '@ton/core';
import { Dictionary, beginCell } from '@ton/core';

/** Token content that is on the chain (TEP-64): a dictionary of attributes, each in snake form. */
export function onChainContent(attributes: Readonly<Record<string, string>>): Cell {
  const entries = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  for (const [name, text] of Object.entries(attributes)) {
    const value = beginCell().storeUint(0, 8).storeStringTail(text).endCell();
    entries.set(createHash('sha256').update(name).digest(), value);
  }
  return beginCell().storeUint(0, 8).storeDict(entries).endCell();
}
