import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import type { ProjectContract } from '../contracts/abi/projectContract';
import { contractName } from '../build/readBuiltContract';
import type { LayoutSet } from '../contracts/layouts/layoutSet';
import { exampleOfLayout } from '../contracts/layouts/exampleOfLayout';
import { findStorage } from '../contracts/layouts/layoutSet';
import { initialLayout } from '../contracts/layouts/initialLayout';
import { messagesOfContract } from '../contracts/layouts/messagesOfContract';

/**
 * A scenario for a contract of the project: deploy it, send it its first message, call its first get-method without
 * arguments. What cannot be written without knowing more is a comment.
 *
 * @param file of the contract, relative to the sheet
 * @param wallet that pays, and stands wherever an address is needed
 */
export function exampleSteps(
  { name: source, file: from, methods }: Pick<ProjectContract, 'name' | 'file' | 'methods'>,
  file: string,
  layouts: readonly LayoutSet[],
  wallet: string,
): string[] {
  const name = contractName(source);
  const storage = findStorage(layouts, { name: source, file: from });
  const data =
    storage === undefined ? '' : ` ${exampleOfLayout(initialLayout(storage).layout, storage.set, wallet)}`;
  const [message] = messagesOfContract(layouts, { name: source, file: from });
  const getter = methods.find(({ parameters }) => parameters.length === 0);
  return [
    `### ${name}: whatever this does is undone at its end`,
    '@restore',
    whole(`deploy ${/\s/.test(file) ? `"${file}"` : file}${data} as ${name}`),
    ...(message === undefined
      ? []
      : [
          whole(
            `send ${name} ${message.layout.name} ${exampleOfLayout(message.layout, message.set, wallet)} 0.1ton from ${wallet}`,
          ),
          'expect exit 0',
        ]),
    ...(getter === undefined ? [] : [`${name} ${getter.name}()`, 'expect exit 0']),
  ];
}

/** The contract that an example is about: that of the file in use, else the project's first one in name order. */
export function exampleContract(
  contracts: readonly ProjectContract[],
  inUse: string | undefined,
  canCompile: (file: string) => boolean,
): ProjectContract | undefined {
  const sources = contracts
    .filter(
      ({ file, origin }) => origin !== undefined && sourceLanguage(file) !== undefined && canCompile(file),
    )
    .sort((a, b) => a.file.localeCompare(b.file));
  return sources.find(({ file }) => file === inUse) ?? sources[0];
}

/** A line with a gap is left to the user. */
function whole(line: string): string {
  return line.includes('…') ? `# fill in: ${line}` : line;
}
