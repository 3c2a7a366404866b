import { appendFileSync } from 'node:fs';

/** The result of a measurement. */
export interface BenchRow {
  name: string;
  ours: number;
  /** The same for a peer, measured in the same run; undefined if there is none. */
  peer?: number;
  peerName?: string;
  unit: string;
  /**
   * `>= 0.8`: for the ratio ours/peer. `<= 5 ms`: for ours alone. `<= 10 ms more`: for ours minus peer.
   * Undefined: no goal.
   */
  goal?: string;
}

/** A row as written by `npm run bench -- --json FILE`. */
export interface BenchResult {
  name: string;
  ours: number;
  peer: number | null;
  peerName: string | null;
  unit: string;
  /** ours / peer. */
  ratio: number | null;
  goal: string | null;
  /** null without a goal. */
  met: boolean | null;
}

/**
 * Passes rows to the runner (scripts/bench.mjs); if run directly, prints them.
 * @throws if a goal has an unknown form, or needs a peer that is missing
 */
export function report(rows: BenchRow[]): void {
  const results = rows.map((row): BenchResult => {
    const { name, ours, peer, peerName, unit, goal } = row;
    return {
      name,
      ours,
      peer: peer ?? null,
      peerName: peerName ?? null,
      unit,
      ratio: peer === undefined || peer === 0 ? null : ours / peer,
      goal: goal ?? null,
      met: goal === undefined ? null : isMet(row, goal),
    };
  });
  const lines = results.map((result) => `${JSON.stringify(result)}\n`).join('');
  const file = process.env['TONWB_BENCH_RESULT'];
  if (file === undefined) {
    process.stdout.write(lines);
  } else {
    appendFileSync(file, lines);
  }
}

function isMet({ ours, peer, unit }: BenchRow, goal: string): boolean {
  const [, sign, limit, rest = ''] = /^(<=|>=) ([\d.]+)(?: (.+))?$/.exec(goal) ?? [];
  const forms = new Map([
    ['', peer === undefined ? NaN : ours / peer],
    [unit, ours],
    [`${unit} more`, peer === undefined ? NaN : ours - peer],
  ]);
  const value = forms.get(rest) ?? NaN;
  if (sign === undefined || Number.isNaN(value)) {
    throw new Error(`The goal "${goal}" cannot be judged with what was measured.`);
  }
  return sign === '<=' ? value <= Number(limit) : value >= Number(limit);
}
