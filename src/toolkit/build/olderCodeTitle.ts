import { clockTime } from '../base/text';

/** Where and when codes were read that are not kept current. */
export interface CodeReading {
  /** Name of the network. */
  network: string;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * The mark for deployed contracts whose code was compiled from an earlier text of their source:
 * `Counter runs older code`, `Counter on Testnet runs older code (read 12:04:11)`.
 *
 * @param names of the contracts
 * @param reading undefined if the codes are kept current
 * @param now milliseconds since 1970; a reading of another day is shown with its date
 */
export function olderCodeTitle(
  names: readonly string[],
  reading: CodeReading | undefined,
  now: number,
): string {
  const who = names.length > 2 ? `${names.length} contracts` : names.join(' and ');
  const where = reading === undefined ? '' : ` on ${reading.network}`;
  const when = reading === undefined ? '' : ` (read ${timeOf(reading.at, now)})`;
  return `${who}${where} ${names.length === 1 ? 'runs' : 'run'} older code${when}`;
}

function timeOf(at: number, now: number): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${isToday ? '' : `${day} `}${clockTime(at / 1000)}`;
}

/** `code JettonWallet`, `code contracts/wallet.tolk`: what follows is no cell in another form. */
const named = /(?<=^|[\s,:(])code\s{1,20}(?=([\p{L}_][\p{L}\d_./-]{0,200}))/gu;

/** The names of contracts whose codes a text to parse uses, without those that only begin another form of a cell. */
export function codeNamesIn(text: string): string[] {
  const names = [...text.matchAll(named)].flatMap(([, name = '']) =>
    /^(?:cell|slice|file|str|b|x|code|data|te6cc.*|b5ee9c.*)$/i.test(name) ? [] : [name],
  );
  return [...new Set(names)];
}
