import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { EndpointCall } from '../../commandArguments';
import type { Endpoint } from '../../toolkit/access/endpoint';
import type { Answer } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { askParameters } from './askParameters';
import { pickEndpoint } from './pickEndpoint';
import { endpointId, findEndpoint } from './endpointId';

/** TON: Call API Endpoint…: pick it, fill in its parameters, read the answer as a document with links. */
export async function callEndpointCommand(services: Services, call: EndpointCall = {}): Promise<void> {
  const endpoint =
    call.endpoint === undefined ? await pickEndpoint(services) : await findEndpoint(call.endpoint);
  if (endpoint === undefined) {
    return;
  }
  const given = call.edit === true ? undefined : call.parameters;
  const parameters = given ?? (await askParameters(services, endpoint, call.parameters));
  if (parameters === undefined) {
    return;
  }
  const network = services.networks.current();
  if (endpoint.changesChain === true && (await isMain(services)) && !(await confirmed(endpoint, network))) {
    return;
  }
  const name = `${endpoint.layer} ${endpoint.path.slice(1)}`;
  const { answer, target } = await withProgress(`${name} on ${network.name}`, async (signal) => {
    const access = await services.connections.current(signal);
    return {
      answer: await access.call(endpoint, parameters, { signal, priority: 'user' }),
      target: access.network,
    };
  });
  await showAnswer(services, endpoint, parameters, target, answer);
}

/** By what the network is, not by what it is called. */
async function isMain(services: Services): Promise<boolean> {
  const { isMainNetwork } = await import('../../toolkit/access/networkIdentity');
  return isMainNetwork(await services.connections.current()).catch(() => true);
}

async function confirmed(endpoint: Endpoint, network: Network): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(
    `Send to the main network with ${endpoint.path.slice(1)}?`,
    {
      modal: true,
      detail: `${endpoint.purpose} ${network.name} handles real coins; what is sent cannot be taken back.`,
    },
    'Send',
  );
  return answer === 'Send';
}

async function showAnswer(
  services: Services,
  endpoint: Endpoint,
  parameters: Record<string, unknown>,
  network: Network,
  answer: Answer<unknown>,
): Promise<void> {
  const { prettyJson } = await import('../../toolkit/prettyJson');
  const id = endpointId(endpoint);
  const identity = encodeURIComponent(JSON.stringify([network.name, parameters]));
  const summary = `${endpoint.layer} ${endpoint.path}, ${network.name}, ${Math.round(answer.elapsedMs)} ms`;
  await services.documents.show(
    `api/${identity}/${endpoint.path.slice(1).replaceAll('/', ' ')}.json`,
    {
      text: `${prettyJson(answer.text)}\n`,
      lenses: [
        { title: summary, command: '' },
        asCommand('tonWorkbench.callEndpoint', '$(refresh) Call again', { endpoint: id, parameters }),
        asCommand('tonWorkbench.callEndpoint', '$(edit) Change parameters', {
          endpoint: id,
          parameters,
          edit: true,
        }),
        asCommand('tonWorkbench.copyEndpointCall', '$(copy) Copy as curl', {
          endpoint: id,
          parameters,
          as: 'curl',
        }),
        asCommand('tonWorkbench.copyEndpointCall', '$(copy) Copy as TypeScript', {
          endpoint: id,
          parameters,
          as: 'typescript',
        }),
      ],
    },
    { language: 'json' },
  );
}
