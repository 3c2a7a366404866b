import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseCallSheet } from '../toolkit/callSheet/parseCallSheet';
import { runCallSheet } from '../toolkit/callSheet/runCallSheet';
import type { CallOutcome, SheetNetwork } from '../toolkit/callSheet/runCallSheet';
import { WorkbenchError } from '../toolkit/errors';
import { resultToJson } from '../toolkit/getMethods/resultToJson';
import { groupDigits } from '../toolkit/getMethods/numberText';
import { visibleText } from '../toolkit/text';
import { localAccounts } from './localAccounts';
import { openAccess, resolveNetwork } from './network';
import type { NetworkOptions } from './network';
import { stopSignal, writeJsonLine, writeText } from './output';

interface SheetOptions extends NetworkOptions {
  json?: true;
  /** `--network` was written on the command line: it then stands for every network of the sheet. */
  isNetworkGiven: boolean;
}

/** Runs a *.toncall file: a line per call, then the count. Fails with what went wrong first. */
export async function runSheetFile(file: string, options: SheetOptions): Promise<void> {
  const sheet = parseCallSheet(await readSheet(file));
  const networks = new Map<string, Promise<SheetNetwork>>();
  const network = (name: string | undefined): Promise<SheetNetwork> => {
    const wanted = options.isNetworkGiven ? options.network : (name ?? options.network);
    const opened = networks.get(wanted) ?? openNetwork(wanted, options);
    networks.set(wanted, opened);
    return opened;
  };
  const outcomes = await runCallSheet(sheet, {
    network,
    signal: stopSignal(),
    readFile: (name) => readFileSync(path.resolve(path.dirname(file), name)),
    onOutcome: (outcome) => {
      if (options.json) {
        writeJsonLine(toJson(outcome));
      } else {
        writeText(toText(outcome));
      }
    },
  });
  const failed = outcomes.filter(({ passed }) => !passed);
  if (!options.json) {
    writeText(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
  }
  const error = failed.find((outcome) => outcome.error !== undefined)?.error;
  if (error !== undefined) {
    throw error;
  }
  const [first] = failed;
  if (first !== undefined) {
    throw new WorkbenchError({
      code: 'expectation-failed',
      kind: 'failed',
      message: `${failed.length} of ${outcomes.length} calls failed, first “${first.call.title}”: ${first.failures[0]}`,
    });
  }
}

async function openNetwork(name: string, options: SheetOptions): Promise<SheetNetwork> {
  const { network, preferredApi } = resolveNetwork(name);
  const [access, accounts] = await Promise.all([openAccess(network, options), localAccounts(network)]);
  return { access, accounts, preferredApi };
}

async function readSheet(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new WorkbenchError({
      code: 'file-unreadable',
      kind: 'input',
      message: `The call sheet ${JSON.stringify(file)} cannot be read.`,
      hint: 'Check the path.',
      cause,
    });
  }
}

function toJson({ call, passed, result, failures, error }: CallOutcome): Record<string, unknown> {
  return {
    title: call.title,
    passed,
    failures,
    ...(result === undefined ? {} : resultToJson(result)),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

function toText({ call, passed, result, failures }: CallOutcome): string {
  const facts =
    result === undefined
      ? ''
      : `  exit ${result.exitCode}, gas ${groupDigits(result.gasUsed)}, ${Math.round(result.elapsedMs)} ms`;
  return [
    `${passed ? '✓' : '✗'} ${visibleText(call.title)}${facts}`,
    ...failures.map((failure) => `    ${visibleText(failure)}`),
  ].join('\n');
}
