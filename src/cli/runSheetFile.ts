import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseCallSheet } from '../toolkit/callSheet/parseCallSheet';
import { runCallSheet } from '../toolkit/workflows/runCallSheet';
import type { CallOutcome, SheetNetwork } from '../toolkit/workflows/runCallSheet';
import { WorkbenchError } from '../toolkit/errors';
import type { GetMethodSignature } from '../toolkit/abi/getMethodSignature';
import { exitFact, gasFact } from '../toolkit/getMethods/resultFacts';
import { resultToJson } from '../toolkit/getMethods/resultToJson';
import { visibleText } from '../toolkit/text';
import type { Access } from '../toolkit/access/createAccess';
import type { Network } from '../toolkit/access/network';
import { fileError } from './fileError';
import { localAccountNames } from './localAccounts';
import { isWithin, openAccess, originsOf, readApiKey } from './network';
import { configuredNetworks } from '../toolkit/access/resolveNetwork';
import { networkHere } from './networkHere';
import type { NetworkOptions } from './network';
import { writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './stopSignal';
import { readTypesFile, TypesOfSheet } from './runTypes';

interface SheetOptions extends NetworkOptions {
  json?: true;
  /** A file that declares get-methods. */
  types?: string;
  /** `--network` was given on the command line: it overrides every network of the sheet. */
  isNetworkGiven: boolean;
}

interface OpenNetwork extends SheetNetwork {
  access: Access;
}

/** Runs a *.toncall file: a line per call, then the count. Fails with the first error. */
export async function runSheetFile(file: string, options: SheetOptions): Promise<void> {
  const text = await readSheet(file);
  const sheet = parseCallSheet(text);
  if (sheet.calls.length === 0 && sheet.problems.length === 0) {
    throw new WorkbenchError({
      code: 'sheet-empty',
      kind: 'input',
      message: `${file} has no calls.`,
      hint: 'A call is a line such as: alice seqno()',
    });
  }
  const networks = new Map<string, Promise<OpenNetwork>>();
  const network = (name: string | undefined): Promise<OpenNetwork> => {
    const wanted = options.isNetworkGiven ? options.network : (name ?? options.network);
    const opened = networks.get(wanted) ?? openNetwork(wanted, file, options);
    networks.set(wanted, opened);
    return opened;
  };
  const types = new TypesOfSheet(file, options.types === undefined ? [] : await readTypesFile(options.types));
  const signal = stopSignal();
  const signatures = new Map<string, GetMethodSignature>();
  const running = runCallSheet(sheet, {
    network,
    signal,
    signature: async (address, method, { access }) => {
      const signature = await types.signatureOf(access, address, method, signal);
      if (signature !== undefined) {
        signatures.set(`${address} ${method}`, signature);
      }
      return signature;
    },
    exits: (address, { access }) => types.describe(access, address, signal),
    isDeployed: (address, { access }) => types.isDeployed(access, address, signal),
    readFile: (name) => readFileSync(path.resolve(path.dirname(file), name)),
    onOutcome: (outcome) => {
      if (options.json) {
        const { result } = outcome;
        const key = result === undefined ? '' : `${result.address} ${result.method}`;
        writeJsonLine(toJson(outcome, signatures.get(key)));
      } else {
        writeText(
          toText(outcome, outcome.passed ? '' : `  ${file}:${placeIn(text, outcome.call.offset).line}`),
        );
      }
    },
  });
  const outcomes = await running.catch((error: unknown) => {
    throw withPlace(error, file, text);
  });
  const failed = outcomes.filter(({ passed }) => !passed);
  if (!options.json) {
    writeText(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
  }
  const error = failed.find((outcome) => outcome.error !== undefined)?.error;
  if (error !== undefined) {
    throw withPlace(error, file, text);
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

async function openNetwork(name: string, file: string, options: SheetOptions): Promise<OpenNetwork> {
  const { network, preferredApi } = networkHere(name);
  const chosen = networkHere(options.network).network;
  if (!isWithin(network, originsOf(chosen))) {
    await tellForeignNetwork(network, chosen, file, options);
  }
  const [access, accounts] = await Promise.all([
    openAccess(network, options, chosen),
    localAccountNames(network),
  ]);
  return { access, accounts, preferredApi };
}

/** A sheet may come from anywhere: its target is announced before the first request, and gets no API key. */
async function tellForeignNetwork(
  network: Network,
  chosen: Network,
  file: string,
  { apiKeyFile }: SheetOptions,
): Promise<void> {
  const isConfigured = configuredNetworks.some(({ name }) => name === network.name);
  const hasKey = (await readApiKey(chosen, apiKeyFile)) !== undefined;
  if (isConfigured && !hasKey) {
    return;
  }
  const place = [...originsOf(network)].join(', ');
  writeNote(
    [
      `${file} asks for calls on ${place}${isConfigured ? '' : ', which is not a configured network'}.`,
      ...(hasKey
        ? [`The API key is for ${chosen.name} and is not sent there; use --network to choose a network.`]
        : []),
    ].join(' '),
  );
}

async function readSheet(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw fileError({ path: file, what: 'The call sheet', code: 'file-unreadable' }, cause);
  }
}

function toJson(
  { call, passed, result, failures, error }: CallOutcome,
  signature: GetMethodSignature | undefined,
): Record<string, unknown> {
  return {
    title: call.title,
    passed,
    failures,
    ...(result === undefined ? {} : resultToJson(result, signature)),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/** One-based, as in editors. */
function placeIn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Errors in a sheet begin with `file:line:column` instead of an offset in the whole text. */
function withPlace(error: unknown, file: string, text: string): unknown {
  if (!WorkbenchError.is(error, 'call-sheet-invalid') || typeof error.details.offset !== 'number') {
    return error;
  }
  const { line, column } = placeIn(text, error.details.offset);
  const { code, kind, hint } = error;
  return new WorkbenchError({
    code,
    kind,
    message: `${file}:${line}:${column}: ${error.message}`,
    hint,
    details: { line, column },
    cause: error,
  });
}

/** @param place of the failed call */
function toText({ call, passed, result, failures }: CallOutcome, place: string): string {
  const facts =
    result === undefined
      ? ''
      : `  ${exitFact(result)}, ${gasFact(result)}, ${Math.round(result.elapsedMs)} ms`;
  return [
    `${passed ? '✓' : '✗'} ${visibleText(call.title)}${facts}${place}`,
    ...failures.map((failure) => `    ${visibleText(failure)}`),
  ].join('\n');
}
