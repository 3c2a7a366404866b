import { say } from './say.mjs';

/** @type {Set<() => unknown>} */
const pending = new Set();
let installed = false;
let ending = false;

/** Runs what is pending, newest first; a failure does not stop the rest. */
const runPending = async () => {
  for (const callback of [...pending].reverse()) {
    pending.delete(callback);
    try {
      await callback();
    } catch (error) {
      say(`Cleaning up: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
};

/** @returns {boolean} whether this process is about to end */
export const isEnding = () => ending;

/**
 * Cleans up and ends this process.
 * @param {number} code
 * @returns {Promise<never>}
 */
export const endProcess = async (code) => {
  if (ending) {
    return new Promise(() => undefined);
  }
  ending = true;
  const limit = setTimeout(() => process.exit(code || 1), 15_000);
  await runPending();
  clearTimeout(limit);
  process.exit(code);
};

const install = () => {
  installed = true;
  const signals = /** @type {const} */ ({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 });
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => void endProcess(code));
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    // A test runner has its own listeners for these signals and goes on; then the process is not ending.
    process.on(event, (error) => {
      if (process.listenerCount(event) === 1) {
        say(error instanceof Error ? (error.stack ?? error.message) : String(error));
        void endProcess(1);
      }
    });
  }
};

/**
 * Registers cleanup for when this process ends, including by a signal or an uncaught exception.
 * @param {() => unknown} callback
 * @returns {() => void} unregisters it, once the normal cleanup has run
 */
export const onEnd = (callback) => {
  if (!installed) {
    install();
  }
  pending.add(callback);
  return () => void pending.delete(callback);
};
