/**
 * The files of a project that hold layouts of messages, as globs: what the compilers of Tact and Tolk write. The editor's
 * search finds nothing by a pattern with braces inside braces.
 */
export const layoutFiles = {
  pattern: '**/{*.abi,*.pkg,*.abi.json,abi.json,build/abi/*.json}',
  excluded: '**/{node_modules,.git,.yarn}/**',
} as const;

/** Whether `pattern` takes this file; its path is relative to the project, with `/` between its parts. */
export function isLayoutFile(path: string): boolean {
  return /\.(?:abi|pkg|abi\.json)$|(?:^|\/)abi\.json$|(?:^|\/)build\/abi\/[^/]*\.json$/.test(path);
}
