import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** A program that runs scripts as Node.js does, with its environment. */
export interface NodeProgram {
  node: string;
  environment: NodeJS.ProcessEnv;
}

/** Variables of an editor, which are not meant for what it starts. */
const ofEditor = /^(?:VSCODE_|ELECTRON_)/;

/**
 * The Node.js of the user's search path, which is the one that their terminal runs. Without one, the program that runs this;
 * an editor's own needs to be told that it is to run a script.
 *
 * @param own the program that runs this
 */
export function findNode(given: NodeJS.ProcessEnv, own: string): NodeProgram {
  const environment = Object.fromEntries(Object.entries(given).filter(([name]) => !ofEditor.test(name)));
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = (given['PATH'] ?? given['Path'] ?? '')
    .split(path.delimiter)
    .filter((one) => path.isAbsolute(one));
  const node = folders.map((folder) => path.join(folder, name)).find(isProgram);
  return node === undefined
    ? { node: own, environment: { ...environment, ELECTRON_RUN_AS_NODE: '1' } }
    : { node, environment };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
