import type { Boc } from '../toolkit/cell/boc';
import { bocLimits } from '../toolkit/cell/bocLimits';
import { looksLikeBoc, parseBocInput, readBocInput } from '../toolkit/cell/parseBocInput';
import { surroundings } from './surroundings';
import { readGivenFile } from './readGivenFile';

/**
 * The BoC given by an argument: `-` is standard input, an existing file is read (binary, text, or Blueprint's
 * `*.compiled.json`), and text that looks like a BoC is used as is.
 *
 * @throws WorkbenchError `boc-file-unreadable` (input), and the errors of reading a BoC.
 */
export async function readBocArgument(argument: string): Promise<Boc> {
  if (argument === '-') {
    return readBocInput(await readStandardInput());
  }
  let content: Buffer;
  try {
    const hint = 'Give a file, a BoC in base64 (te6cc…) or hex (b5ee9c72…), or - for the standard input.';
    content = await readGivenFile({ path: argument, code: 'boc-file-unreadable', hint }, 'bocText');
  } catch (cause) {
    if (looksLikeBoc(argument)) {
      return parseBocInput(argument);
    }
    throw cause;
  }
  return readBocInput(compiledCode(content) ?? content);
}

/** The code in Blueprint's `build/NAME.compiled.json`, `{"hex": "b5ee9c72…"}`. */
function compiledCode(content: Buffer): Buffer | undefined {
  if (content[0] !== 0x7b) {
    return undefined;
  }
  try {
    const { hex } = JSON.parse(content.toString('utf8')) as { hex?: unknown };
    return typeof hex === 'string' ? Buffer.from(hex) : undefined;
  } catch {
    return undefined;
  }
}

async function readStandardInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of surroundings().input as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    // As text, a BoC takes up to twice its bytes; anything longer is invalid anyway.
    if (length > bocLimits.bytes * 3) {
      break;
    }
  }
  return Buffer.concat(parts);
}
