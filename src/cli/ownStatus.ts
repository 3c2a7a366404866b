import { perRun } from './surroundings';

const status = perRun<{ own?: number }>(() => ({}));

/** Lets the running command end with the exit status of a program that it has run. */
export function endWith(own: number): void {
  status().own = own;
}

/** The status that the command has chosen; 0 otherwise. */
export function ownStatus(): number {
  return status().own ?? 0;
}
