import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { declaredTools } from '../../../scripts/lib/renderAgentTools';
import { settingIds, views, workspaceSettings } from '../../../src/contributions';
import { commandIds } from '../../../src/editor/ui/readArguments';

interface Manifest {
  engines: { vscode: string };
  icon: string;
  repository: { url: string };
  publisher: string;
  extensionKind: string[];
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    menus?: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
    keybindings?: { command: string }[];
    views: Record<string, { id: string }[]>;
    viewsWelcome?: { view: string; contents: string }[];
    configuration: {
      title: string;
      order: number;
      properties: Record<string, { order?: number; scope?: string }>;
    }[];
    languageModelTools: object[];
    walkthroughs?: { steps: { media: Record<string, string> }[] }[];
  };
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

const sorted = (list: Iterable<string>): string[] => [...new Set(list)].sort();

/** Every string of the manifest with the names that lead to it. */
function* strings(value: unknown, names: string[] = []): Generator<{ names: string[]; text: string }> {
  if (typeof value === 'string') {
    yield { names, text: value };
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield* strings(inner, [...names, name]);
    }
  }
}

/** Properties whose strings people read. */
const shown =
  /^(title|category|shortTitle|description|markdownDescription|enumDescriptions|markdownEnumDescriptions|contents|contextualTitle|displayName|label|altText|deprecationMessage|markdownDeprecationMessage)$/;

/** The context keys of a condition, and their values. */
type State = Readonly<Record<string, string | boolean>>;

/** Whether a term such as `!key` or `key == value` holds. */
function holds(term: string, state: State): boolean {
  const [, key = '', operator = '', value = ''] = /^!?([\w.]+)(?: (==|!=) (\w+))?$/.exec(term) ?? [];
  if (operator === '') {
    return (state[key] === true) !== term.startsWith('!');
  }
  return (state[key] === value) === (operator === '==');
}

/** Every combination of the values that terms speak of. */
function statesOf(terms: readonly string[]): State[] {
  const values = new Map<string, (string | boolean)[]>();
  for (const term of terms) {
    const [, key = '', value] = /^!?([\w.]+)(?: [!=]= (\w+))?$/.exec(term) ?? [];
    assert.notEqual(key, '', term);
    values.set(key, [
      ...(values.get(key) ?? []),
      ...(value === undefined ? [true, false] : [value, 'other']),
    ]);
  }
  let states: State[] = [{}];
  for (const [key, some] of values) {
    states = states.flatMap((state) => [...new Set(some)].map((value) => ({ ...state, [key]: value })));
  }
  return states;
}

