import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sourceLanguage } from '../../src/toolkit/contracts/abi/sourceLanguage';
import { plainName } from '../../src/toolkit/contracts/abi/projectContract';
import { readBuiltContract } from '../../src/toolkit/build/readBuiltContract';
import type { Compilation } from '../../src/toolkit/project/projectDescription';
import { WorkbenchError } from '../../src/toolkit/base/errors';

/** A code that the project's own tools give for a contract. */
export interface OwnBuild {
  /** Lowercase hex. */
  codeHash: string;
  /** Which tool, or which file. */
  by: string;
}

/** Milliseconds for one run of a compiler. */
const patience = 120_000;

/**
 * The codes that the compilers in a project's `node_modules` give when their own programs are run, by {@link plainName}; a
 * file with one contract has it under its own name, too. Nothing is written into the project.
 *
 * @param file absolute
 * @param targets what FunC's compiler is given
 */
export async function ownBuilds(
  file: string,
  root: string,
  { targets }: Pick<Compilation, 'targets'>,
): Promise<Map<string, OwnBuild>> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'ton-workbench-own-'));
  const output = path.join(scratch, 'out.json');
  const bin = (name: string): string => path.join(root, 'node_modules/.bin', name);
  const run = async (name: string, args: readonly string[], cwd: string): Promise<void> => {
    await promisify(execFile)(process.execPath, [bin(name), ...args], { cwd, timeout: patience });
  };
  const relative = (one: string): string => path.relative(root, one).replaceAll('\\', '/');
  const found = new Map<string, OwnBuild>();
  const keep = (name: string, text: string, by: string): void => {
    const { codeHash } = readBuiltContract(text, name);
    found.set(plainName(name), { codeHash, by });
  };
  const name = path.basename(file).replace(/\.\w+$/, '');
  try {
    switch (sourceLanguage(file)) {
      case 'tolk':
        await run('tolk-js', ['--output-json', output, '--cwd', root, relative(file)], root);
        keep(name, readFileSync(output, 'utf8'), 'tolk-js');
        break;
      case 'func':
        await run('func-js', [...targets.map(relative), '--artifact', output], root);
        keep(name, readFileSync(output, 'utf8'), 'func-js');
        break;
      case 'tact': {
        const copy = path.join(scratch, 'project');
        const isOwn = (from: string): boolean =>
          !/\/(?:node_modules|\.git)(?:\/|$)/.test(from.slice(root.length));
        cpSync(root, copy, { recursive: true, filter: isOwn });
        symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
        const args = existsSync(path.join(copy, 'tact.config.json'))
          ? ['--config', 'tact.config.json']
          : [relative(file)];
        // One project of several may fail.
        await run('tact', args, copy).catch(() => undefined);
        for (const one of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
          if (one.endsWith('.pkg') && !one.startsWith('node_modules')) {
            const text = readFileSync(path.join(copy, one), 'utf8');
            keep((JSON.parse(text) as { name: string }).name, text, 'tact');
          }
        }
        break;
      }
      case undefined:
        break;
    }
  } catch (error) {
    if (WorkbenchError.is(error) || error instanceof Error) {
      return found;
    }
    throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return found;
}
