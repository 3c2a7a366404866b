import { WorkbenchError } from '../base/errors';
import type { ReplayInputs } from '../replay/replayInputs';
import type { TestStyle } from './testStyle';

/** A test to be written. */
export interface KeptTestParts {
  /** What it was, in a sentence. */
  what: string;
  contract: string;
  /** What it says should happen. */
  title: string;
  /** The contract's source, and the `*.tonreplay` file: from the folder in which the tests run, with forward slashes. */
  source: string;
  data: string;
  inputs: ReplayInputs;
  /** The exit code that it should have; 0 also stands for 1. */
  exit: number;
}

/**
 * A test of @ton/sandbox that runs a saved transaction again, with the code that the source has when it runs.
 *
 * @throws WorkbenchError `keep-impossible` (input) if a test of the sandbox cannot repeat the transaction, or compile the
 * source
 */
export function keptTestText(parts: KeptTestParts, style: TestStyle): string {
  const { inputs, exit, contract, title } = parts;
  if (inputs.previousBlocks !== undefined) {
    throw keepImpossibleError('The code reads previous blocks, which its test cannot give.', useSheet);
  }
  const core = ['Address', 'Cell', 'loadShardAccount', 'loadTransaction'];
  const libraries = inputs.libraries.length > 0;
  const compiler = compilerOf(parts.source, style);
  const hasExpect = style.runner === 'jest' || style.runner === 'vitest';
  const imports: [names: readonly string[], from: string][] = [
    ...(hasExpect ? [] : [[['strictEqual'], 'node:assert'] satisfies [string[], string]]),
    [['readFileSync'], 'node:fs'],
    [[...(libraries ? ['beginCell', 'Dictionary'] : []), ...core], '@ton/core'],
    [['Blockchain'], '@ton/sandbox'],
    compiler.needs,
    ...(style.runner === 'vitest'
      ? [[['describe', 'expect', 'it'], 'vitest'] satisfies [string[], string]]
      : style.runner === 'node'
        ? [[['describe', 'it'], 'node:test'] satisfies [string[], string]]
        : []),
  ];
  const same = (actual: string, wanted: number): string =>
    hasExpect ? `expect(${actual}).toBe(${wanted});` : `strictEqual(${actual}, ${wanted});`;
  const params = [
    'now',
    "randomSeed: Buffer.from(kept.target.seed, 'hex')",
    ...(inputs.ignoreSignatures === true ? ['ignoreChksig: true'] : []),
  ].join(', ');
  return [
    `// Kept by TON Workbench: ${oneLine(parts.what)}`,
    '// The file that it reads has the message, and the state and the configuration that it met.',
    ...imports.map(([names, from]) =>
      style.modules === 'import'
        ? `import { ${names.join(', ')} } from ${quoted(from)};`
        : `const { ${names.join(', ')} } = require(${quoted(from)});`,
    ),
    '',
    `describe(${quoted(contract)}, () => {`,
    `  it(${quoted(title)}, async () => {`,
    ...[
      `const kept = JSON.parse(readFileSync(${quoted(parts.data)}, 'utf8'));`,
      ...compiler.lines,
      'const blockchain = await Blockchain.create({ config: Cell.fromBase64(kept.config) });',
      ...(libraries
        ? [
            'const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());',
            'for (const boc of kept.libraries) {',
            '  const library = Cell.fromBase64(boc);',
            '  libraries.set(library.hash(), library);',
            '}',
            'blockchain.libs = beginCell().storeDictDirect(libraries).endCell();',
          ]
        : []),
      'const account = loadShardAccount(Cell.fromBase64(kept.state.shardAccount).beginParse());',
      'const { inMessage, now } = loadTransaction(Cell.fromBase64(kept.target.boc).beginParse());',
      'const state = account.account?.storage.state;',
      "if (state?.type !== 'active' || !inMessage) {",
      "  throw new Error('The saved transaction is not of a contract that was there.');",
      '}',
      'state.state.code = code;',
      'const address = Address.parse(kept.account);',
      'await blockchain.setShardAccount(address, account);',
      'const contract = await blockchain.getContract(address);',
      `const { description } = await contract.receiveMessage(inMessage, { ${params} });`,
      "if (description.type !== 'generic' || description.computePhase.type !== 'vm') {",
      "  throw new Error('No code ran.');",
      '}',
      ...(exit === 0
        ? [
            same('description.computePhase.success ? 0 : description.computePhase.exitCode', 0),
            same('description.actionPhase?.resultCode ?? 0', 0),
          ]
        : [
            'const { success, exitCode } = description.computePhase;',
            same('success ? (description.actionPhase?.resultCode ?? 0) : exitCode', exit),
          ]),
    ].map((line) => `    ${line}`),
    '  });',
    '});',
    '',
  ].join('\n');
}

const useSheet = 'Add --as sheet: a call sheet repeats it.';

/** How the test compiles the source: with what the project's tests have. */
function compilerOf(
  source: string,
  { compiler, blueprint }: TestStyle,
): { needs: [names: string[], from: string]; lines: string[] } {
  if (blueprint !== undefined) {
    return {
      needs: [['compile'], '@ton/blueprint'],
      lines: [`const code = await compile(${quoted(blueprint)});`],
    };
  }
  const failed = (wrong: string): string[] => [
    `if (${wrong}) {`,
    '  throw new Error(compiled.message);',
    '}',
  ];
  switch (compiler) {
    case 'tolk':
      return {
        needs: [['runTolkCompiler'], '@ton/tolk-js'],
        lines: [
          'const compiled = await runTolkCompiler({',
          `  entrypointFileName: ${quoted(source)},`,
          "  fsReadCallback: (file) => readFileSync(file, 'utf8'),",
          '});',
          ...failed("compiled.status === 'error'"),
          'const code = Cell.fromBase64(compiled.codeBoc64);',
        ],
      };
    case 'func':
      return {
        needs: [['compileFunc'], '@ton-community/func-js'],
        lines: [
          'const compiled = await compileFunc({',
          `  targets: [${quoted(source)}],`,
          "  sources: (file) => readFileSync(file, 'utf8'),",
          '});',
          ...failed("compiled.status === 'error'"),
          'const code = Cell.fromBase64(compiled.codeBoc);',
        ],
      };
    case undefined:
      throw keepImpossibleError(
        `The project's tests have no compiler for ${source}: neither Blueprint with a file *.compile of it, nor one of Tolk or FunC as a package.`,
        useSheet,
      );
  }
}

/** `keep-impossible` (input). */
export function keepImpossibleError(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code: 'keep-impossible', kind: 'input', message, hint });
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll(/[\n\r\u2028\u2029]/g, ' ')}'`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\n\r\u2028\u2029]/g, ' ');
}
