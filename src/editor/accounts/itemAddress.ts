import type { AccountRow } from '../../commandArguments';

/** The raw address that a row, or a text, stands for. */
export function itemAddress(given: string | AccountRow | undefined): string | undefined {
  return typeof given === 'string' ? given : given?.account.address;
}
