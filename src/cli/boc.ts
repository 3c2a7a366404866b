import { Option } from 'commander';
import type { Command } from 'commander';
import type { DecodeRootOptions } from '../toolkit/contracts/opcodes/describeBoc';
import { WorkbenchError } from '../toolkit/base/errors';
import { closestWord, visibleText } from '../toolkit/base/text';
import { addJsonOptions } from './networkHere';
import { readAbiText } from './readGivenFile';
import { writeJsonLine, writeText } from './output';
import { surroundings } from './surroundings';

interface BocOptions {
  json?: true;
  code?: true;
  compare?: string;
  abi?: string;
  as?: string;
}

/** `boc FILE|BASE64|HEX|-`: shows the contents of a bag of cells. */
export function registerBocCommand(program: Command): void {
  const command = program
    .command('boc')
    .summary('show what is inside a bag of cells (BoC)')
    .description(
      'Shows what is inside a bag of cells (BoC): messages, bodies, code, blocks, proofs, configuration, every cell.',
    )
    .argument(
      '<boc>',
      'a file (binary, text, or build output such as *.compiled.json, *.pkg, and build/*.json of Acton), a BoC in base64 or hex, or - for the standard input',
    )
    .addOption(new Option('--code', 'disassemble it as contract code').conflicts(['compare', 'abi', 'as']))
    .option(
      '--abi <file>',
      'decode it with a compiler ABI (Tact .abi or .pkg, Tolk .json); default: the sources and ABIs of the project here',
    )
    .option(
      '--as <struct>',
      'decode it as this struct of the ABI, whatever its prefix; without --abi: as this type of block.tlb, such as ' +
        'Block, OutMsgQueueInfo, or ConfigParam20; exits with 1 if it does not fit',
    )
    .addOption(
      new Option(
        '--compare <boc>',
        'show how another BoC differs; exits with 0 if they are equal, 1 if they differ',
      ).conflicts(['abi', 'as']),
    );
  addJsonOptions(
    command,
    'the result as one JSON line',
    async () => (await import('./bocAnswers')).bocAnswerSchema,
  ).action(async (argument: string, options: BocOptions) => {
    if (options.code === true) {
      await showCode(argument, options.json === true);
    } else if (options.compare !== undefined) {
      await showDifferences(argument, options.compare, options.json === true);
    } else {
      await showBoc(argument, options);
    }
  });
}

async function showBoc(argument: string, { json, abi, as }: BocOptions): Promise<void> {
  const [{ readBocArgument }, { rootContent, describeBoc }] = await Promise.all([
    import('./readBocArgument'),
    import('../toolkit/contracts/opcodes/describeBoc'),
  ]);
  const boc = await readBocArgument(argument);
  const readers = await abiReaders(abi, as);
  const content = rootContent(boc, boc.roots[0]!, readers);
  if (json === true) {
    const { contentAnswer } = await import('./bocAnswers');
    writeJsonLine(contentAnswer(boc, content));
  } else {
    writeText(describeBoc(boc, readers).text);
  }
  const { structure, decoded } = content;
  if (
    as !== undefined &&
    (structure === undefined ? decoded?.broken !== false : structure.problems.length > 0)
  ) {
    throw new WorkbenchError({
      code: 'boc-type-differs',
      kind: 'failed',
      message: `This is no ${visibleText(as)}: its cells do not fit that type to the last bit.`,
      hint: 'What was read until there is shown above. Without --as, it is shown as what it evidently is.',
    });
  }
}

/** Readers of message bodies from `--abi` and `--as`, else from the project around the working folder. */
async function abiReaders(abi: string | undefined, as: string | undefined): Promise<DecodeRootOptions> {
  if (abi === undefined) {
    return as === undefined ? projectReaders() : { readAs: await chainType(as) };
  }
  const [{ readLayouts }, { fittingLayout }, { decodeByLayout }] = await Promise.all([
    import('../toolkit/contracts/layouts/readLayouts'),
    import('../toolkit/contracts/layouts/fittingLayout'),
    import('../toolkit/contracts/layouts/decodeByLayout'),
  ]);
  const set = await readLayouts(abi, await readAbiText(abi));
  if (as === undefined) {
    return { readBody: (cell) => fittingLayout(cell, [set]) };
  }
  const structs = [...set.structs.values()];
  const layout = structs.find(({ name }) => name === as);
  if (layout === undefined) {
    throw structUnknownError(
      as,
      structs.map(({ name }) => name),
    );
  }
  return { readRoot: (cell) => decodeByLayout(cell, layout, set) };
}

async function chainType(name: string): Promise<string> {
  const [{ schemaTypeNamed }, { chainSchema }] = await Promise.all([
    import('../toolkit/cell/structures/recognizeStructure'),
    import('../toolkit/cell/structures/chainSchema'),
  ]);
  const type = schemaTypeNamed(name);
  if (type === undefined) {
    const close = closestWord(name, [...chainSchema().keys()]);
    throw new WorkbenchError({
      code: 'struct-unknown',
      kind: 'input',
      message: `Neither block.tlb nor an ABI given with --abi has a type called ${JSON.stringify(name)}.`,
      hint:
        close === undefined
          ? 'For a struct of a contract, give its ABI with --abi; for the blockchain, a type such as Block or ConfigParam20.'
          : `Did you mean ${close}?`,
    });
  }
  return type;
}

async function projectReaders(): Promise<DecodeRootOptions> {
  const [{ projectAround }, { projectLayouts }, { fittingLayout }] = await Promise.all([
    import('./projectWith'),
    import('../toolkit/contracts/layouts/projectLayouts'),
    import('../toolkit/contracts/layouts/fittingLayout'),
  ]);
  const sets = await projectLayouts(await projectAround(surroundings().folder));
  return sets.length === 0 ? {} : { readBody: (cell) => fittingLayout(cell, sets) };
}

function structUnknownError(name: string, known: readonly string[]): WorkbenchError {
  return new WorkbenchError({
    code: 'struct-unknown',
    kind: 'input',
    message: `The ABI has no struct called ${JSON.stringify(name)}.`,
    hint: known.length === 0 ? 'It has no structs at all.' : `It has ${known.slice(0, 20).join(', ')}.`,
  });
}

async function showCode(argument: string, json: boolean): Promise<void> {
  const [{ readBocArgument }, { disassembleCode }, { toCoreCell }] = await Promise.all([
    import('./readBocArgument'),
    import('../toolkit/cell/disassembleCode'),
    import('../toolkit/cell/toCoreCell'),
  ]);
  const boc = await readBocArgument(argument);
  const listing = await disassembleCode(toCoreCell(boc, boc.roots[0]!));
  if (json) {
    const { codeAnswer } = await import('./bocAnswers');
    writeJsonLine(codeAnswer(listing));
  } else {
    writeText(listing.text);
  }
}

async function showDifferences(argument: string, other: string, json: boolean): Promise<void> {
  const [{ readBocArgument }, { diffBocs, diffText }] = await Promise.all([
    import('./readBocArgument'),
    import('../toolkit/cell/diffBocs'),
  ]);
  const [left, right] = [await readBocArgument(argument), await readBocArgument(other)];
  const differences = diffBocs(left, right);
  if (json) {
    const { comparisonAnswer } = await import('./bocAnswers');
    writeJsonLine(comparisonAnswer(differences));
  } else {
    writeText(diffText(left, right, differences));
  }
  if (differences.length > 0) {
    throw new WorkbenchError({
      code: 'bocs-differ',
      kind: 'failed',
      message: `The two BoCs differ in ${differences.length === 1 ? 'one place' : `${differences.length} places`}.`,
    });
  }
}
