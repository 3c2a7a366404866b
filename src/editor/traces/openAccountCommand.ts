import type { AccountRequest } from '../../commandArguments';
import { asCommand } from '../../contributions';
import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { AccountSectionId } from '../../toolkit/accountReport/accountSections';
import type { AccountReport } from '../../toolkit/accountReport/readAccountReport';
import type { Services } from '../services';
import { accountName } from '../accounts/knownAccounts';
import { askAccount } from '../accounts/askAccount';
import { itemAddress } from '../accounts/itemAddress';
import { withProgress } from '../ui/withProgress';
import { coinLabel } from '../ui/coinLabel';
import { shortenMiddle } from '../../toolkit/text';
import { keepNewest } from '../../toolkit/keepNewest';

/** What an open document shows, so that adding a section fetches only that. */
interface ShownAccount {
  facts: AccountReport;
  sections: Partial<Record<AccountSectionId, string[]>>;
}

/** Accounts kept; the oldest are evicted. */
const capacity = 50;
const shownAccounts = new Map<string, ShownAccount>();

/** TON: Open Account…: an account and what it owns as a document, with the next steps as lenses. */
export async function openAccountCommand(
  services: Services,
  given: string | AccountRequest | undefined,
): Promise<void> {
  const account =
    itemAddress(given) ??
    (await askAccount(services, { title: 'TON: Open Account', placeholder: 'Choose an account' }));
  if (account === undefined) {
    return;
  }
  const { accountSectionIds } = await import('../../toolkit/accountReport/accountSections');
  const request = typeof given === 'string' ? undefined : given;
  const section = accountSectionIds.find((id) => id === request?.section);
  const sections = accountSectionIds.filter((id) => request?.sections?.includes(id));
  const network = services.networks.current();
  const shown = await withProgress(`Reading an account of ${network.name}`, async (signal) => {
    const access = await services.connections.current(signal);
    const known = section === undefined ? undefined : shownAccounts.get(`${network.name} ${account}`);
    return readShown(access, account, known, section === undefined ? sections : [section], signal);
  });
  const key = `${network.name} ${shown.facts.raw}`;
  keepNewest(shownAccounts, key, shown, capacity);
  await showAccount(services, shown, key);
}

async function readShown(
  access: Access,
  account: string,
  known: ShownAccount | undefined,
  wanted: readonly AccountSectionId[],
  signal: AbortSignal,
): Promise<ShownAccount> {
  const [{ readAccountReport }, { readAccountSection }] = await Promise.all([
    import('../../toolkit/accountReport/readAccountReport'),
    import('../../toolkit/accountReport/accountSections'),
  ]);
  const call = { signal, priority: 'user' } as const;
  const facts = known?.facts ?? (await readAccountReport(access, account, call));
  const read = await Promise.all(
    wanted.map(async (id) => [id, await readAccountSection(access, facts.raw, id, call)] as const),
  );
  return { facts, sections: { ...known?.sections, ...Object.fromEntries(read) } };
}

async function showAccount(
  services: Services,
  { facts, sections }: ShownAccount,
  key: string,
): Promise<void> {
  const [{ accountText }, { accountSections }, { knownMethodName }] = await Promise.all([
    import('../../toolkit/accountReport/accountText'),
    import('../../toolkit/accountReport/accountSections'),
    import('../../toolkit/getMethods/knownMethodName'),
  ]);
  const { raw } = facts;
  const network = services.networks.current();
  const name = accountName(services);
  const { text, unread } = accountText(facts, {
    name,
    methodName: knownMethodName,
    coin: coinLabel(),
    sections,
  });
  const again: AccountRequest = {
    account: { address: raw },
    sections: Object.keys(sections),
  };
  const explorer = network.explorer === undefined ? [] : [`${network.explorer}/${raw}`];
  await services.documents.show(
    `account/${encodeURIComponent(key)}/${name(raw) ?? shortenMiddle(raw)} on ${facts.network}`,
    {
      text,
      lenses: [
        asCommand('tonWorkbench.openAccount', '$(refresh) Refresh', again),
        asCommand('tonWorkbench.runGetMethod', '$(play) Run get-method', { address: raw }),
        asCommand('tonWorkbench.openTrace', '$(history) Traces', raw),
        ...explorer.map((url) => ({
          title: '$(link-external) Explorer',
          command: 'vscode.open',
          arguments: [vscode.Uri.parse(url)],
        })),
      ],
      lineLenses: unread.map(({ section, line }) => {
        const request: AccountRequest = { account: { address: raw }, section };
        return {
          line,
          command: asCommand(
            'tonWorkbench.openAccount',
            `$(cloud-download) ${accountSections[section].lens}`,
            request,
          ),
        };
      }),
    },
    { language: 'ton-report' },
  );
}
