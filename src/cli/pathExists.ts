import { access } from 'node:fs/promises';

/** Whether there is a file or folder. */
export function pathExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
