/** Globs for finding call sheets. */
export const sheetFiles = { pattern: '**/*.toncall', excluded: '**/{node_modules,.git}/**' } as const;
