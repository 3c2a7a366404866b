/** When blocks are made: some time after a message arrives, at intervals, or only on request. Milliseconds. */
export type BlockMode =
  { kind: 'automatic'; delay: number } | { kind: 'interval'; every: number } | { kind: 'manual' };
