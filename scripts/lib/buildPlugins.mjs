import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** @typedef {import('esbuild').Plugin} Plugin */

/**
 * Unused: the word list of @ton/crypto's password generator (76 KiB).
 * @type {Plugin}
 */
export const withoutUnusedParts = {
  name: 'without-unused-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/passwords\/newSecure/ }, (a) => ({
      path: a.path,
      namespace: 'absent',
    }));
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

/**
 * The SDK of TON Connect logs each step to the console, which is the output of a command, and the log of a window that
 * others use too. Nothing else of it is changed.
 * @type {Plugin}
 */
export const silentTonConnect = {
  name: 'silent-ton-connect',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@tonconnect[\\/]sdk[\\/]lib[\\/]esm[\\/]index\.mjs$/ }, async (a) => {
      const text = await readFile(a.path, 'utf8');
      const quiet = 'const quietConsole = { debug() {}, error() {}, warn() {}, log() {}, info() {} };';
      return { contents: `${quiet}\n${text.replace(/\bconsole\./g, 'quietConsole.')}`, loader: 'js' };
    });
  },
};

/**
 * zod's messages in fifty languages come along with all of zod, which the server of agents' tools imports. 250 KiB.
 * @type {Plugin}
 */
const zodInEnglish = {
  name: 'zod-in-english',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
      loader: 'js',
    }));
  },
};

/**
 * Only tests derive keys from mnemonics. 23 KiB.
 * @type {Plugin}
 */
const withoutKeyMaking = {
  name: 'without-key-making',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(mnemonic|hd)\// }, ({ path: name, importer }) =>
      /@ton\/crypto\/dist\/index\.js$/.test(importer.replaceAll('\\', '/'))
        ? { path: name, namespace: 'absent' }
        : undefined,
    );
  },
};

/**
 * string-width makes an expression with every emoji when it is loaded, which is at each start: 10 ms. Few texts need it.
 * @type {Plugin}
 */
export const emojiWhenNeeded = {
  name: 'emoji-when-needed',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, async (a) => {
      const text = await readFile(a.path, 'utf8');
      const [before, after, ...more] = text.split('const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;');
      if (after === undefined || more.length > 0) {
        throw new Error('string-width has another expression for emoji');
      }
      const lazy = `let emoji;
        const rgiEmojiRegex = { test: (text) => (emoji ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')).test(text) };`;
      return { contents: `${before}${lazy}${after}`, loader: 'js' };
    });
  },
};

/**
 * @ton/crypto hashes with jssha where it has to hash at once. Node.js hashes so too: 22 KiB less, and faster.
 * Only what @ton/crypto's three primitives ask of jssha is here.
 * @type {Plugin}
 */
export const hashesOfNode = {
  name: 'hashes-of-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^jssha$/ }, (a) => ({ path: a.path, namespace: 'hashes-of-node' }));
    onLoad({ filter: /.*/, namespace: 'hashes-of-node' }, () => ({
      contents: `const { createHash, createHmac } = require('node:crypto');
        module.exports = class {
          constructor(variant, format, options) {
            const name = variant.replace('-', '').toLowerCase();
            const key = options?.hmacKey?.value;
            this.hash = key === undefined ? createHash(name) : createHmac(name, Buffer.from(key, 'hex'));
          }
          update(hex) { this.hash.update(hex, 'hex'); }
          getHash() { return this.hash.digest('hex'); }
        };`,
      loader: 'js',
    }));
  },
};

/**
 * @ton/crypto signs with tweetnacl. Node.js does so too: 32 KiB less, and a hundred times as fast. Only signatures are
 * here: nothing is sealed in boxes.
 * @type {Plugin}
 */
