import { accountCommands } from './accountCommands';
import { blockCommands } from './blockCommands';
import type { ControlCommands } from './controlCommand';
import { dumpCommands } from './dumpCommands';
import { failureCommands } from './failureCommands';
import { serverCommands } from './serverCommands';

/** The implementation of each control API command. */
export const controlCommands: ControlCommands = {
  ...serverCommands,
  ...accountCommands,
  ...blockCommands,
  ...failureCommands,
  ...dumpCommands,
};
