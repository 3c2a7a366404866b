import * as vscode from 'vscode';
import { showView } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import { accountsByName } from '../accounts/knownAccounts';
import { domainLookUp, lookUpDomains } from '../accounts/lookUpDomains';
import type { Services } from '../services';
import { askText } from '../ui/askText';
import type { Following } from './following';

/** TON: Follow a Message or Account…: shows it live in the list of traces. */
export async function followCommand(
  services: Services,
  following: Following,
  given: string | undefined,
): Promise<void> {
  const network = services.networks.current().name;
  await services.connections.current();
  const { readFollowTarget } = await import('../../toolkit/trace/readFollowTarget');
  const answer =
    given ??
    (await askText({
      title: `TON: Follow on ${network}`,
      prompt: 'Message hashes (raw or normalized) separated by spaces, or one account',
      placeholder: 'Hash or account',
      validate: (text) => problemOf(() => readFollowTarget(text, accountsByName(services))),
      lookUp: domainLookUp(services),
    }));
  if (typeof answer !== 'string') {
    return;
  }
  await lookUpDomains(services, answer);
  const target = readFollowTarget(answer, accountsByName(services));
  await showView(vscode.commands, 'traces');
  await following.follow(target);
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return WorkbenchError.is(error) ? error.message : String(error);
  }
}
