import type { AccountRequest } from '../../commandArguments';
import { asCommand } from '../../contributions';
import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { AccountSectionId } from '../../toolkit/accountReport/accountSections';
import type { AccountReport } from '../../toolkit/accountReport/readAccountReport';
import { toWorkbenchError } from '../../toolkit/errors';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';
import { accountName } from '../accounts/knownAccounts';
import { askAccount } from '../accounts/askAccount';
import { itemAddress } from '../accounts/itemAddress';
import { withProgress } from '../ui/withProgress';
import { coinLabel } from '../ui/coinLabel';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { keepNewest } from '../../toolkit/keepNewest';

/** What an open document shows, so that adding a section fetches only that. */
interface ShownAccount {
  facts: AccountReport;
  /** What the contract's source and get-methods tell. */
  contract: readonly string[];
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
    // The local network answers at once and counts nothing: all sections are read.
    const all = network.kind === 'local' ? accountSectionIds : sections;
    return readShown(services, access, account, known, section === undefined ? all : [section], signal);
  });
  const key = `${network.name} ${shown.facts.raw}`;
  keepNewest(shownAccounts, key, shown, capacity);
  await showAccount(services, shown, key);
}

async function readShown(
  services: Services,
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
  const contract = known?.contract ?? (await readContract(services, access, facts, signal));
  return { facts, contract, sections: { ...known?.sections, ...Object.fromEntries(read) } };
}

/** Lines about the contract; what cannot be read says so, and does not keep the rest from being shown. */
async function readContract(
  services: Services,
  access: Access,
  facts: AccountReport,
  signal: AbortSignal,
): Promise<string[]> {
  if (facts.code === undefined) {
    return [];
  }
  try {
    const [{ readContractFacts, contractLines }, { projectLayouts }, description] = await Promise.all([
      import('../../toolkit/accountReport/contractFacts'),
      import('../../toolkit/layouts/projectLayouts'),
      methodsOf(services, access.network, facts.raw, signal),
    ]);
    const layouts = await projectLayouts(await services.project.list());
    const call = { signal, priority: 'user' } as const;
    const read = await readContractFacts(access, facts, description, layouts, call);
    return contractLines(read, { name: accountName(services), coin: coinLabel() });
  } catch (error) {
    signal.throwIfAborted();
    return ['', 'source and get-methods', `  could not be read: ${toWorkbenchError(error).message}`];
  }
}

async function showAccount(
  services: Services,
  { facts, contract, sections }: ShownAccount,
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
    contract,
    sections,
  });
  const again: AccountRequest = {
    account: { address: raw },
    sections: Object.keys(sections),
  };
  const explorer = network.explorer === undefined ? [] : [`${network.explorer}/${raw}`];
  await services.documents.show(
    `account/${encodeURIComponent(key)}/${name(raw) ?? shortAddress(raw)} on ${facts.network}`,
    {
      text,
      lenses: [
        asCommand('tonWorkbench.openAccount', '$(refresh) Refresh', again),
        asCommand('tonWorkbench.runGetMethod', '$(play) Run get-method', { address: raw }),
        asCommand('tonWorkbench.openTrace', '$(history) Traces', raw),
        asCommand('tonWorkbench.composeMessage', '$(mail) Send…', raw),
        asCommand('tonWorkbench.pinContract', '$(pin) Pin', raw),
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
