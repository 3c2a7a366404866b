import type { AccountRequest } from '../../commandTargets';
import { asCommand } from '../../contributions';
import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { AccountSectionId } from '../../toolkit/accountReport/accountSections';
import type { ContractText } from '../../toolkit/accountReport/contractFacts';
import type { AccountReport } from '../../toolkit/accountReport/readAccountReport';
import { toWorkbenchError } from '../../toolkit/base/errors';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../project/services';
import { accountName } from '../project/accountName';
import { askAccount } from '../project/askAccount';
import { itemAddress } from '../project/itemAddress';
import { afterAnswers } from '../ui/registerCommands';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import { coinLabel } from '../ui/readWorkspaceFile';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { describeForList } from './openTraceCommand';
import { keepNewest } from '../../toolkit/base/collections';

type LineLens = NonNullable<ReadOnlyDocument['lineLenses']>[number];

/** What an open document shows, so that adding a section fetches only that. */
interface ShownAccount {
  facts: AccountReport;
  /** What is known from the contract's source and get-methods; undefined without code. */
  contract: ShownContract | undefined;
  /** The newest traces; undefined if the network cannot list them. */
  traces: readonly string[] | undefined;
  sections: Partial<Record<AccountSectionId, string[]>>;
}

interface ShownContract {
  text: ContractText;
  methods: ReadonlyMap<number, string>;
  /** Its source or build output in the workspace. */
  file?: string | undefined;
}

/** Maximum traces in the document; the lens shows more. */
const mostTraces = 5;

/** Maximum accounts kept; the oldest are dropped. */
const capacity = 50;
const shownAccounts = new Map<string, ShownAccount>();

/** TON: Open Account…: an account and its assets as a document, with the next steps as lenses. */
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
  await afterAnswers([given ?? account], () => openAccount(services, account, given));
}

async function openAccount(
  services: Services,
  account: string,
  given: string | AccountRequest | undefined,
): Promise<void> {
  const { accountSectionIds } = await import('../../toolkit/accountReport/accountSections');
  const request = typeof given === 'string' ? undefined : given;
  const section = accountSectionIds.find((id) => id === request?.section);
  const sections = accountSectionIds.filter((id) => request?.sections?.includes(id));
  const network = services.networks.current();
  const shown = await withProgress(`Reading an account of ${network.name}`, async (signal) => {
    const access = await services.connections.current(signal);
    const known = section === undefined ? undefined : shownAccounts.get(`${network.name} ${account}`);
    // The local network answers at once and has no rate limit, so all sections are read.
    const all = network.kind === 'local' ? accountSectionIds : sections;
    return readShown(services, access, account, known, section === undefined ? all : [section], signal);
  });
  const key = `${network.name} ${shown.facts.raw}`;
  keepNewest(shownAccounts, key, shown, capacity);
  await showAccount(services, shown, key, section);
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
  // A part that cannot be read says so, and does not prevent the others from being shown.
  const [read, contract, traces] = await Promise.all([
    Promise.all(
      wanted.map(
        async (id) => [id, await readAccountSection(access, facts.raw, id, call, coinLabel())] as const,
      ),
    ),
    known === undefined ? readContract(services, access, facts, signal) : known.contract,
    known === undefined ? readTraces(services, access, facts.raw, signal) : known.traces,
  ]);
  return { facts, contract, traces, sections: { ...known?.sections, ...Object.fromEntries(read) } };
}

async function readTraces(
  services: Services,
  access: Access,
  raw: string,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (access.network.v3 === undefined) {
    return undefined;
  }
  try {
    const [{ newestTraces }, { traceSourceOf }, { traceLines }] = await Promise.all([
      import('../../toolkit/trace/findTrace'),
      import('../../toolkit/access/traceSourceOf'),
      import('../../toolkit/accountReport/contractFacts'),
    ]);
    const models = await newestTraces(traceSourceOf(access), raw, { limit: mostTraces, signal });
    const origin = { network: access.network.name };
    const listed = await Promise.all(models.map((model) => describeForList(services, model, origin)));
    return traceLines(listed.map(({ context }) => context));
  } catch (error) {
    signal.throwIfAborted();
    return [`  could not be read: ${toWorkbenchError(error).message}`];
  }
}

