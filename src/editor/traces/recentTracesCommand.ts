import * as vscode from 'vscode';
import type { AccountRow } from '../../commandTargets';
import { runCommand, showView } from '../../contributions';
import type { TraceFilter } from '../../toolkit/trace/traceFilter';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import { askAccount } from '../project/askAccount';
import { itemAddress } from '../project/itemAddress';
import { withProgress } from '../ui/withProgress';
import type { AccountListing, OpenTrace, OpenTraces } from './openTraces';
import { describeForList } from './openTraceCommand';
import type { TraceFilters } from './traceFilters';
import { shortAddress } from '../../toolkit/address/shortAddress';

/** Number of traces per request. */
const pageSize = 20;
/** Maximum pages searched with a rare filter before asking whether to continue. */
const pagesAtOnce = 10;

/**
 * TON: Recent Traces of an Account…: the newest traces of an account, from a row or asked for; "Load more" continues
 * the list.
 */
export async function recentTracesCommand(
  services: Services,
  traces: OpenTraces,
  filters: TraceFilters,
  item: AccountRow | undefined,
): Promise<void> {
  const account =
    itemAddress(item) ??
    (await askAccount(services, { title: 'TON: Recent Traces', placeholder: 'Choose an account' }));
  if (account === undefined) {
    return;
  }
  const { parseAddressInput } = await import('../../toolkit/address/parseAddressInput');
  const raw = parseAddressInput(account).toRawString();
  const listing: AccountListing = {
    origin: services.networks.current().name,
    account: raw,
    title: accountName(services)(raw) ?? shortAddress(raw),
    loaded: 0,
    hasMore: true,
  };
  const found = await loadPages(services, listing, filters);
  if (found.listing.loaded === 0 && found.traces.length === 0) {
    void vscode.window.showInformationMessage(
      `${listing.title} has no traces on ${listing.origin}${filters.isEmpty() ? '' : ` (${filters.words()})`}.`,
    );
    return;
  }
  traces.setListing(found.listing);
  traces.add(found.traces);
  await showView(vscode.commands, 'traces');
  const [first] = found.traces;
  if (first !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.showTracePage', { key: first.key }, true);
  }
}

/** The row "Load more": older traces of the listed account. */
export async function moreTracesCommand(
  services: Services,
  traces: OpenTraces,
  filters: TraceFilters,
): Promise<void> {
  const listing = traces.listing();
  if (listing === undefined || !listing.hasMore) {
    return;
  }
  const found = await loadPages(services, listing, filters);
  traces.add(found.traces, 'end');
  traces.setListing(found.listing);
  if (found.traces.length === 0 && found.listing.hasMore) {
    void vscode.window.showInformationMessage(
      `None of the ${found.listing.loaded} traces of ${listing.title} match (${filters.words()}). Load more to look further back.`,
    );
  }
}

/** Fetches pages until one holds a matching trace, there are no more, or the limit is reached. */
async function loadPages(
  services: Services,
  listing: AccountListing,
  filters: TraceFilters,
): Promise<{ listing: AccountListing; traces: OpenTrace[] }> {
  const network = services.networks.find(listing.origin);
  const access = await services.connections.to(network ?? services.networks.current());
  return withProgress(`Traces of ${listing.title} on ${listing.origin}`, async (signal, report) => {
    const [{ newestTraces }, { traceSourceOf }, { matchesFilter }] = await Promise.all([
      import('../../toolkit/trace/findTrace'),
      import('../../toolkit/access/traceSourceOf'),
      import('../../toolkit/trace/traceFilter'),
    ]);
    const filter: TraceFilter = { ...filters.value(), account: listing.account };
    const { startTime } = filters.value();
    let { loaded, hasMore } = listing;
    const traces: OpenTrace[] = [];
    for (let page = 0; page < pagesAtOnce && hasMore && traces.length === 0; page++) {
      const options = { signal, limit: pageSize, offset: loaded, startTime };
      const models = await newestTraces(traceSourceOf(access), listing.account, options);
      const inBlocks = models.filter(({ state }) => state !== 'pending').length;
      loaded += inBlocks;
      hasMore = inBlocks === pageSize;
      const opened = await Promise.all(
        models.map((model) => describeForList(services, model, { network: listing.origin })),
      );
      traces.push(...opened.filter(({ context }) => matchesFilter(context, filter)));
      report(`${loaded} loaded`);
    }
    return { listing: { ...listing, loaded, hasMore }, traces };
  });
}
