import { opcodeOf } from '../opcodes/opcodes';

/** First 32 bits of the messages of TEP-74. */
export const jettonOpcodes = {
  transfer: opcodeOf('jetton_transfer'),
  internalTransfer: opcodeOf('jetton_internal_transfer'),
  notify: opcodeOf('jetton_notify'),
  burn: opcodeOf('jetton_burn'),
  burnNotification: opcodeOf('jetton_burn_notification'),
} as const;
