import { mkdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { installClients } from '../../scripts/lib/installClients.mjs';

/** Puts the compilers of FunC (with debug information) and of Tact into a project's folder. */
export async function linkCompilers(folder: string): Promise<void> {
  const own = createRequire(import.meta.url).resolve('@ton-community/func-js');
  const packages = {
    '@ton-community/func-js': own.slice(0, own.lastIndexOf('func-js') + 'func-js'.length),
    '@tact-lang/compiler': path.join(await installClients(), 'node_modules/@tact-lang/compiler'),
  };
  for (const [name, target] of Object.entries(packages)) {
    const link = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(target, link, 'junction');
  }
}
