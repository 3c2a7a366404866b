import type { Command } from 'commander';
import { writeJsonLine, writeText } from './output';

interface BocOptions {
  json?: true;
  code?: true;
  compare?: string;
}

/** `boc FILE|BASE64|HEX|-`: what is inside a bag of cells. */
export function registerBoc(program: Command): void {
  program
    .command('boc')
    .description('Show what is inside a bag of cells (BoC): messages, bodies, code, every cell')
    .argument('<boc>', 'a file, a BoC in base64 or hex, or - for the standard input')
    .option('--json', 'the result as one JSON line')
    .option('--code', 'disassemble it as the code of a contract')
    .option('--compare <boc>', 'show where another BoC differs')
    .action(async (argument: string, options: BocOptions) => {
      if (options.code === true) {
        await showCode(argument, options.json === true);
      } else if (options.compare !== undefined) {
        await showDifferences(argument, options.compare, options.json === true);
      } else {
        await showBoc(argument, options.json === true);
      }
    });
}

async function showBoc(argument: string, json: boolean): Promise<void> {
  const [{ readBocArgument }, { decodeRoot, describeBoc }, { bodyToJson }] = await Promise.all([
    import('./bocArgument'),
    import('../toolkit/cell/describeBoc'),
    import('../toolkit/opcodes/bodyToJson'),
  ]);
  const boc = await readBocArgument(argument);
  if (!json) {
    writeText(describeBoc(boc).text);
    return;
  }
  const decoded = decodeRoot(boc, boc.roots[0]!);
  writeJsonLine({
    bytes: boc.header.totalLength,
    cells: boc.cellCount,
    roots: boc.roots.map((root) => ({
      hash: boc.hashHex(root),
      depth: boc.depth(root),
      kind: boc.kind(root),
      bits: boc.bitLength(root),
      refs: boc.referenceCount(root),
    })),
    decoded: decoded === undefined ? null : bodyToJson(decoded),
  });
}

async function showCode(argument: string, json: boolean): Promise<void> {
  const [{ readBocArgument }, { disassembleCode }, { toCoreCell }] = await Promise.all([
    import('./bocArgument'),
    import('../toolkit/cell/disassembleCode'),
    import('../toolkit/cell/toCoreCell'),
  ]);
  const boc = await readBocArgument(argument);
  const listing = await disassembleCode(toCoreCell(boc, boc.roots[0]!));
  if (json) {
    writeJsonLine({
      methods: listing.methods.map(({ id, name, text }) => ({ id, name: name ?? null, text })),
      text: listing.text,
    });
  } else {
    writeText(listing.text);
  }
}

async function showDifferences(argument: string, other: string, json: boolean): Promise<void> {
  const [{ readBocArgument }, { diffBocs, diffText }] = await Promise.all([
    import('./bocArgument'),
    import('../toolkit/cell/diffBocs'),
  ]);
  const [left, right] = [await readBocArgument(argument), await readBocArgument(other)];
  const differences = diffBocs(left, right);
  if (json) {
    writeJsonLine({ equal: differences.length === 0, differences });
  } else {
    writeText(diffText(left, right, differences));
  }
}