describe('the manifest', () => {
  it('declares exactly the commands of src/commandArguments.ts', () => {
    assert.deepEqual(sorted(manifest.contributes.commands.map(({ command }) => command)), sorted(commandIds));
  });

  it('declares exactly the settings of src/contributions.ts', () => {
    const declared = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    assert.deepEqual(sorted(declared), sorted(settingIds));
  });

  it('declares the tools of agents as their table does: after a change, npm run docs', () => {
    const { languageModelTools, titles } = declaredTools();
    assert.deepEqual(manifest.contributes.languageModelTools, JSON.parse(JSON.stringify(languageModelTools)));
    const declared = Object.entries(texts).filter(([key]) => key.startsWith('tool.'));
    assert.deepEqual(Object.fromEntries(declared), titles);
  });

  it('shows the settings in titled groups, each in the order of the manifest', () => {
    for (const [index, { order, properties }] of manifest.contributes.configuration.entries()) {
      assert.equal(order, index + 1);
      assert.deepEqual(
        Object.values(properties).map((property) => property.order),
        Object.keys(properties).map((_, at) => at + 1),
      );
    }
  });

  it('names settings so that the editor shows them as words', () => {
    // The settings page splits `aaaBbb` at each capital: `AnswerMiB` becomes "Answer Mi B".
    assert.deepEqual(
      settingIds.filter((id) => /[A-Z](?![a-z]{2})/.test(id)),
      [],
    );
  });

  it('declares exactly the views of src/contributions.ts', () => {
    const declared = Object.values(manifest.contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(sorted(declared), sorted(Object.values(views)));
  });

  it('has at most 45 commands that are always in the palette', () => {
    const conditional = new Set(
      manifest.contributes.menus?.['commandPalette']?.map(({ command }) => command),
    );
    const always = manifest.contributes.commands.filter(({ command }) => !conditional.has(command));
    assert.ok(always.length <= 45, always.map(({ command }) => command).join(', '));
  });

  it('puts only declared commands into menus, keys, and the texts of empty views', () => {
    const { menus = {}, keybindings = [] } = manifest.contributes;
    const used = [
      ...Object.values(menus).flatMap((items) => items.map(({ command }) => command)),
      ...keybindings.map(({ command }) => command),
      ...Object.values(texts).flatMap((text) =>
        [...text.matchAll(/\(command:(tonWorkbench\.\w+)/g)].map(([, id]) => id),
      ),
    ].filter((command) => command !== undefined);
    assert.deepEqual(
      sorted(used).filter((command) => !(commandIds as string[]).includes(command)),
      [],
    );
  });

  it('has a text in package.nls.json for everything that users read, and no superfluous ones', () => {
    const used = [...strings(manifest)].flatMap(({ text }) => /^%(.+)%$/.exec(text)?.[1] ?? []);
    assert.deepEqual(sorted(used), sorted(Object.keys(texts)));
    // What tools take is explained to models, in English.
    const read = [...strings(manifest.contributes)].filter(({ names }) => !names.includes('inputSchema'));
    const bare = read.filter(({ names, text }) => {
      const name = names.findLast((one) => !/^\d+$/.test(one)) ?? '';
      return (shown.test(name) || (name === 'name' && names[0] === 'views')) && !/^%.+%$/.test(text);
    });
    assert.deepEqual(bare, []);
  });

  it('names only files that exist', () => {
    const files = [...strings(manifest.contributes)]
      .map(({ text }) => text)
      .filter((text) => /^(\.\/)?(media|syntaxes|schemas|snippets)\//.test(text));
    assert.ok(files.length > 0);
    assert.deepEqual(
      files.filter((file) => !existsSync(path.join(root, file))),
      [],
    );
  });

  it('has an icon of 128 by 128 pixels', () => {
    const png = readFileSync(path.join(root, manifest.icon));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128]);
  });

  it('has at most three icons in the title of a view, whatever its state', () => {
    const icons = (manifest.contributes.menus?.['view/title'] ?? []).filter(({ group }) =>
      group?.startsWith('navigation'),
    );
    for (const view of Object.values(views)) {
      const conditions = icons
        .map(({ when = '' }) => when.split(' && '))
        .filter((terms) => terms.includes(`view == ${view}`))
        .map((terms) => terms.filter((term) => !term.startsWith('view ')));
      assert.ok(conditions.length > 0, view);
      const states = statesOf(conditions.flat());
      const most = Math.max(
        ...states.map(
          (state) => conditions.filter((terms) => terms.every((term) => holds(term, state))).length,
        ),
      );
      assert.ok(most <= 3, `${view}: ${most} icons`);
    }
  });

  it('keeps the walkthrough at seven steps', () => {
    for (const { steps } of manifest.contributes.walkthroughs ?? []) {
      assert.ok(steps.length <= 7, `${steps.length} steps`);
    }
  });

  it('runs beside the workspace, with restrictions if that is not trusted', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual(
      restrictedConfigurations.filter((id) => !(settingIds as string[]).includes(id)),
      [],
    );
  });

  it('lets a workspace set only what is read from one', () => {
    const all = manifest.contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const ofWorkspace = all.filter(([, { scope }]) => scope !== 'application' && scope !== 'machine');
    assert.deepEqual(sorted(ofWorkspace.map(([id]) => id)), sorted(workspaceSettings));
  });

  it('takes no setting from a workspace that is not trusted', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const loose = manifest.contributes.configuration
      .flatMap(({ properties }) => Object.entries(properties))
      .filter(([id, { scope }]) => scope !== 'application' && !restrictedConfigurations.includes(id))
      .map(([id]) => id);
    assert.deepEqual(loose, []);
  });

  it("requires the editor version that the tests use, and that version's types", () => {
    assert.equal(manifest.engines.vscode, '^1.100.0');
    const types = JSON.parse(read('node_modules/@types/vscode/package.json')) as { version: string };
    assert.match(types.version, /^1\.100\./);
  });

  it('contains no person, address, or place of ours', () => {
    assert.equal(manifest.publisher, 'ton-workbench');
    assert.equal(manifest.repository.url, 'git+https://github.com/FILL_IN/ton-workbench.git');
    assert.doesNotMatch(read('package-lock.json'), /"resolved": "http/);
  });
});
