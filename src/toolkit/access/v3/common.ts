import { choice, int64, integer, time } from '../endpoint/parameter';

/** Parameters that many v3 endpoints share. */

export const limit = integer('Maximum number of rows.', { minimum: 1, usualMaximum: 1000, default: 10 });
export const offset = integer('Number of rows to skip.', { minimum: 0, default: 0 });
export const page = { limit, offset };

/** The order of rows. */
export const sort = choice('Order; desc is newest (or largest) first.', ['asc', 'desc'], {
  default: 'desc',
});

/** Inclusive ranges in Unix seconds and logical time. */
export const ranges = {
  start_utime: time('From this time, in Unix seconds.'),
  end_utime: time('Up to this time, in Unix seconds.'),
  start_lt: int64('From this logical time.', { minimum: 0 }),
  end_lt: int64('Up to this logical time.', { minimum: 0 }),
};
