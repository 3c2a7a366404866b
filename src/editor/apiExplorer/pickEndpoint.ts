import * as vscode from 'vscode';
import type { Endpoint } from '../../toolkit/access/endpoint/endpoint';
import type { Services } from '../services';
import { endpointId } from '../../toolkit/access/endpointId';
import { RememberedCalls } from './rememberedCalls';

type Item = vscode.QuickPickItem & { endpoint?: Endpoint };

/** Offers all endpoints by name, category, purpose, or path, recently called ones first. */
export async function pickEndpoint({ context, networks }: Services): Promise<Endpoint | undefined> {
  const network = networks.current();
  const { allEndpoints } = await import('../../toolkit/access/listEndpoints');
  // v3 first, because it has most of the answers.
  const endpoints = allEndpoints()
    .map(({ endpoint }) => endpoint)
    .sort((one, other) => other.layer.localeCompare(one.layer));
  const recent = new RememberedCalls(context.workspaceState).recent();
  const used = recent.flatMap((id) => endpoints.filter((endpoint) => endpointId(endpoint) === id));
  const rest = endpoints.filter((endpoint) => !used.includes(endpoint));
  const items: Item[] = [];
  let group = '';
  for (const endpoint of [...used, ...rest]) {
    const heading = used.includes(endpoint) ? 'recent' : `${endpoint.layer} ${endpoint.category}`;
    if (heading !== group) {
      items.push({ label: heading, kind: vscode.QuickPickItemKind.Separator });
      group = heading;
    }
    items.push({
      label: endpoint.path.slice(1),
      description: `${endpoint.layer} ${endpoint.category}${endpoint.changesChain === true ? ', changes the chain' : ''}`,
      detail: endpoint.purpose,
      endpoint,
    });
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: `TON: Call API Endpoint on ${network.name}`,
    placeHolder: 'Name, category, or purpose',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.endpoint;
}
