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
 * Only tests derive keys from mnemonics. 23 KiB.
 * @type {Plugin}
 */
export const withoutKeyMaking = {
  name: 'without-key-making',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(mnemonic|hd)\// }, ({ path: name, importer }) =>
      /@ton\/crypto\/dist\/index\.js$/.test(importer.replaceAll('\\', '/'))
        ? { path: name, namespace: 'absent' }
        : undefined,
    );
  },
};
