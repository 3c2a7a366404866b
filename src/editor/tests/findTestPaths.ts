import * as vscode from 'vscode';

/** Scripts, of which those may have tests that {@link isTestPath} says. Alternatives of a pattern cannot be nested. */
export const scriptPattern = '**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}';
const excluded = '**/{node_modules,.git}/**';
/** Most scripts of a workspace that are looked at. */
const most = 5_000;

/** Whether a file may have tests, by its name or folder. */
export function isTestPath(path: string): boolean {
  return (
    /\.[cm]?[jt]sx?$/.test(path) &&
    (/[./](?:test|spec)\.[a-z]+$/.test(path) || /\/(?:tests?|__tests__|spec)\//.test(path)) &&
    !path.includes('/node_modules/')
  );
}

/** The files of the workspace that may have tests. */
export async function findTestPaths(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(scriptPattern, excluded, most);
  return found.filter(({ path }) => isTestPath(path));
}
