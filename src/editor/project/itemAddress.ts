import type { AccountRow } from '../../commandTargets';

/** The raw address of a row or text. */
export function itemAddress(given: string | AccountRow | undefined): string | undefined {
  return typeof given === 'string' ? given : given?.account.address;
}
