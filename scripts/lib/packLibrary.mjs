import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildLibrary, librarySubpaths, peers } from './buildLibrary.mjs';
import { onEnd } from './cleanUp.mjs';
import { runNpm } from './npm.mjs';
import { cacheFolder, root } from './root.mjs';
import { writeThirdParty } from './thirdParty.mjs';
import { writeDeclarations } from './writeDeclarations.mjs';

/**
 * The package.json of the npm package. The project's own is the manifest of the VS Code extension, whose `main` only
 * the editor can load; name, version, and so on come from it.
 * @param {readonly string[]} subpaths
 */
const manifestOf = async (subpaths) => {
  const { name, version, license, keywords, engines, homepage, repository, bugs } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  );
  const subpath = (/** @type {string} */ one) => [
    `./${one}`,
    { types: `./dist/${one}.d.ts`, default: `./dist/${one}.js` },
  ];
  return {
    name,
    version,
    description:
      'A TON network on your machine, typed access to TON Center, traces, rehearsals and payment webhooks: the command line and library of TON Workbench.',
    license,
    homepage,
    repository,
    bugs,
    keywords,
    type: 'commonjs',
    engines: { node: engines.node },
    bin: { [name]: './dist/cli.js' },
    exports: { ...Object.fromEntries(subpaths.map(subpath)), './package.json': './package.json' },
    // For "moduleResolution": "node10", which does not read exports.
    typesVersions: { '*': Object.fromEntries(subpaths.map((one) => [one, [`./dist/${one}.d.ts`]])) },
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((one) => [one, { optional: true }])),
    sideEffects: false,
  };
};

/** docs/library.md is the package's README; the files it links to are packed too. */
const documents = [
  ...[
    'command-line.md',
    'networks.md',
    'local-network.md',
    'webhooks.md',
    'payments.md',
    'wallet.md',
    'stack-text.md',
    'call-sheets.md',
  ],
  ...['end-to-end.md', 'debugging.md', 'gas.md', 'coverage.md', 'tests.md'],
];

/** Without pictures; files that are not packed are named, not linked. @param {string} text */
const packedLinks = (text) =>
  text
    .replaceAll(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
    .replaceAll(/\[([^\]]+)\]\(([\w./-]+)(#[^)]*)?\)/g, (link, label, file, anchor = '') =>
      file === 'library.md' ? `[${label}](../README.md${anchor})` : documents.includes(file) ? link : label,
    );

/** @param {string} folder */
const addDocuments = async (folder) => {
  const readme = await readFile(path.join(root, 'docs/library.md'), 'utf8');
  await writeFile(
    path.join(folder, 'README.md'),
    readme.replaceAll(/\]\((?=[\w-]+\.md)/g, '](docs/').replaceAll('](../CHANGELOG.md', '](CHANGELOG.md'),
  );
  for (const name of documents) {
    const text = await readFile(path.join(root, 'docs', name), 'utf8');
    await writeFile(path.join(folder, 'docs', name), packedLinks(text));
  }
};

/**
 * Packs the npm package: the command line and the library, everything bundled, nothing else to install.
 * @param {string} destination folder for `NAME-VERSION.tgz`
 * @returns {Promise<{ file: string, files: string[] }>} the package and its contents
 */
export const packLibrary = async (destination) => {
  await mkdir(cacheFolder, { recursive: true });
  const staging = await mkdtemp(path.join(cacheFolder, 'library-'));
  const remove = () => rm(staging, { recursive: true, force: true });
  const forget = onEnd(remove);
  try {
    const subpaths = await librarySubpaths();
    const dist = path.join(staging, 'dist');
    const outputs = await buildLibrary(dist);
    await writeDeclarations(dist, subpaths);
    await writeThirdParty(staging, outputs);
    await mkdir(path.join(staging, 'docs'));
    await addDocuments(staging);
    for (const name of ['LICENSE', 'CHANGELOG.md']) {
      await cp(path.join(root, name), path.join(staging, name));
    }
    const manifest = await manifestOf(subpaths);
    await writeFile(path.join(staging, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await mkdir(destination, { recursive: true });
    await runNpm(['pack', staging, '--pack-destination', destination, '--ignore-scripts'], { cwd: staging });
    const entries = await readdir(staging, { recursive: true, withFileTypes: true });
    return {
      file: path.join(destination, `${manifest.name}-${manifest.version}.tgz`),
      files: entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(staging, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        .sort(),
    };
  } finally {
    await remove();
    forget();
  }
};
