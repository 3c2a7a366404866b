import { FolderLock } from '../../../../../src/toolkit/base/journal/folderLock';
import { WorkbenchError } from '../../../../../src/toolkit/base/errors';

/*
 * A process of its own: takes the lock of a folder, says whether it has it, and holds it until its stdin says so.
 * takeLock FOLDER [together]: with `together` it says that it is ready, reads a time (ms since the epoch), and spins until
 * then, so that many take it at once.
 */
const [folder = '', together] = process.argv.slice(2);
if (together !== undefined) {
  const at = new Promise<number>((resolve) => process.stdin.once('data', (text) => resolve(Number(text))));
  console.log('ready');
  const start = await at;
  while (Date.now() < start) {
    // All begin in the same instant.
  }
}
try {
  const lock = await FolderLock.take(folder, {
    inUse: ({ pid }, state) =>
      new WorkbenchError({
        code: 'localnet-state-in-use',
        kind: 'input',
        message: `process ${pid}, ${state}`,
      }),
  });
  console.log('taken');
  process.stdin.on('data', (command) => {
    switch (command.toString().trim()) {
      case 'held?':
        console.log(lock.isHeld ? 'held' : 'lost');
        return;
      case 'release':
        lock.release();
        console.log('released');
        process.exit(0);
    }
  });
} catch (error) {
  console.log(
    WorkbenchError.is(error, 'localnet-state-in-use')
      ? `refused: ${error.message}`
      : `failed: ${String(error)}`,
  );
  process.exit(0);
}
