// Checks the format of every file for npm run check. Prettier, which npm run format uses, takes half a minute for
// all of them; oxfmt formats the same files alike in half a second, but for unions of types that fit on one line and
// some HTML. So Prettier is asked about the files that oxfmt finds fault with, and about those where it may be wrong.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';
import { say } from './say.mjs';

/** @param {string} script in node_modules @param {readonly string[]} args */
const run = (script, args) => {
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  return { ...result, lines: result.stdout.split('\n').filter((line) => line !== '') };
};

/** @returns {string[]} HTML, and TypeScript with a union on several lines: what the two may see differently */
const doubtful = () =>
  ['src', 'test', 'bench', 'scripts', 'examples'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter(
        (file) =>
          file.endsWith('.html') ||
          (/\.tsx?$/.test(file) && /^\s*\|(?!\|)/m.test(readFileSync(path.join(root, file), 'utf8'))),
      ),
  );

const quick = run('oxfmt/bin/oxfmt', ['--list-different', '--config', '.prettierrc.json', '.']);
if (quick.status !== 0 && quick.lines.length === 0) {
  say(`oxfmt broke off: ${quick.stderr}`);
  process.exit(1);
}
const files = [...new Set([...quick.lines.map((line) => path.normalize(line)), ...doubtful()])];
const slow = run('prettier/bin/prettier.cjs', [
  '--check',
  '--log-level=warn',
  '--cache',
  '--cache-strategy=content',
  '--cache-location=.cache/prettier',
  ...files,
]);
process.stdout.write(slow.stdout + slow.stderr);
process.exit(slow.status ?? 1);
