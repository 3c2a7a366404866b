import type { Command } from 'commander';
import { Argument, Option } from 'commander';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { WorkbenchError } from '../toolkit/base/errors';
import type { NewContractKind } from '../toolkit/project/newContract';
import type { TestedLanguage } from '../toolkit/project/templates/newTests';
import { writeUserFile } from '../toolkit/base/writeUserFile';
import { addJsonOptions } from './networkHere';
import { writeJsonLine, writeText } from './output';
import { pathHere } from './surroundings';
import { pathExists, unwritableError } from './writeWholeFile';

/** `new counter`: writes a contract with its call sheet and its test; files that exist are never overwritten. */
export function registerNewCommand(program: Command): void {
  const command = program
    .command('new')
    .summary('begin with a contract, its call sheet, and its test')
    .description(
      'Writes a contract into this folder, with a call sheet that tries it on the local network and a test for the ' +
        'sandbox, and says what they need. Tolk needs nothing; FunC and Tact are compiled by the compiler in ' +
        'node_modules. No file is overwritten.\n\nExamples:\n  ton-workbench new counter\n' +
        '  ton-workbench new counter --language tact\n  ton-workbench new jetton',
    )
    .addArgument(
      new Argument('<contract>', 'counter, or a jetton (in Tolk only)').choices(['counter', 'jetton']),
    )
    .addOption(
      new Option('--language <language>', 'tolk, func, or tact')
        .choices(['tolk', 'func', 'tact'])
        .default('tolk'),
    );
  addJsonOptions(
    command,
    'print what was made as one JSON line',
    async () => (await import('./doctorAnswer')).newAnswerSchema,
  ).action(async (kind: NewContractKind['kind'], options: { language: TestedLanguage; json?: true }) => {
    await writeNew(kind, options);
  });
}

async function writeNew(
  kind: NewContractKind['kind'],
  { language, json }: { language: TestedLanguage; json?: true },
): Promise<void> {
  const { newContract } = await import('../toolkit/project/newContract');
  const made = newContract(kind, language);
  const there = await Promise.all(
    made.files.map(async ({ path: file }) => ((await pathExists(pathHere(file))) ? [file] : [])),
  );
  if (there.flat().length > 0) {
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `${there.flat().join(' and ')} ${there.flat().length === 1 ? 'exists' : 'exist'} already. Nothing was written.`,
      hint: 'Begin in another folder, or move them away.',
    });
  }
  for (const { path: file, text } of made.files) {
    try {
      await mkdir(path.dirname(pathHere(file)), { recursive: true });
      await writeUserFile(pathHere(file), text, { isNew: true });
    } catch (cause) {
      throw unwritableError('contract', file, cause);
    }
  }
  const { sheet, test, packages, compiler } = made;
  const files = made.files.map((one) => one.path);
  if (json === true) {
    writeJsonLine({ files, sheet, test, packages: [...packages], compiler: compiler ?? null });
    return;
  }
  writeText(
    [
      `Made ${files.join(', ')}. Next:`,
      '  ton-workbench localnet                      # in a terminal of its own',
      ...(compiler === undefined ? [] : [`  npm install --save-dev ${compiler}`]),
      `  ton-workbench run ${sheet}`,
      `  ton-workbench deploy ${files[0]} --data ${JSON.stringify(made.data)}`,
      `The test runs with npm packages that this folder may lack:`,
      `  npm install --save-dev ${packages.join(' ')}`,
      `  ton-workbench test                          # or: node --test ${test}`,
    ].join('\n'),
  );
}
