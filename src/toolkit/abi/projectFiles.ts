/**
 * The files that tell of a project's contracts, as globs: sources, what compilers and Blueprint leave, and wrappers.
 * The editor's search finds nothing by a pattern with braces inside braces.
 */
export const projectFiles = {
  pattern:
    '**/{*.tolk,*.fc,*.func,*.tact,*.abi,*.pkg,*.compiled.json,*.abi.json,abi.json,build/abi/*.json,wrappers/**/*.ts}',
  excluded: '**/{node_modules,.git,.yarn}/**',
} as const;

/** Whether `pattern` takes this file; its path is relative to the project, with `/` between its parts. */
export function isProjectFile(path: string): boolean {
  return (
    /\.(?:tolk|fc|func|tact|abi|pkg|compiled\.json|abi\.json)$|(?:^|\/)abi\.json$|(?:^|\/)build\/abi\/[^/]*\.json$/.test(
      path,
    ) ||
    (path.endsWith('.ts') && /(?:^|\/)wrappers\//.test(path))
  );
}

/** Whether `excluded` leaves this folder out, by its name. */
export function isExcludedFolder(name: string): boolean {
  return name === 'node_modules' || name === '.git' || name === '.yarn';
}