export const signaturesOfNode = {
  name: 'signatures-of-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tweetnacl$/ }, ({ path: name, importer }) =>
      /@ton\/crypto\/dist\/primitives\/nacl\.js$/.test(importer.replaceAll('\\', '/'))
        ? { path: name, namespace: 'signatures-of-node' }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'signatures-of-node' }, () => ({
      contents: `const { createPrivateKey, createPublicKey, sign, verify } = require('node:crypto');
        const der = (type, prefix, size) => (key) => {
          if (key.length !== size) throw new Error('bad key size');
          return { key: Buffer.concat([Buffer.from(prefix, 'hex'), key]), format: 'der', type };
        };
        const seed = der('pkcs8', '302e020100300506032b657004220420', 32);
        const point = der('spki', '302a300506032b6570032100', 32);
        const fromSeed = (bytes) => {
          const publicKey = createPublicKey(createPrivateKey(seed(bytes))).export({ format: 'der', type: 'spki' }).subarray(-32);
          return { publicKey, secretKey: Buffer.concat([bytes, publicKey]) };
        };
        const detached = (data, key) => sign(null, data, createPrivateKey(seed(key.subarray(0, 32))));
        detached.verify = (data, signature, key) => verify(null, data, createPublicKey(point(key)), signature);
        const fromSecretKey = (key) => ({ publicKey: key.subarray(32), secretKey: key });
        module.exports = { sign: { keyPair: { fromSeed, fromSecretKey }, detached } };`,
      loader: 'js',
    }));
  },
};

/** Of every bundle that has the command line in it. */
export const commandLinePlugins = [
  withoutUnusedParts,
  silentTonConnect,
  withoutKeyMaking,
  zodInEnglish,
  hashesOfNode,
];

/** Bundled CommonJS packages expect these names; ES modules lack them. */
export const commonJsNames = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __fileURLToPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  'const __filename = __fileURLToPath(import.meta.url);',
  "const __dirname = __fileURLToPath(new URL('.', import.meta.url));",
].join('\n');

/**
 * Takes commonJsNames out of the files that say none of these names: nine of ten, 330 bytes each.
 * @param {string} root that the outputs are relative to
 * @param {import('esbuild').Metafile['outputs']} outputs their sizes are corrected
 */
export const removeUnusedNames = async (root, outputs) => {
  const used = /\b(?:require|__filename|__dirname)\b/;
  const start = `${commonJsNames}\n`;
  await Promise.all(
    Object.entries(outputs).map(async ([name, output]) => {
      const file = path.resolve(root, name);
      const text = name.endsWith('.js') ? await readFile(file, 'utf8') : '';
      if (text.startsWith(start) && !used.test(text.slice(start.length))) {
        await writeFile(file, text.slice(start.length));
        output.bytes -= Buffer.byteLength(start);
      }
    }),
  );
};

/**
 * Takes out imports that only make a file load, where another import of the same file loads it anyway: esbuild lists
 * everything that an entry needs, a dozen files on average.
 * @param {string} root that the outputs are relative to
 * @param {import('esbuild').Metafile['outputs']} outputs their sizes and imports are corrected
 */
export const removeRepeatedImports = async (root, outputs) => {
  const read = await Promise.all(
    Object.keys(outputs)
      .filter((name) => name.endsWith('.js'))
      .map(async (name) => {
        const text = await readFile(path.resolve(root, name), 'utf8');
        /** @type {Map<string, string>} */
        const bare = new Map();
        for (const [statement, target] of text.matchAll(/import"(\.{1,2}\/[^"]+)";/g)) {
          bare.set(path.posix.join(path.posix.dirname(name), target ?? ''), statement);
        }
        return /** @type {const} */ ([name, { text, bare }]);
      }),
  );
  const files = new Map(read);
  /** @type {(name: string) => string[]} those that a file needs for more than loading */
  const named = (name) =>
    (outputs[name]?.imports ?? [])
      .filter(({ path: target, kind }) => kind === 'import-statement' && !files.get(name)?.bare.has(target))
      .map(({ path: target }) => target);
  for (const [name, { text, bare }] of files) {
    const loaded = new Set(named(name));
    loaded.forEach((one) => named(one).forEach((other) => loaded.add(other)));
    let rest = text;
    for (const [target, statement] of bare) {
      if (loaded.has(target)) {
        rest = rest.replace(statement, '');
      } else {
        loaded.add(target);
        loaded.forEach((one) => named(one).forEach((other) => loaded.add(other)));
      }
    }
    const output = outputs[name];
    if (output !== undefined && rest !== text) {
      await writeFile(path.resolve(root, name), rest);
      output.bytes -= Buffer.byteLength(text) - Buffer.byteLength(rest);
      output.imports = output.imports.filter(
        ({ path: target, kind }) =>
          kind !== 'import-statement' || !bare.has(target) || rest.includes(bare.get(target) ?? ''),
      );
    }
  }
};
