import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packFolder } from '../../../scripts/lib/packExtension.mjs';
import { root } from '../../../scripts/lib/root.mjs';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Manifest {
  version: string;
  homepage: string;
  repository: { url: string };
  bugs: { url: string };
  galleryBanner: { color: string; theme: string };
  categories: string[];
  keywords: string[];
}
const manifest = JSON.parse(read('package.json')) as Manifest;

/** In two pieces, so that whoever replaces it everywhere leaves this as it is. */
const placeholder = ['FILL', 'IN'].join('_');

/** The Marketplace's own list. */
const categories =
  'AI, Azure, Chat, Data Science, Debuggers, Education, Extension Packs, Formatters, Keymaps, Language Packs, Linters, Machine Learning, Notebooks, Other, Programming Languages, SCM Providers, Snippets, Testing, Themes, Visualization'.split(
    ', ',
  );

const generated = /^(node_modules|dist|\.git|\.cache|test-results)$|\.(vsix|tgz)$/;

describe('a release', () => {
  it('says where it comes from and what it is', () => {
    const [, repository] = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(
      manifest.repository.url,
    )!;
    assert.equal(manifest.homepage, `${repository}#readme`);
    assert.equal(manifest.bugs.url, `${repository}/issues`);
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.match(manifest.galleryBanner.theme, /^(dark|light)$/);
    assert.ok(
      manifest.categories.length > 0 && manifest.keywords.length > 0 && manifest.keywords.length <= 20,
    );
    assert.deepEqual(
      manifest.categories.filter((one) => !categories.includes(one)),
      [],
    );
  });

  it('has one version, with its changes on one screen', () => {
    const lock = JSON.parse(read('package-lock.json')) as {
      version: string;
      packages: { '': { version: string } };
    };
    const [newest = ''] = read('CHANGELOG.md').match(/^## .*(?:\n(?!## ).*)*/m) ?? [];
    assert.equal(lock.version, manifest.version);
    assert.equal(lock.packages[''].version, manifest.version);
    assert.equal(newest.split('\n', 1)[0], `## ${manifest.version}`);
    assert.ok(newest.split('\n').length <= 40);
  });

  it('has placeholders only where RELEASE.md says so', () => {
    const files = readdirSync(root, { withFileTypes: true })
      .filter(({ name }) => !generated.test(name))
      .flatMap((entry) =>
        entry.isDirectory()
          ? readdirSync(path.join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((inner) =>
              `${entry.name}/${inner}`.replaceAll('\\', '/'),
            )
          : [entry.name],
      )
      .filter((name) => /\.(json|md|mjs|tsx?|ya?ml)$/.test(name) && name !== 'RELEASE.md');
    const guide = read('RELEASE.md');
    assert.deepEqual(
      files.filter((file) => read(file).includes(placeholder) && !guide.includes(`\`${file}\``)),
      [],
    );
    const places = Object.entries(manifest).filter(([, value]) =>
      JSON.stringify(value).includes(placeholder),
    );
    assert.deepEqual(
      places.map(([name]) => name).filter((name) => !guide.includes(`\`${name}\``)),
      [],
    );
  });

  it('is packed without a warning of vsce', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ton-workbench-release-'));
    try {
      for (const name of readdirSync(root)) {
        if (/^(package.*\.json|\.vscodeignore|README\.md|CHANGELOG\.md|LICENSE|media|syntaxes)$/.test(name)) {
          cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
        }
      }
      mkdirSync(path.join(folder, 'dist'));
      writeFileSync(path.join(folder, 'dist/main.cjs'), '');
      await packFolder(folder, path.join(folder, 'packed.vsix'));
      rmSync(path.join(folder, 'LICENSE'));
      await assert.rejects(packFolder(folder, path.join(folder, 'again.vsix')), /LICENSE\.txt not found/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
