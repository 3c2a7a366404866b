import tseslint from 'typescript-eslint';

/** Layer borders of the design: imports only run down. */
const noVscode = { name: 'vscode', message: 'Only src/editor and src/extension.ts import vscode.' };
const zodForm = {
  selector: "ImportDeclaration[source.value='zod'] > :matches(ImportSpecifier, ImportDefaultSpecifier)",
  message: "Use `import * as z from 'zod'`: the named form bundles every locale (360 KiB more).",
};
const undiciRoot = {
  name: 'undici',
  message:
    'The package root replaces the process-wide fetch dispatcher. Import undici/lib/… where the design allows it.',
};

const syntax = [
  zodForm,
  { selector: 'ExportDefaultDeclaration', message: 'No default exports.' },
  { selector: 'TSEnumDeclaration', message: 'No enums: use a union of strings.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that owns the name.' },
];
const injected = 'The toolkit takes time as a parameter: a Clock of time.ts.';

const restrict = (paths, patterns = []) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { paths: [undiciRoot, ...paths], patterns }],
});

const down = (...groups) =>
  groups.map((group) => ({
    regex: `^(\\.\\./)+${group}(/|$)`,
    message: 'Imports only run down (design: the four floors).',
  }));

export default tseslint.config(
  { ignores: ['node_modules', 'dist', '.cache', 'test-results', 'examples'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'no-restricted-syntax': ['error', ...syntax],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      ...restrict([]),
    },
  },
  {
    files: ['src/toolkit/**/*.ts'],
    rules: {
      ...restrict(
        [
          noVscode,
          { name: 'node:timers/promises', importNames: ['setTimeout', 'setInterval'], message: injected },
        ],
        down('editor', 'webview', 'protocol', 'extension', 'cli', 'contributions'),
      ),
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The toolkit takes its settings as parameters.' },
        { object: 'Date', property: 'now', message: injected },
        { object: 'performance', property: 'now', message: injected },
      ],
      'no-restricted-syntax': [
        'error',
        ...syntax,
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: injected },
      ],
      'no-restricted-globals': [
        'error',
        ...['setTimeout', 'setInterval'].map((name) => ({ name, message: injected })),
      ],
    },
  },
  {
    files: ['src/toolkit/time.ts'],
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-syntax': ['error', ...syntax],
    },
  },
  {
    files: ['src/protocol/**/*.ts'],
    rules: restrict([noVscode], down('editor', 'webview', 'extension', 'cli')),
  },
  {
    files: ['src/webview/**/*.{ts,tsx}'],
    rules: restrict([noVscode], down('editor', 'toolkit', 'extension', 'cli', 'contributions')),
  },
  {
    files: ['src/cli.ts', 'src/cli/**/*.ts'],
    rules: restrict([noVscode], down('editor', 'webview')),
  },
  {
    files: ['scripts/**/*.mjs', 'esbuild.mjs'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['test/**/*.{ts,tsx}', 'bench/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', 'no-console': 'off' },
  },
);
