/**
 * How long a window may take for what a test waits for, in milliseconds. Two or three windows share two cores: a wait that
 * is long enough for one alone would fail for the neighbor's sake.
 */
export const patience = 40_000;
