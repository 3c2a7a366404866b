import type { ChainReport } from '../chain/checkAgainstChain';

/** What a check of a delivery against the chain has shown. */
export interface ChainSighting {
  /** The network that was asked. */
  network: string;
  /** `absent`: the network knows no such payment; `undone`: not any more, because it went back to an earlier block. */
  result: 'same' | 'differs' | 'absent' | 'undone';
  /** Time of the payment on the chain, ISO 8601; null if unknown. */
  time: string | null;
}

/** The result of a check, as the board keeps it. */
export function chainSighting({ ok, fields }: ChainReport, network: string): ChainSighting {
  const differs = fields.some(({ verdict }) => verdict === 'differs');
  const time = fields.find(({ field }) => field === 'time')?.chain ?? null;
  return { network, result: ok ? 'same' : differs ? 'differs' : 'absent', time };
}
