import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { pace } from '../../../scripts/lib/pace.mjs';
import { installClients } from '../../../scripts/lib/installClients.mjs';

const run = promisify(execFile);

/** A project in an empty folder, with @ton/blueprint and the compilers of each language in its `node_modules`. */
export class BlueprintProject {
  private constructor(readonly folder: string) {}

  static async create(): Promise<BlueprintProject> {
    const folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-blueprint-'));
    const clients = await installClients();
    await symlink(path.join(clients, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      '{ "compilerOptions": { "target": "ES2020", "module": "commonjs", "esModuleInterop": true, "skipLibCheck": true } }\n',
    );
    return new BlueprintProject(folder);
  }

  /** Runs Blueprint as the project's author would; answers what it printed. */
  async run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
    const program = path.join(this.folder, 'node_modules/@ton/blueprint/dist/cli/cli.js');
    const { stdout } = await run(process.execPath, [program, ...args], {
      cwd: this.folder,
      timeout: 120_000 * pace,
      env: { ...process.env, ...environment, HOME: this.folder },
    });
    return stdout;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
