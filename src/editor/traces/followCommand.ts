import * as vscode from 'vscode';
import { showView } from '../../contributions';
import { isLink } from '../../toolkit/address/parseAddressInput';
import { WorkbenchError } from '../../toolkit/base/errors';
import { accountsByName } from '../project/accountName';
import { domainLookUp, lookUpDomains } from '../project/domainLookUp';
import type { Services } from '../project/services';
import { networkOfText } from '../networks/addNetwork';
import { afterAnswers } from '../ui/registerCommands';
import { askText } from '../ui/askText';
import type { Following } from './following';

/** TON: Follow a Message or Account…: shows it live in the list of traces. */
export async function followCommand(
  services: Services,
  following: Following,
  given: string | undefined,
): Promise<void> {
  const { readFollowTarget } = await import('../../toolkit/trace/readFollowTarget');
  const { name } = services.networks.current();
  if (given === undefined) {
    await services.connections.current();
  }
  const answer =
    given ??
    (await askText({
      title: `TON: Follow on ${name}`,
      prompt: 'Message hashes (raw or normalized) or links separated by spaces, or one account',
      placeholder: 'Hash or account',
      validate: (text) => problemOf(() => readFollowTarget(text, accountsByName(services))),
      lookUp: domainLookUp(services),
    }));
  if (typeof answer !== 'string') {
    return;
  }
  const network = await networkOfText(services, answer.split(/\s+/).find(isLink) ?? answer);
  if (network === undefined) {
    return;
  }
  await afterAnswers([answer], async () => {
    await lookUpDomains(services, answer, network);
    const target = readFollowTarget(answer, accountsByName(services, network));
    await showView(vscode.commands, 'traces');
    await following.follow(target, network);
  });
}

function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return WorkbenchError.is(error) ? error.message : String(error);
  }
}
