import assert from 'node:assert/strict';
import path from 'node:path';
import ts from 'typescript';
import { readdirSync, readFileSync } from 'node:fs';
import { root } from '../../../scripts/lib/root.mjs';
import { editorFiles } from './editorFiles';

/** The floors inside the editor, highest first. A room imports from those below its own, and from none beside it. */
const floors = [
  ['callSheets'],
  ['contracts', 'send', 'apiExplorer', 'webhooks'],
  ['getMethods', 'traces', 'localnet'],
  ['cells', 'fields', 'instances'],
  ['services.ts'],
  ['project', 'accounts'],
  ['networks'],
  ['ui'],
];

interface Edge {
  from: string;
  to: string;
}

const editor = path.join(root, 'src/editor');
const files = readdirSync(editor, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

/** Every import of a file of the editor from another: of values, of types alone, and by `import()`. */
const edges: Edge[] = files.flatMap((from) =>
  ts
    .preProcessFile(readFileSync(path.join(editor, from), 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => ({ from, to: `${path.posix.join(path.posix.dirname(from), fileName)}.ts` }))
    .filter(({ to }) => !to.startsWith('..')),
);

/** The folder of a file; `services.ts` is a room of its own. */
const room = (file: string): string => file.split('/')[0] ?? file;

/** Ways that lead back to where they began, each named once by its first step back. */
function circles(steps: readonly Edge[]): string[] {
  const next = new Map<string, string[]>();
  steps.forEach(({ from, to }) => next.set(from, [...(next.get(from) ?? []), to]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (at: string, way: readonly string[]): void => {
    const start = way.indexOf(at);
    if (start >= 0) {
      found.push([...way.slice(start), at].join(' -> '));
      return;
    }
    if (!done.has(at)) {
      (next.get(at) ?? []).forEach((to) => visit(to, [...way, at]));
      done.add(at);
    }
  };
  [...next.keys()].forEach((file) => visit(file, []));
  return found;
}

describe('the rooms of the editor', () => {
  it('are all on a floor', () => {
    const rooms = [...new Set(files.map(room))].sort();
    assert.deepEqual(rooms, floors.flat().sort());
    assert.ok(edges.length > 400, `${edges.length} imports were found`);
  });

  it('import only downwards', () => {
    const level = (name: string): number => floors.findIndex((names) => names.includes(name));
    const wrong = edges.filter(
      ({ from, to }) => room(from) !== room(to) && level(room(to)) <= level(room(from)),
    );
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  it('have no circle of files, types and later imports included', () => {
    assert.deepEqual(circles(edges), []);
  });

  it('finds a circle where there is one', () => {
    assert.deepEqual(
      circles([
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
        { from: 'c', to: 'b' },
      ]),
      ['b -> c -> b'],
    );
  });

  it('hold no logic that belongs into the toolkit: files without vscode are listed with the reason', () => {
    const without = files.filter(
      (file) => !/['"]vscode['"]/.test(readFileSync(path.join(editor, file), 'utf8')),
    );
    assert.deepEqual(without.sort(), Object.values(editorFiles).flat().sort());
  });
});
