import { endProcess } from './cleanUp.mjs';
import { parentOf } from './processTree.mjs';

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * npm starts a shell, and that starts us; npm or the shell may be ended without telling us. Then this process ends too,
 * with all it has started.
 */
export const endWithParent = async () => {
  if (process.env['npm_lifecycle_event'] === undefined) {
    return;
  }
  const parent = process.ppid;
  const npm = await parentOf(parent).catch(() => undefined);
  setInterval(() => {
    if (process.ppid !== parent || (npm !== undefined && npm > 1 && !isAlive(npm))) {
      void endProcess(143);
    }
  }, 300).unref();
};
