import { endProcess } from './cleanUp.mjs';

/**
 * npm may be ended without telling what it started. Then this process has a new parent, and ends too.
 */
export const endWithParent = () => {
  if (process.env['npm_lifecycle_event'] === undefined) {
    return;
  }
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) {
      void endProcess(143);
    }
  }, 300).unref();
};
