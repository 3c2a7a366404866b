import type { TupleItem } from '@ton/core';
import { Address } from '@ton/core';
import { rawAddress } from '../../cell/light/readMessage';

/** An address in a stack entry; null for addr_none or anything else. */
export function readStackAddress(item: TupleItem): string | null {
  if (item.type !== 'slice' && item.type !== 'cell') {
    return null;
  }
  const address = item.cell.beginParse().loadAddressAny();
  return Address.isAddress(address) ? rawAddress(address.workChain, address.hash) : null;
}
