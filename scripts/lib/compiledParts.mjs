/**
 * @typedef {object} CompiledPart
 * @property {string} name
 * @property {string} inside the npm package that carries it
 * @property {string} license SPDX expression, as the part's own source files state it
 * @property {string} source where its source code is
 * @property {string} [revision] the commit it was built from, if the program reports it
 * @property {string} about
 */

/**
 * Third-party code inside the WebAssembly modules. The npm packages around them are MIT; the compiled code is under
 * the terms of its own sources.
 * @type {readonly CompiledPart[]}
 */
export const compiledParts = [
  {
    name: 'TON Blockchain library (TVM, transaction executor, cells)',
    inside: '@ton/sandbox',
    license: 'LGPL-2.0-or-later',
    source: 'https://github.com/ton-blockchain/ton',
    revision: 'f801e1c1a4ddb5abf41033f51a7c74ab72dfdc07',
    about:
      'Copyright 2017-2020 Telegram Systems LLP and the later contributors. The folders crypto/, emulator/ and tdutils/ of the repository. To use another build of it, replace the module inside the npm package and build TON Workbench again.',
  },
  {
    name: 'Tolk compiler',
    inside: '@ton/tolk-js',
    license: 'GPL-2.0-or-later',
    source: 'https://github.com/ton-blockchain/ton',
    about:
      'The folder tolk/ of the repository; its source files carry a special exception that allows linking with OpenSSL. TON Workbench hands it source files and takes the code that it prints.',
  },
  {
    name: 'TON Blockchain library (Fift, cells)',
    inside: '@ton/tolk-js',
    license: 'LGPL-2.0-or-later',
    source: 'https://github.com/ton-blockchain/ton',
    about: 'Copyright 2017-2020 Telegram Systems LLP and the later contributors.',
  },
  ...['@ton/sandbox', '@ton/tolk-js'].flatMap((inside) => [
    {
      name: 'OpenSSL (libcrypto)',
      inside,
      license: 'Apache-2.0',
      source: 'https://github.com/openssl/openssl',
      about: 'Copyright The OpenSSL Project Authors.',
    },
    {
      name: 'libsodium',
      inside,
      license: 'ISC',
      source: 'https://github.com/jedisct1/libsodium',
      about: 'Copyright Frank Denis.',
    },
    {
      name: 'zlib',
      inside,
      license: 'Zlib',
      source: 'https://github.com/madler/zlib',
      about: 'Copyright Jean-loup Gailly and Mark Adler.',
    },
    {
      name: 'libsecp256k1',
      inside,
      license: 'MIT',
      source: 'https://github.com/bitcoin-core/secp256k1',
      about: 'Copyright Pieter Wuille and contributors.',
    },
    {
      name: 'Emscripten runtime and musl',
      inside,
      license: 'MIT',
      source: 'https://github.com/emscripten-core/emscripten',
      about: 'Copyright the Emscripten authors; musl: Copyright Rich Felker and contributors.',
    },
    {
      name: 'LLVM libc++ and libc++abi',
      inside,
      license: 'Apache-2.0 WITH LLVM-exception',
      source: 'https://github.com/llvm/llvm-project',
      about: 'Copyright the LLVM contributors.',
    },
    {
      name: 'blst',
      inside,
      license: 'Apache-2.0',
      source: 'https://github.com/supranational/blst',
      about: 'Copyright Supranational LLC.',
    },
  ]),
];
