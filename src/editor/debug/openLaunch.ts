import * as vscode from 'vscode';
import { abortedError, WorkbenchError } from '../../toolkit/base/errors';
import { networkOfText } from '../networks/addNetwork';
import { readReplay } from '../replay/replayCommands';
import type { ReplayServices } from '../replay/replays';
import { debugProgramOf, programOfTarget } from './debugPrograms';
import type { TitledProgram } from './debugPrograms';

/**
 * What a launch names: a program that a command has prepared, a saved replay (`file`), a transaction's hash
 * or a link to it (`transaction`), or a get-method (`call`).
 *
 * @throws WorkbenchError `debug-launch-invalid`, and as `debugProgramOf`
 */
export async function openLaunch(
  services: ReplayServices,
  held: TitledProgram | undefined,
  launch: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<TitledProgram> {
  if (held !== undefined) {
    return held;
  }
  const { file, transaction, network, call } = launch;
  if (typeof file === 'string') {
    return programOfTarget(services, await readReplay(vscode.Uri.file(file)));
  }
  const named = services.networks.list().find(({ name }) => name === network);
  if (typeof network === 'string' && named === undefined) {
    throw invalid(`There is no network called ${network}.`, 'TON: Switch Network… lists the networks.');
  }
  const chosen = named ?? services.networks.current();
  if (typeof transaction === 'string') {
    const { parseTraceQuery } = await import('../../toolkit/trace/parseTraceQuery');
    const query = parseTraceQuery(transaction);
    if (query.kind !== 'hash') {
      throw invalid('"transaction" is an account.', 'Give the hash of one of its transactions.');
    }
    const linked = named ?? (await networkOfText(services, transaction));
    if (linked === undefined) {
      throw abortedError();
    }
    return programOfTarget(services, { hash: query.hash, network: linked }, signal);
  }
  if (isCall(call)) {
    const { account, method, stack = '' } = call;
    const titled = await debugProgramOf(services, { network: chosen.name, address: account, method, stack });
    if (titled !== undefined) {
      return titled;
    }
  }
  throw invalid(
    launch['program'] === undefined
      ? 'The launch configuration names nothing to debug.'
      : 'This session belonged to an earlier window.',
    'Give "transaction" with a hash, "file" with a saved replay, or "call" with "account" and "method".',
  );
}

interface LaunchedCall {
  account: string;
  method: string;
  stack?: string;
}

function isCall(value: unknown): value is LaunchedCall {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const { account, method, stack = '' } = value as Record<string, unknown>;
  return typeof account === 'string' && typeof method === 'string' && typeof stack === 'string';
}

function invalid(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code: 'debug-launch-invalid', kind: 'input', message, hint });
}
