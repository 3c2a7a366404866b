/** A file of a project. */
export interface ProjectFile {
  /** With `/` between its parts. */
  path: string;
  /** Of a `.boc`, its BoC in base64. */
  text: string;
}

/**
 * The files that describe a project's contracts, as globs: sources, output of compilers and Blueprint, wrappers, and what
 * says where Tolk's imports lead.
 * The editor's search does not support nested braces.
 */
export const projectFiles = {
  pattern:
    '**/{*.tolk,*.fc,*.func,*.tlb,*.tact,*.abi,*.pkg,*.compiled.json,*.source.json,*.abi.json,abi.json,build/*.json,build/abi/*.json,wrappers/**/*.ts,*.compile.ts,Acton.toml}',
  excluded: '**/{node_modules,.git,.yarn,.acton}/**',
} as const;

/** Whether `pattern` matches this file; its path is relative to the project, separated by `/`. */
export function isProjectFile(path: string): boolean {
  return (
    /\.(?:tolk|fc|func|tlb|tact|abi|pkg|(?:compiled|source|abi)\.json|compile\.ts)$|(?:^|\/)abi\.json$|(?:^|\/)(?:build\/(?:abi\/)?[^/]*\.json|Acton\.toml)$/.test(
      path,
    ) ||
    (path.endsWith('.ts') && /(?:^|\/)wrappers\//.test(path))
  );
}

/** The limit of a project's file: what Acton keeps of a build holds its sources and its source map, too. */
export function projectFileLimit(path: string): 'bundleBytes' | 'projectFileBytes' {
  return path.endsWith('.source.json') ? 'bundleBytes' : 'projectFileBytes';
}

/** Whether `excluded` skips this folder, by name. */
export function isExcludedFolder(name: string): boolean {
  return ['node_modules', '.git', '.yarn', '.acton'].includes(name);
}
