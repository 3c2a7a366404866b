import path from 'node:path';
import { installPackage } from './installPackage.mjs';
import { runNpm } from './npm.mjs';
import { cacheFolder } from './root.mjs';

const tonweb = '0.0.66';
const blueprint = '0.46.0';
const ston = '2.7.0';
const dedust = '0.8.7';

/** Loaded by blueprint at startup, whatever the command. */
const peers = [
  '@tact-lang/compiler@1.6.13',
  '@ton-community/func-js@0.10.0',
  '@ton/core@0.63.1',
  '@ton/crypto@3.3.0',
  '@ton/sandbox@0.41.0',
  '@ton/tolk-js@1.3.0',
  '@ton/ton@16.3.0',
  'typescript@5.9.3',
];

/**
 * Programs and libraries people use with the network, for the conformance tests. Too large for development
 * dependencies, so they are installed into the cache folder on first use.
 * @returns {Promise<string>} a folder whose node_modules holds tonweb and @ton/blueprint
 */
export const installClients = async () => {
  const folder = path.join(cacheFolder, 'clients', `tonweb-${tonweb}-blueprint-${blueprint}`);
  await installPackage({
    name: 'tonweb',
    version: tonweb,
    folder,
    purpose: 'with blueprint, two clients for the conformance tests (about 230 MB on disk, once)',
    flags: ['--omit=optional'],
    finish: (draft) =>
      runNpm(
        [
          ...['install', `@ton/blueprint@${blueprint}`, ...peers],
          ...['--ignore-scripts', '--no-package-lock', '--omit=optional', '--legacy-peer-deps'],
        ],
        { cwd: draft },
      ),
  });
  return folder;
};

/** Peer dependencies that a project using the exchanges' SDKs provides. */
const dexPeers = [
  '@ston-fi/api@0.32.0',
  '@ton/core@0.63.1',
  '@ton/crypto@3.3.0',
  '@ton/ton@16.3.0',
  '@tonconnect/sdk@3.4.1',
  'axios@1.21.1',
];

/**
 * The SDKs of two exchanges, installed the same way.
 * @returns {Promise<string>} a folder whose node_modules holds @ston-fi/sdk, @dedust/sdk, and the @ton/ton they share
 */
export const installDexClients = async () => {
  const folder = path.join(cacheFolder, 'clients', `ston-${ston}-dedust-${dedust}`);
  await installPackage({
    name: '@ston-fi/sdk',
    version: ston,
    folder,
    purpose: 'with @dedust/sdk, two clients for the conformance tests (about 25 MB on disk, once)',
    flags: ['--legacy-peer-deps'],
    finish: (draft) =>
      runNpm(
        [
          ...['install', `@dedust/sdk@${dedust}`, ...dexPeers],
          ...['--ignore-scripts', '--no-package-lock', '--legacy-peer-deps'],
        ],
        { cwd: draft },
      ),
  });
  return folder;
};

const vitest = '3.2.4';
const oldSandbox = '0.35.1';

/**
 * A runner of tests that this project does not use itself, and an older @ton/sandbox.
 * @returns {Promise<string>} a folder whose node_modules holds vitest, @ton/sandbox, and the @ton/core that it uses
 */
export const installRunners = async () => {
  const folder = path.join(cacheFolder, 'clients', `vitest-${vitest}-sandbox-${oldSandbox}`);
  await installPackage({
    name: 'vitest',
    version: vitest,
    folder,
    purpose: 'with an older @ton/sandbox, for the conformance tests (about 65 MB on disk, once)',
    finish: (draft) =>
      runNpm(
        [
          ...[
            'install',
            `@ton/sandbox@${oldSandbox}`,
            '@ton/core@0.63.1',
            '@ton/crypto@3.3.0',
            '@ton/test-utils@0.7.0',
          ],
          ...['--ignore-scripts', '--no-package-lock', '--legacy-peer-deps'],
        ],
        { cwd: draft },
      ),
  });
  return folder;
};
