import * as vscode from 'vscode';
import type { Boc } from '../../toolkit/cell/boc';

const characters = /[\w+/=-]/;

/** The maximum length of a command link. */
const longest = 60_000;

/** A hover must not take long: larger bags of cells are read when they are inspected. */
const mostHoverCells = 2_000;
const hoverLines = 20;

/** Hover over a BoC in base64 or hex: its size and a link to inspect it, or why it cannot be read. */
export async function bocHover(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const range = wordAt(document, position);
  const text = range === undefined ? '' : document.getText(range);
  if (text.length < 12 || !/^(te6cc|b5ee9c72|0xb5ee9c72)/i.test(text)) {
    return undefined;
  }
  const { parseBocInput } = await import('../../toolkit/cell/parseBocInput');
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = { enabledCommands: ['tonWorkbench.inspectBoc'] };
  try {
    const boc = parseBocInput(text);
    const cells = boc.cellCount === 1 ? '1 cell' : `${boc.cellCount} cells`;
    markdown.appendText(`Bag of cells, ${cells}, depth ${boc.depth(boc.roots[0]!)}`);
    const lines = await structureWords(boc);
    if (lines.length > 0) {
      markdown.appendCodeblock(lines.join('\n'), 'ton-report');
    }
  } catch (error) {
    markdown.appendText(error instanceof Error ? error.message : String(error));
    return new vscode.Hover(markdown, range);
  }
  if (text.length <= longest) {
    const argument = encodeURIComponent(JSON.stringify([text]));
    markdown.appendMarkdown(`  \n[Inspect](command:tonWorkbench.inspectBoc?${argument})`);
  }
  return new vscode.Hover(markdown, range);
}

/** A block, a proof, a parameter of the configuration, and the like as its first fields; nothing for other cells. */
async function structureWords(boc: Boc): Promise<string[]> {
  if (boc.cellCount > mostHoverCells) {
    return [];
  }
  const [{ rootContent }, { structureLines }] = await Promise.all([
    import('../../toolkit/contracts/opcodes/describeBoc'),
    import('../../toolkit/cell/structures/structureText'),
  ]);
  const { structure } = rootContent(boc, boc.roots[0]!);
  return structure === undefined ? [] : structureLines(structure, { most: hoverLines });
}

/** The editor's own word search gives up on long words; a BoC is long. */
function wordAt(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): vscode.Range | undefined {
  const { text } = document.lineAt(line);
  let [start, end] = [character, character];
  while (start > 0 && characters.test(text[start - 1]!)) {
    start--;
  }
  while (end < text.length && characters.test(text[end]!)) {
    end++;
  }
  return start === end ? undefined : new vscode.Range(line, start, line, end);
}
