import type { Boc } from '../toolkit/cell/boc';
import { bocLimits } from '../toolkit/cell/bocMagics';
import { looksLikeBoc, parseBocInput, readBocInput } from '../toolkit/cell/parseBocInput';
import { surroundings } from './surroundings';
import { readGivenFile } from './readGivenFile';

const brace = 0x7b;

/**
 * The BoC given by an argument: `-` is standard input, an existing file is read (binary, text, or build
 * output with a code), and text that looks like a BoC is used as is.
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
  return readBocInput(content[0] === brace ? await compiledCode(content, argument) : content);
}

/** The code in what a compiler or a build tool has written: `{"hex": "b5ee9c72…"}`, `{"code_boc64": "te6cc…"}`. */
async function compiledCode(content: Buffer, path: string): Promise<Buffer> {
  const { readBuiltContract } = await import('../toolkit/build/readBuiltContract');
  return Buffer.from(readBuiltContract(content, path).code);
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
