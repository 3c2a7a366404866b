/** First 32 bits of the messages of TEP-74. */
export const jettonOpcodes = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  notify: 0x7362d09c,
  burn: 0x595f07bc,
  burnNotification: 0x7bdd97de,
} as const;
