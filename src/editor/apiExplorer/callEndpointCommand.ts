import * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { EndpointCall } from '../../commandTargets';
import type { Endpoint } from '../../toolkit/access/endpoint/endpoint';
import type { RawAnswer } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { toWorkbenchError } from '../../toolkit/errors';
import type { AnswerTraces } from '../../toolkit/trace/answerTraces';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { askParameters } from './askParameters';
import { pickEndpoint } from './pickEndpoint';
import { endpointId } from '../../toolkit/access/endpointId';

/** TON: Call API Endpoint…: choose it, fill in its parameters, and read the answer as a document with links. */
export async function callEndpointCommand(services: Services, call: EndpointCall = {}): Promise<void> {
  const endpoint =
    call.endpoint === undefined
      ? await pickEndpoint(services)
      : (await import('../../toolkit/access/listEndpoints')).endpointById(call.endpoint);
  if (endpoint === undefined) {
    return;
  }
  const given = call.edit === true ? undefined : call.parameters;
  const parameters = given ?? (await askParameters(services, endpoint, call.parameters));
  if (parameters === undefined) {
    return;
  }
  const network = services.networks.current();
  const { changesChain } = await import('../../toolkit/access/changesChain');
  if (
    changesChain(endpoint, parameters) &&
    (await isMain(services)) &&
    !(await confirmed(endpoint, network))
  ) {
    return;
  }
  const name = `${endpoint.layer} ${endpoint.path.slice(1)}`;
  const { answer, target } = await withProgress(`${name} on ${network.name}`, async (signal) => {
    const access = await services.connections.current(signal);
    return {
      answer: await access.ask(endpoint, parameters, { signal, priority: 'user' }),
      target: access.network,
    };
  });
  await showAnswer(services, endpoint, parameters, target, answer);
}

/** Decided by the network's kind, not its name. */
async function isMain(services: Services): Promise<boolean> {
  const { isMainNetwork } = await import('../../toolkit/access/networkIdentity');
  return isMainNetwork(await services.connections.current()).catch(() => true);
}

async function confirmed(endpoint: Endpoint, network: Network): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(
    `Send to the main network with ${endpoint.path.slice(1)}?`,
    {
      modal: true,
      detail: `${endpoint.purpose} ${network.name} moves real coins. A sent message cannot be taken back.`,
    },
    'Send',
  );
  return answer === 'Send';
}

const tracesTitles: Record<AnswerTraces['kind'], string> = {
  held: 'Open as traces',
  named: 'Open their traces',
  block: 'Open the traces of this block',
};

/** Why an answer does not match the endpoint's description; it is shown anyway. */
async function shapeProblem(endpoint: Endpoint, json: unknown): Promise<string | undefined> {
  const { checkAnswer } = await import('../../toolkit/access/decodeAnswer');
  try {
    checkAnswer(endpoint, json);
    return undefined;
  } catch (error) {
    return toWorkbenchError(error).message;
  }
}

async function showAnswer(
  services: Services,
  endpoint: Endpoint,
  parameters: Record<string, unknown>,
  network: Network,
  answer: RawAnswer,
): Promise<void> {
  const [{ prettyJson }, { answerTraces }] = await Promise.all([
    import('../../toolkit/prettyJson'),
    import('../../toolkit/trace/answerTraces'),
  ]);
  const id = endpointId(endpoint);
  const identity = encodeURIComponent(JSON.stringify([network.name, parameters]));
  const summary = `${endpoint.layer} ${endpoint.path}, ${network.name}, ${Math.round(answer.elapsedMs)} ms`;
  const document = `api/${identity}/${endpoint.path.slice(1).replaceAll('/', ' ')}.json`;
  const problem = await shapeProblem(endpoint, answer.json);
  const found = endpoint.layer === 'v3' ? answerTraces(answer.json) : undefined;
  await services.documents.show(
    document,
    {
      text: `${prettyJson(answer.text)}\n`,
      lenses: [
        { title: summary, command: '' },
        ...(problem === undefined ? [] : [{ title: `$(warning) ${problem}`, command: '' }]),
        ...(found === undefined
          ? []
          : [
              asCommand('tonWorkbench.openAnswerTraces', `$(list-tree) ${tracesTitles[found.kind]}`, {
                document,
                network: network.name,
              }),
            ]),
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
