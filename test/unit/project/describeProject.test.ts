import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { overLimitError } from '../../../src/toolkit/base/limits';
import type {
  Compilation,
  ProjectDescription,
  ProjectFolder,
} from '../../../src/toolkit/project/projectDescription';
import { compilationOf } from '../../../src/toolkit/project/projectDescription';
import { describeProject } from '../../../src/toolkit/project/describeProject';

/** Files by their paths; a huge one is given as undefined. */
function folderOf(files: Readonly<Record<string, string | undefined>>): ProjectFolder {
  return {
    read: (path) => {
      if (!(path in files)) {
        throw new Error(`there is no file ${path}`);
      }
      const text = files[path];
      if (text === undefined) {
        throw overLimitError('projectFileBytes', { what: `The file ${path}` });
      }
      return text;
    },
    list: (folder) => [
      ...new Set(
        Object.keys(files)
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).replace(/\/.*/s, '/')),
      ),
    ],
  };
}

const describeFiles = (
  path: string,
  files: Readonly<Record<string, string | undefined>>,
): ProjectDescription => describeProject(path, folderOf(files));

const compilation = (path: string, files: Readonly<Record<string, string | undefined>>): Compilation => {
  const folder = folderOf(files);
  return compilationOf(path, describeProject(path, folder), folder.read);
};

const problemsOf = ({ problems }: ProjectDescription): [string, number, string][] =>
  problems.map(({ path, line, error }) => [posix.basename(path), line, error.code]);

describe('the description of a project', () => {
  it('is that of the nearest folder that is described; a plain one says nothing', () => {
    const files = {
      '/w/a/Acton.toml': '[contracts.Box]\nsrc = "src/Box.tolk"\n',
      '/w/b/wrappers/Jar.compile.ts':
        "export const compile = { lang: 'func', targets: ['contracts/jar.fc'] };",
      '/w/c/tact.config.json': '{"projects": [{"name": "Till", "path": "./till.tact"}]}',
    };
    const kinds = ['/w/a/src/Box.tolk', '/w/b/contracts/jar.fc', '/w/c/till.tact', '/w/d/Lone.tolk'].map(
      (path) => describeFiles(path, files),
    );
    assert.deepEqual(
      kinds.map(({ kind, root }) => `${kind} ${root}`),
      ['Acton /w/a', 'Blueprint /w/b', 'Tact /w/c', 'plain /w/d'],
    );
    assert.deepEqual(kinds[3]?.contracts, []);
  });

  it('has the contracts, builds, and mappings of Acton.toml', () => {
    const toml = `[package]
name = "shop"
[contracts.Till]
display-name = "The till"
src = "src/Till.tolk"
depends = ["Drawer", { name = "Key", kind = "library_ref" }]
[contracts.Drawer]
src = "src/Drawer.tolk"
output = "out/drawer.boc"
[build]
out-dir = "artifacts"
output-sources = "artifacts/sources"
[import-mappings]
core = "./libs/core"
"@shared" = "src/shared"
`;
    const { contracts, mappings, problems } = describeFiles('/w/src/Till.tolk', { '/w/Acton.toml': toml });
    assert.deepEqual(problems, []);
    assert.deepEqual(mappings, { '@core': '/w/libs/core', '@shared': '/w/src/shared' });
    const [till, drawer] = contracts;
    assert.deepEqual(
      [till?.name, till?.title, till?.targets, till?.depends],
      ['Till', 'The till', ['/w/src/Till.tolk'], ['Drawer', 'Key']],
    );
    assert.deepEqual(drawer?.artifacts, [
      '/w/artifacts/sources/Drawer.source.json',
      '/w/artifacts/Drawer.json',
      '/w/out/drawer.boc',
    ]);
  });

  it('names the line of each mistake, which costs only itself', () => {
    const toml = `[contracts.Good]
src = "Good.tolk"
[contracts.Empty]
title = "no source"
[contracts.Egg]
src = "Egg.tolk"
depends = ["Hen"]
[contracts.Hen]
src = "Hen.tolk"
depends = ["Egg"]
[import-mappings]
inside = "libs"
outside = "../../elsewhere"
`;
    const described = describeFiles('/w/p/Good.tolk', { '/w/p/Acton.toml': toml });
    assert.deepEqual(problemsOf(described), [
      ['Acton.toml', 3, 'project-file-invalid'],
      ['Acton.toml', 7, 'project-cycle'],
      ['Acton.toml', 13, 'project-mapping-outside'],
    ]);
    assert.deepEqual(
      described.contracts.map(({ name }) => name),
      ['Good', 'Egg', 'Hen'],
    );
    assert.deepEqual(described.mappings, { '@inside': '/w/p/libs' });
  });

  it('goes on without a file that is broken, or too large', () => {
    const compile = "export const compile = { targets: ['contracts/jar.fc'] };";
    for (const [file, text, line, code] of [
      ['Acton.toml', '[package]\nname = \n', 2, 'project-file-invalid'],
      ['Acton.toml', undefined, 1, 'over-limit'],
      ['tact.config.json', '{\n "projects": [\n {"name" "x"}]}', 3, 'project-file-invalid'],
      ['tact.config.json', '{"projects": 3}', 1, 'project-file-invalid'],
      ['wrappers/Odd.compile.ts', 'export const compile = make();', 1, 'project-file-invalid'],
    ] as const) {
      const described = describeFiles('/w/contracts/jar.fc', {
        [`/w/${file}`]: text,
        '/w/wrappers/Jar.compile.ts': compile,
      });
      assert.deepEqual(problemsOf(described), [[posix.basename(file), line, code]]);
      assert.deepEqual(
        described.contracts.map(({ name }) => name),
        ['Jar'],
      );
    }
  });
});

