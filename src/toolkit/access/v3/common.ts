import { choice, int64, integer, time } from '../endpoint/parameter';

/** Parameters that many v3 endpoints share. */

export const limit = integer('How many rows at most.', { minimum: 1, usualMaximum: 1000, default: 10 });
export const offset = integer('How many rows to skip.', { minimum: 0, default: 0 });
export const page = { limit, offset };

/** The order of rows. */
export const sort = choice('Order: newest (or greatest) first with desc.', ['asc', 'desc'], {
  default: 'desc',
});

/** Inclusive ranges in Unix seconds and logical time. */
export const ranges = {
  start_utime: time('From this time on, Unix seconds.'),
  end_utime: time('Up to this time, Unix seconds.'),
  start_lt: int64('From this logical time on.', { minimum: 0 }),
  end_lt: int64('Up to this logical time.', { minimum: 0 }),
};
