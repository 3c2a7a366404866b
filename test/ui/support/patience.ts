import { pace } from '../../../scripts/lib/pace.mjs';

/**
 * How long a window may take for what a test waits for, in milliseconds. Two or three windows share two cores: a wait that
 * is long enough for one alone would fail for the neighbor's sake.
 */
export const patience = 60_000 * pace;

/** How long one of several attempts may take, in milliseconds; `ms` is enough on the reference machine. */
export const attempt = (ms: number): number => ms * pace;