describe('how a project compiles a source', () => {
  it('is by itself where no file says, with empty options in Tact', () => {
    assert.deepEqual(compilation('/w/a.tact', {}), {
      ...{ targets: ['/w/a.tact'], mappings: {}, notes: [] },
      options: { tact: {} },
    });
    assert.deepEqual(compilation('/w/a.fc', {}).targets, ['/w/a.fc']);
  });

  it('is with the options of its entry in tact.config.json, and without any if it has none', () => {
    const config = JSON.stringify({
      projects: [
        { name: 'Shop', path: './src/shop.tact', options: { experimental: { inline: true } } },
        { name: 'Plain', path: 'src/plain.tact' },
      ],
    });
    const files = { '/w/tact.config.json': config };
    const shop = compilation('/w/src/shop.tact', files);
    assert.deepEqual(shop.options, { tact: { experimental: { inline: true } } });
    assert.equal(shop.as, 'as Shop in tact.config.json');
    assert.deepEqual(compilation('/w/src/plain.tact', files).options, {});
  });

  it('is as a part of the Tact source that imports it, through others, too', () => {
    const files = {
      '/w/tact.config.json': JSON.stringify({
        projects: [
          { name: 'Shop', path: './shop.tact', options: { debug: true } },
          { name: 'Fair', path: './fair.tact', options: {} },
        ],
      }),
      '/w/shop.tact': 'import "@stdlib/ownable";\nimport "./parts/all";\ncontract Shop {}',
      '/w/fair.tact': '// import "./parts/till";\ncontract Fair {}',
      '/w/parts/all.tact': 'import "./till";\nimport "../shop.tact";\n',
      '/w/parts/till.tact': 'contract Till {}',
    };
    const till = compilation('/w/parts/till.tact', files);
    assert.deepEqual([till.targets, till.options], [['/w/shop.tact'], { tact: { debug: true } }]);
    assert.deepEqual(till.notes, []);
    const both = compilation('/w/parts/till.tact', {
      ...files,
      '/w/fair.tact': 'import "./parts/till.tact";\ncontract Fair {}',
    });
    assert.deepEqual(both.targets, ['/w/shop.tact']);
    assert.match(both.notes.join(), /^till\.tact is also built with other options, as Fair/);
  });

  it('is as Blueprint reads NAME.compile.ts, in wrappers, compilables, and their folders', () => {
    for (const folder of ['wrappers', 'compilables', 'wrappers/deep']) {
      const at = (text: string, name = 'Any'): Record<string, string> => ({
        [`/w/${folder}/${name}.compile.ts`]: text,
      });
      const head =
        "import { CompilerConfig } from '@ton/blueprint'; // it's typed\nexport const compile: CompilerConfig =";
      const tolk = compilation(
        '/w/contracts/a.tolk',
        at(`${head} { lang: 'tolk', entrypoint: 'contracts/a.tolk', optimizationLevel: 1 };`),
      );
      assert.deepEqual(tolk.options, { optimizationLevel: 1 });
      const tact = at(`${head} { lang: 'tact', target: "contracts/a.tact", options: { debug: true } };`);
      assert.deepEqual(compilation('/w/contracts/a.tact', tact).options, { tact: { debug: true } });
      const bare = at(`${head} { lang: 'tact', target: 'contracts/a.tact' }`);
      assert.deepEqual(compilation('/w/contracts/a.tact', bare).options, { tact: {} });
    }
  });

  it('is together with the FunC files that are combined with it', () => {
    const compile = `import { join } from 'path';
export const compile = {
  async preCompileHook() { await other('x'); },
  targets: ['contracts/stdlib.fc', join(__dirname, '../contracts/minter.fc')],
} as const;`;
    const files = {
      '/w/wrappers/Minter.compile.ts': compile,
      '/w/contracts/stdlib.fc': 'int two() asm "2 PUSHINT";',
    };
    const targets = ['/w/contracts/stdlib.fc', '/w/contracts/minter.fc'];
    assert.deepEqual(compilation('/w/contracts/minter.fc', files).targets, targets);
    // It receives no messages, so it is no contract; a main file need not be the last.
    assert.deepEqual(compilation('/w/contracts/stdlib.fc', files).targets, ['/w/contracts/stdlib.fc']);
    const main = { ...files, '/w/contracts/stdlib.fc': '() recv_internal() impure { }' };
    assert.deepEqual(compilation('/w/contracts/stdlib.fc', main).targets, targets);
    // A file that several contracts share is none of them.
    const shared = { ...files, '/w/wrappers/Wallet.compile.ts': compile.replace('minter.fc', 'wallet.fc') };
    assert.deepEqual(compilation('/w/contracts/stdlib.fc', shared).targets, ['/w/contracts/stdlib.fc']);
    assert.deepEqual(compilation('/w/contracts/wallet.fc', shared).targets, [
      '/w/contracts/stdlib.fc',
      '/w/contracts/wallet.fc',
    ]);
  });

  it('says what only running the project would tell', () => {
    const note = (member: string): string =>
      compilation('/w/a.tact', {
        '/w/wrappers/A.compile.ts': `export const compile = { lang: 'tact', target: 'a.tact', ${member} };`,
      }).notes.join();
    assert.equal(note('options: { debug: true }'), '');
    assert.match(
      note('options: { debug: isDebug }'),
      /^A\.compile\.ts sets compiler options that are not written out/,
    );
    assert.match(note('options: { ...common, debug: true }'), /not written out/);
    assert.match(note('sources: (path) => read(path)'), /sources of its own/);
    assert.match(note('buildLibrary: true'), /builds a library/);
  });

  it('gives way to tact.config.json for a contract of the same name, as in Blueprint', () => {
    const files = {
      '/w/tact.config.json': '{"projects": [{"name": "A", "path": "a.tact", "options": {"debug": false}}]}',
      '/w/wrappers/A.compile.ts':
        "export const compile = { lang: 'tact', target: 'a.tact', options: { debug: true } };",
    };
    assert.deepEqual(compilation('/w/a.tact', files).options, { tact: { debug: false } });
  });
});
