import * as z from 'zod';
import { jsonFacts } from '../base/jsonFacts';
import type { StorageForecast } from './storageForecast';

const size = {
  cells: z.int().describe('Distinct cells.'),
  bits: z.int(),
  yearly: jsonFacts.nanocoins.describe('For 365 days, at the prices of that moment.'),
};

const moment = jsonFacts.unixTime.nullable();

/** The schema of a forecast of storage fees. */
export const storageForecastSchema = z.strictObject({
  time: jsonFacts.unixTime.describe("The moment that it is about, by the network's clock."),
  ...size,
  lastPaid: moment.describe('Null: its next transaction begins to count.'),
  owed: jsonFacts.nanocoins.describe('What a transaction at that moment would charge, the debt included.'),
  debt: jsonFacts.nanocoins.describe('What its last transaction left.'),
  special: z.boolean().describe("It is one of the masterchain's special accounts, which pay nothing."),
  uncoveredFrom: moment.describe(
    'From when it owes more than its balance. Null: not before block times end.',
  ),
  freezesFrom: moment.describe('From when a transaction that brings no coins freezes it.'),
  deletesFrom: moment.describe(
    'From when one deletes it; if it is active, one that froze it at freezesFrom.',
  ),
  deletesEarliest: moment.describe('From when, if it is frozen later than that and so deleted sooner.'),
  freezeDueLimit: jsonFacts.nanocoins,
  deleteDueLimit: jsonFacts.nanocoins,
  doubts: z.array(z.string()).describe('Why the figures may be inexact.'),
  after: z
    .strictObject(size)
    .nullable()
    .describe('After the message of --after; null without one, or if it does not exist then.'),
});

/**
 * A forecast as JSON for programs.
 *
 * @param after the same account after a message
 */
export function storageForecastJson(
  forecast: StorageForecast,
  after: StorageForecast | undefined,
): z.infer<typeof storageForecastSchema> {
  return {
    time: forecast.time,
    ...sizeJson(forecast),
    lastPaid: forecast.lastPaid ?? null,
    owed: forecast.owed.toString(),
    debt: forecast.debt.toString(),
    special: forecast.isSpecial,
    uncoveredFrom: forecast.uncoveredFrom ?? null,
    freezesFrom: forecast.freezesFrom ?? null,
    deletesFrom: forecast.deletesFrom ?? null,
    deletesEarliest: forecast.deletesEarliest ?? null,
    freezeDueLimit: forecast.freezeDueLimit.toString(),
    deleteDueLimit: forecast.deleteDueLimit.toString(),
    doubts: [...forecast.doubts],
    after: after === undefined ? null : sizeJson(after),
  };
}

function sizeJson({ used, yearly }: StorageForecast): { cells: number; bits: number; yearly: string } {
  return { cells: Number(used.cells), bits: Number(used.bits), yearly: yearly.toString() };
}
