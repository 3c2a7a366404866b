import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { TraceKnowledge } from '../../toolkit/trace/traceContext';
import { knownAccounts } from '../getMethods/knownAccounts';
import type { Services } from '../services';

/** What this window knows around a trace: the names of accounts and the coin's label. */
export function traceKnowledge(services: Services): TraceKnowledge {
  return {
    names: new Map(knownAccounts(services).map((account) => [account.address, account.name])),
    coin: readSetting(vscode.workspace, 'tonWorkbench.coinLabel'),
  };
}
