/** @typedef {import('esbuild').Plugin} Plugin */

/**
 * What nothing here uses and only comes along: the word list of @ton/crypto's password maker (76 KiB).
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
 * Nor does the product make keys of words; tests do. 23 KiB.
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
