/** What the entries of a list of actions (c5) begin with (block.tlb, OutAction). */
export const actionTags = {
  sendMessage: 0x0ec3c86d,
  reserve: 0x36e6b809,
  setCode: 0xad4de08e,
  changeLibrary: 0x26fa1dd4,
} as const;
