import { endProcess } from './cleanUp.mjs';
import { isRunning, parentOf } from './processTree.mjs';

/**
 * npm starts a shell, and that starts us; either may be killed without notice. Then this process ends too, with
 * everything it started.
 */
export const endWithParent = async () => {
  if (process.env['npm_lifecycle_event'] === undefined) {
    return;
  }
  const parent = process.ppid;
  const npm = await parentOf(parent).catch(() => undefined);
  const check = async () => {
    if (process.ppid !== parent || (npm !== undefined && npm > 1 && !(await isRunning(npm)))) {
      await endProcess(143);
    }
  };
  setInterval(() => void check(), 500).unref();
};
