/** JSON as it is about to be written. */
export type Json = Record<string, unknown>;
