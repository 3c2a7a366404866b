import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build, formatMessages } from 'esbuild';
import type { BuildFailure } from 'esbuild';
import { root } from '../../../scripts/lib/root.mjs';

interface Pattern {
  regexp: string;
  file?: number;
  line?: number;
  column?: number;
  message?: number;
  severity?: number;
}
interface Task {
  label: string;
  type: string;
  script: string;
  problemMatcher: string[] | { pattern: Pattern[] };
}
interface Launch {
  name: string;
  program?: string;
  preLaunchTask?: string;
  args: string | string[];
}

const read = <Value>(file: string): Value => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Value;
const { tasks } = read<{ tasks: Task[] }>('.vscode/tasks.json');
const { configurations, inputs } = read<{ configurations: Launch[]; inputs: { id: string }[] }>(
  '.vscode/launch.json',
);
const { scripts } = read<{ scripts: Record<string, string> }>('package.json');

describe('the project opened in VS Code', () => {
  it('has tasks that run npm scripts', () => {
    assert.ok(tasks.length > 0);
    for (const { label, type, script } of tasks) {
      assert.deepEqual([type, label], ['npm', `npm: ${script}`]);
      assert.ok(scripts[script] !== undefined, script);
    }
  });

  it('launches only what exists or its task builds, and asks for the declared inputs', () => {
    const built = read<{ main: string; bin: Record<string, string> }>('package.json');
    const made = [built.main, ...Object.values(built.bin)].map((file) => path.normalize(file));
    for (const { name, program, preLaunchTask, args } of configurations) {
      assert.ok(preLaunchTask === undefined || tasks.some(({ label }) => label === preLaunchTask), name);
      const named = [program ?? '', args]
        .flat()
        .map((text) => text.replace(/^--extensionDevelopmentPath=/, ''));
      for (const file of named.filter((text) => text.startsWith('${workspaceFolder}'))) {
        const relative = path.normalize(file.replace(/^\$\{workspaceFolder\}\/?/, './'));
        const isMade = preLaunchTask === 'npm: build' && made.includes(relative);
        assert.ok(isMade || existsSync(path.join(root, relative)), `${name}: ${relative}`);
      }
      for (const [, id] of JSON.stringify(args).matchAll(/\$\{input:(\w+)\}/g)) {
        assert.ok(
          inputs.some((input) => input.id === id),
          `${name}: ${id}`,
        );
      }
    }
  });

  it("finds the errors in a build's output", async () => {
    const failure = await build({
      stdin: { contents: "const fine = 1;\n  import './nowhere';\n", sourcefile: 'src/some file.ts' },
      bundle: true,
      write: false,
      logLevel: 'silent',
    }).then(
      () => assert.fail('it built'),
      (error: unknown) => error as BuildFailure,
    );
    const [text = ''] = await formatMessages(failure.errors, { kind: 'error', color: false });
    const lines = text.split('\n');
    const matchers = tasks.flatMap(({ problemMatcher }) =>
      'pattern' in problemMatcher ? [problemMatcher] : [],
    );
    assert.ok(matchers.length > 0);
    for (const { pattern } of matchers) {
      const start = lines.findIndex((line) => new RegExp(pattern[0]?.regexp ?? '').test(line));
      const found = pattern.map((one, index) => {
        const match = new RegExp(one.regexp).exec(lines[start + index] ?? '');
        assert.ok(match, `${one.regexp} on ${JSON.stringify(lines[start + index])}`);
        return { one, match };
      });
      const read = (key: 'file' | 'line' | 'column' | 'message' | 'severity'): string | undefined =>
        found.flatMap(({ one, match }) => (one[key] === undefined ? [] : [match[one[key]] ?? '']))[0];
      assert.deepEqual(
        [read('severity'), read('file'), read('line'), read('column'), read('message')],
        ['ERROR', 'src/some file.ts', '2', '9', 'Could not resolve "./nowhere"'],
      );
    }
  });
});
