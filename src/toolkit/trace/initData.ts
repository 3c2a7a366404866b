import { Cell } from '@ton/core';

import type { V3Message } from '../api/v3Objects';

/** The data that a message carries for a new contract: the second reference of its state init. */
export function initData(message: V3Message): Cell | undefined {
  const boc = message.init_state?.body;
  try {
    return typeof boc === 'string' ? Cell.fromBase64(boc).refs[1] : undefined;
  } catch {
    return undefined;
  }
}