async function readContract(
  services: Services,
  access: Access,
  facts: AccountReport,
  signal: AbortSignal,
): Promise<ShownContract | undefined> {
  if (facts.code === undefined) {
    return undefined;
  }
  try {
    const [{ readContractFacts, contractText }, { projectLayouts }, { methodNames }, description] =
      await Promise.all([
        import('../../toolkit/accountReport/contractFacts'),
        import('../../toolkit/contracts/layouts/projectLayouts'),
        import('../../toolkit/contracts/abi/methodNamed'),
        methodsOf(services, access.network, facts.raw, signal),
      ]);
    const layouts = await projectLayouts(await services.project.list());
    const call = { signal, priority: 'user' } as const;
    const read = await readContractFacts(access, facts, description, layouts, call);
    const text = contractText(read, {
      ...{ name: accountName(services), coin: coinLabel() },
      jetton: facts.ownJetton?.unit,
    });
    return { text, methods: methodNames(description), file: description.file };
  } catch (error) {
    signal.throwIfAborted();
    const why = `  could not be read: ${toWorkbenchError(error).message}`;
    return { text: { kind: 'contract', lines: ['', 'source and get-methods', why] }, methods: new Map() };
  }
}

async function showAccount(
  services: Services,
  { facts, contract, traces, sections }: ShownAccount,
  key: string,
  section: AccountSectionId | undefined,
): Promise<void> {
  const [{ accountText }, { accountSections }, { knownMethodName }] = await Promise.all([
    import('../../toolkit/accountReport/accountText'),
    import('../../toolkit/accountReport/accountSections'),
    import('../../toolkit/getMethods/knownMethodName'),
  ]);
  const { raw } = facts;
  const network = services.networks.current();
  const name = accountName(services);
  const { text, headings, unread, choiceLine } = accountText(facts, {
    name,
    methodName: (id) => contract?.methods.get(id) ?? knownMethodName(id),
    coin: coinLabel(),
    contract: contract?.text,
    traces,
    sections,
  });
  const again: AccountRequest = {
    account: { address: raw },
    sections: Object.keys(sections),
  };
  const undo = {
    line: choiceLine ?? 0,
    command: asCommand('tonWorkbench.forgetContractSource', 'Undo', again),
  };
  const explorer = network.explorer === undefined ? [] : [`${network.explorer}/${raw}`];
  const editor = await services.documents.show(
    `account/${encodeURIComponent(key)}/${name(raw) ?? shortAddress(raw)} on ${facts.network}`,
    {
      text,
      lenses: [
        asCommand('tonWorkbench.openAccount', '$(refresh) Refresh', again),
        asCommand('tonWorkbench.runGetMethod', '$(play) Run get-method', { address: raw }),
        asCommand('tonWorkbench.openTrace', '$(history) Traces', raw),
        asCommand('tonWorkbench.composeMessage', '$(mail) Send…', raw),
        ...(contract?.file === undefined
          ? []
          : [asCommand('tonWorkbench.showCoverage', '$(run-coverage) Coverage', raw)]),
        ...(network.kind === 'local'
          ? [asCommand('tonWorkbench.localFaucet', '$(add) Faucet…', { account: { address: raw } })]
          : []),
        services.pins.find(facts.network, raw) === undefined
          ? asCommand('tonWorkbench.pinContract', '$(pin) Pin Contract', raw)
          : asCommand('tonWorkbench.removeContract', '$(pinned) Unpin Contract', {
              pin: { network: facts.network, address: raw },
            }),
        ...explorer.map((url) => ({
          title: '$(link-external) Explorer',
          command: 'vscode.open',
          arguments: [vscode.Uri.parse(url)],
        })),
      ],
      lineLenses: unread
        .map(({ section, line }): LineLens => {
          const request: AccountRequest = { account: { address: raw }, section };
          return {
            line,
            command: asCommand(
              'tonWorkbench.openAccount',
              `$(cloud-download) ${accountSections[section].lens}`,
              request,
            ),
          };
        })
        .concat(choiceLine === undefined ? [] : [undo]),
    },
    { language: 'ton-report' },
  );
  const line = section === undefined ? undefined : headings.get(section);
  if (line !== undefined) {
    const start = new vscode.Position(line, 0);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
  }
}
