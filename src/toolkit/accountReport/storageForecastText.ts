import { formatTable } from '../base/formatTable';
import { counted, formatCoins, formatTime } from '../trace/figures';
import type { StorageForecast } from './storageForecast';

/** Renders a forecast of storage fees as lines, unindented; none for an account that does not exist. */
export function storageForecastText(forecast: StorageForecast | undefined, coin: string): string[] {
  if (forecast === undefined) {
    return [];
  }
  if (forecast.isSpecial) {
    return ["It is one of the masterchain's special accounts: it pays nothing, and is never frozen."];
  }
  const { owed, balance, yearly, used, lastPaid, doubts } = forecast;
  const coins = (amount: bigint): string => `${formatCoins(amount)} ${coin}`;
  const covered =
    owed <= balance ? 'its balance covers that' : `${coins(owed - balance)} more than its balance`;
  const rows = [
    ['charged until', lastPaid === undefined ? 'its next transaction begins to count' : formatTime(lastPaid)],
    ['owes', `${coins(owed)}, ${covered}`],
    ['a year costs', `${coins(yearly)}  (${sizeText(used)})`],
    ['balance lasts', lastsText(forecast)],
    ...(forecast.status === 'active' ? [['is frozen', frozenText(forecast, coins)]] : []),
    ['is deleted', deletedText(forecast, coins)],
  ];
  return [
    ...formatTable(rows, ['left', 'left']),
    ...(forecast.freezesFrom === undefined && forecast.deletesFrom === undefined
      ? []
      : ['Only a transaction does that. The coins of a bounceable message come too late to prevent it.']),
    ...doubts,
  ];
}

/**
 * How long an account lives, for a line above its source: `lives until 2027-03-04 at today's prices`. Undefined if there is
 * nothing to say: it has no code, or pays nothing.
 */
export function storageForecastTitle({
  status,
  isSpecial,
  time,
  freezesFrom,
  deletesFrom,
}: StorageForecast): string | undefined {
  if (isSpecial || status === 'uninit') {
    return undefined;
  }
  const today = "at today's prices";
  const day = (moment: number): string => formatTime(moment).slice(0, 10);
  if (status === 'frozen') {
    return deletesFrom !== undefined && deletesFrom > time
      ? `frozen; can be deleted from ${day(deletesFrom)} ${today}`
      : deletesFrom === undefined
        ? 'frozen'
        : 'frozen; its next transaction deletes it';
  }
  if (freezesFrom === undefined) {
    return `lives until 2106 or longer ${today}`;
  }
  return freezesFrom > time ? `lives until ${day(freezesFrom)} ${today}` : 'its next transaction freezes it';
}

/** `9 cells, 3 130 bits` */
export function sizeText({ cells, bits }: StorageForecast['used']): string {
  return `${counted(Number(cells), 'cell')}, ${counted(Number(bits), 'bit')}`;
}

const beyond = 'not before 2106, when block times end';

function lastsText({ uncoveredFrom, time }: StorageForecast): string {
  if (uncoveredFrom === undefined) {
    return 'until 2106, when block times end, or longer';
  }
  return uncoveredFrom > time
    ? `until ${formatTime(uncoveredFrom)}`
    : `no longer, since ${formatTime(uncoveredFrom)}`;
}

function frozenText(
  { freezesFrom, time, freezeDueLimit }: StorageForecast,
  coins: (amount: bigint) => string,
): string {
  return freezesFrom === undefined
    ? beyond
    : `${fromText(freezesFrom, time)}, with a debt of more than ${coins(freezeDueLimit)}`;
}

function deletedText(
  { status, time, freezesFrom, deletesFrom, deletesEarliest, deleteDueLimit }: StorageForecast,
  coins: (amount: bigint) => string,
): string {
  const earliest =
    deletesEarliest === undefined
      ? ''
      : `; ${fromText(deletesEarliest, time)} at the earliest, if frozen later`;
  if (deletesFrom === undefined) {
    return `${beyond}${earliest}`;
  }
  if (status === 'uninit') {
    return `${fromText(deletesFrom, time)}, without a balance`;
  }
  return freezesFrom !== undefined && deletesFrom === freezesFrom
    ? 'by the transaction after that one'
    : `${fromText(deletesFrom, time)}, with a debt of more than ${coins(deleteDueLimit)}${earliest}`;
}

function fromText(moment: number, time: number): string {
  return moment <= time ? 'by its next transaction' : `from ${formatTime(moment)}`;
}
