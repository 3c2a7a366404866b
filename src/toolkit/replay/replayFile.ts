import { Cell, loadShardAccount } from '@ton/core';
import * as z from 'zod';
import { loadAnyTransaction, loadFolded } from '../cell/loadFolded';
import { readBoc } from '../cell/readBoc';
import { checkShape } from '../base/checkShape';
import { importNetworkConfig } from '../execution/emulator/networkConfig';
import { WorkbenchError, checkVersion } from '../base/errors';
import { WorkBudget, limits, overLimitError } from '../base/limits';
import { numberWidths } from '../base/numberWidths';
import { visibleText } from '../base/text';
import type { ReplayInputs } from './replayInputs';

const format = 'ton-workbench-replay';
const version = 1;

const boc = z.base64().max(limits.bocText.most);
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'is not 64 lowercase hex digits');
const block = z.strictObject({
  seqno: z.int().min(0).max(numberWidths.seqno),
  rootHash: hash,
  fileHash: hash,
});
const blocks = z.array(block).max(16);
const past = z.strictObject({ boc, seed: hash });

const schema = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  network: z.string().max(200),
  account: z.string().regex(/^-?\d{1,3}:[0-9a-f]{64}$/, 'is not a raw address in lowercase hex'),
  seqno: z.int().min(0).max(numberWidths.seqno).optional(),
  target: past,
  state: z.strictObject({ shardAccount: boc, fidelity: z.enum(['exact', 'partial']) }),
  earlier: z.array(past).max(limits.replayEarlier.most),
  config: boc,
  libraries: z.array(boc).max(limits.dumpLibraries.most),
  previousBlocks: z.strictObject({ last: blocks, key: block, hundreds: blocks.optional() }).optional(),
  lacksPreviousBlocks: z.literal(true).optional(),
  missingLibraries: z.array(hash).max(limits.dumpLibraries.most),
  ignoreSignatures: z.literal(true).optional(),
  isOurs: z.literal(true).optional(),
  engine: z.string().max(100).optional(),
});

/** The inputs of a replay as the text of a `*.tonreplay` file. */
export function replayFileText(inputs: ReplayInputs): string {
  return `${JSON.stringify({ format, version, ...inputs }, undefined, 2)}\n`;
}

/**
 * The inputs in a `*.tonreplay` file. Nothing in it is trusted: every BoC is read completely.
 *
 * @throws WorkbenchError `replay-file-invalid`, `format-newer` (input), `over-limit`
 */
export function openReplayFile(text: string): ReplayInputs {
  if (text.length > limits.replayFile.most) {
    throw overLimitError('replayFile');
  }
  const value = parse(text);
  checkVersion('This saved replay', value, version);
  const { data, problem } = checkShape(schema, value);
  if (problem !== undefined) {
    throw invalidError(`${problem.path || 'it'} ${problem.words}`);
  }
  const { format: _format, version: _version, ...inputs } = data;
  checkReplayInputs(inputs);
  return inputs;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw invalidError('it is not JSON', error);
  }
}

let lastChecked: string | undefined;

/**
 * Reads a configuration completely; the last one is not read again, because it is by far the largest part of a replay,
 * and that of the next.
 *
 * @throws what reading throws
 */
export function checkConfig(boc: string): void {
  if (boc !== lastChecked) {
    readBoc(Buffer.from(boc, 'base64'));
    importNetworkConfig(boc, 'file');
    lastChecked = boc;
  }
}

/**
 * Reads every BoC of inputs that come from a file.
 * @throws WorkbenchError `replay-file-invalid` (input), `over-limit`
 */
export function checkReplayInputs(inputs: ReplayInputs): void {
  const cells = new WorkBudget('dumpCells');
  const cell = (text: string): Cell => {
    const bytes = Buffer.from(text, 'base64');
    cells.spend(readBoc(bytes).cellCount);
    return Cell.fromBoc(bytes)[0]!;
  };
  const part = (name: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (WorkbenchError.is(error, 'over-limit')) {
        throw error;
      }
      throw invalidError(`${name}: ${error instanceof Error ? error.message : String(error)}`, error);
    }
  };
  part('target', () => loadAnyTransaction(cell(inputs.target.boc)));
  inputs.earlier.forEach(({ boc: one }, index) => {
    part(`earlier.${index}`, () => loadAnyTransaction(cell(one)));
  });
  part('state', () => loadFolded(cell(inputs.state.shardAccount), loadShardAccount));
  part('config', () => {
    checkConfig(inputs.config);
  });
  inputs.libraries.forEach((one, index) => part(`libraries.${index}`, () => cell(one)));
}

/** @param what the part and its problem; may contain text of the file */
function invalidError(what: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'replay-file-invalid',
    kind: 'input',
    message: `This is not a saved replay: ${visibleText(what, 300)}.`,
    hint: 'Give a file that "TON: Save Replay…" or "ton-workbench replay HASH --save FILE.tonreplay" has written.',
    cause,
  });
}
