/** Where call sheets are looked for, as globs. */
export const sheetFiles = { pattern: '**/*.toncall', excluded: '**/{node_modules,.git}/**' } as const;
