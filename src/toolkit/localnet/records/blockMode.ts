/** When blocks are made: some time after a message arrives, regularly, or only when told to. Milliseconds. */
export type BlockMode =
  { kind: 'automatic'; delay: number } | { kind: 'interval'; every: number } | { kind: 'manual' };
