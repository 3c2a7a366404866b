import * as vscode from 'vscode';
import { showView } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import { accountsByName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { askText } from '../ui/askText';
import type { Following } from './following';

/** TON: Follow a Message or Account…: shows what happens to it live in the list of traces. */
export async function followCommand(
  services: Services,
  following: Following,
  given: string | undefined,
): Promise<void> {
  const network = services.networks.current().name;
  await services.connections.current();
  const { parseTraceQuery } = await import('../../toolkit/trace/parseTraceQuery');
  const accounts = accountsByName(services);
  const read = (text: string): ReturnType<typeof parseTraceQuery> => parseTraceQuery(text, accounts);
  const answer =
    given ??
    (await askText({
      title: `TON: Follow on ${network}`,
      prompt: 'Message hashes (raw or normalized) separated by spaces, or one account',
      placeholder: 'Hash or account',
      validate: (text) => problemOf(text, read),
    }));
  if (typeof answer !== 'string') {
    return;
  }
  const queries = answer.trim().split(/\s+/).map(read);
  const hashes = queries.flatMap((query) => (query.kind === 'hash' ? [query.hash] : []));
  const account = queries.find((query) => query.kind === 'account')?.account;
  await showView(vscode.commands, 'traces');
  await following.follow({
    ...(hashes.length === 0 ? {} : { hashes }),
    ...(account === undefined ? {} : { account }),
  });
}

function problemOf(text: string, read: (part: string) => { kind: string }): string | undefined {
  const parts = text.trim().split(/\s+/);
  try {
    const accounts = parts.map(read).filter((query) => query.kind === 'account');
    return accounts.length > 1 ? 'You can follow several hashes, but only one account at a time.' : undefined;
  } catch (error) {
    return WorkbenchError.is(error) ? error.message : String(error);
  }
}
