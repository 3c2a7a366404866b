import * as vscode from 'vscode';
import type { EndpointCall } from '../../commandTargets';
import { asCommand } from '../../contributions';
import type { RawAnswer } from '../../toolkit/access/createAccess';
import type { Endpoint } from '../../toolkit/access/endpoint/endpoint';
import type { Parameter } from '../../toolkit/access/endpoint/parameter';
import type { readParameter as readParameterType } from '../../toolkit/access/prepareRequest';
import { endpointId, parameterValue } from '../../toolkit/access/prepareRequest';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError, toWorkbenchError } from '../../toolkit/base/errors';
import { ownValue } from '../../toolkit/base/collections';
import type { AnswerTraces } from '../../toolkit/trace/readTraces';
import { accountSuggestions, accountsByName, knownAccounts } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import type { Services } from '../project/services';
import type { Back } from '../ui/askText';
import { askText, back, pickOrType } from '../ui/askText';
import { withProgress } from '../ui/withProgress';
import { RememberedCalls } from './rememberedCalls';

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
  const { changesChain } = await import('../../toolkit/access/decodeAnswer');
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
    import('../../toolkit/base/prettyJson'),
    import('../../toolkit/trace/readTraces'),
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

type Item = vscode.QuickPickItem & { endpoint?: Endpoint };

/** Offers all endpoints by name, category, purpose, or path, recently called ones first. */
async function pickEndpoint({ context, networks }: Services): Promise<Endpoint | undefined> {
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

type ReadParameter = typeof readParameterType;

type Texts = Record<string, string>;

/**
 * Asks for an endpoint's parameters: required ones in turn, then optional ones from a list until the user is done.
 * Offers the values last used for this endpoint.
 * @returns the parameters to send, or undefined if the user canceled
 */
async function askParameters(
  services: Services,
  endpoint: Endpoint,
  start?: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const names = Object.keys(endpoint.parameters);
  if (names.length === 0) {
    return {};
  }
  const remembered = new RememberedCalls(services.context.workspaceState);
  const texts: Texts = start === undefined ? remembered.values(endpointId(endpoint)) : textsOf(start);
  // Loaded before the first question, so that the user need not wait between two steps.
  const { readParameter } = await import('../../toolkit/access/prepareRequest');
  const required = names.filter((name) => endpoint.parameters[name]?.required);
  for (let step = 0; step < required.length;) {
    const name = required[step] ?? '';
    const answer = await askOne(services, readParameter, endpoint, name, texts[name], {
      step: step + 1,
      totalSteps: required.length,
    });
    if (answer === undefined) {
      return undefined;
    }
    if (answer === back) {
      step -= 1;
      continue;
    }
    texts[name] = answer;
    step += 1;
  }
  const complete = await askOptional(services, readParameter, endpoint, texts);
  if (complete) {
    await remembered.remember(endpointId(endpoint), texts);
  }
  return complete ? valuesOf(services, endpoint, texts) : undefined;
}

async function askOptional(
  services: Services,
  readParameter: ReadParameter,
  endpoint: Endpoint,
  texts: Texts,
): Promise<boolean> {
  const optional = Object.entries(endpoint.parameters).filter(([, parameter]) => !parameter.required);
  while (optional.length > 0) {
    const call: vscode.QuickPickItem = { label: '$(play) Call now', detail: summary(texts) };
    const items = optional.map(([name, parameter]) => ({
      label: name,
      description: texts[name] ?? '',
      detail: parameter.meaning,
    }));
    const picked = await vscode.window.showQuickPick(
      [call, { label: 'optional', kind: vscode.QuickPickItemKind.Separator }, ...items],
      {
        title: `TON: ${endpointId(endpoint)}`,
        placeHolder: 'Press Enter to call now, or choose a parameter to set',
      },
    );
    if (picked === undefined) {
      return false;
    }
    if (picked === call) {
      return true;
    }
    const answer = await askOne(services, readParameter, endpoint, picked.label, texts[picked.label]);
    if (answer === '') {
      delete texts[picked.label];
    } else if (typeof answer === 'string') {
      texts[picked.label] = answer;
    }
  }
  return true;
}

async function askOne(
  services: Services,
  readParameter: ReadParameter,
  endpoint: Endpoint,
  name: string,
  value: string | undefined,
  steps: { step?: number; totalSteps?: number } = {},
): Promise<string | Back | undefined> {
  const parameter = endpoint.parameters[name];
  if (parameter === undefined) {
    return undefined;
  }
  const validate = (text: string): string | undefined => {
    if (text.trim() === '') {
      return parameter.required && parameter.default === undefined ? `${name} is required.` : undefined;
    }
    try {
      readParameter(endpoint, name, parameter, parameterValue(parameter, text, accountsByName(services)));
      return undefined;
    } catch (error) {
      return WorkbenchError.is(error, 'parameter-invalid') ? String(error.details['problem']) : String(error);
    }
  };
  const common = {
    title: `TON: ${name} of ${endpointId(endpoint)}`,
    ...steps,
    ...(value === undefined ? {} : { value }),
    ...(parameter.kind === 'address' ? { lookUp: domainLookUp(services) } : {}),
  };
  const accounts = parameter.kind === 'address' ? knownAccounts(services) : [];
  // A single address: accounts are offered. Lists are typed.
  const isPicked = accounts.length > 0 && !parameter.repeated;
  const none = { value: '', label: 'No account', description: 'leaves the parameter out' };
  const answer = isPicked
    ? await pickOrType({
        ...common,
        placeholder: promptOf(parameter),
        suggestions: [
          ...accountSuggestions(accounts),
          ...(parameter.required || value === undefined ? [] : [none]),
        ],
        read: (text) => {
          const reason = validate(text);
          return reason === undefined ? { ok: true, label: text } : { ok: false, reason };
        },
      })
    : await askText({
        ...common,
        prompt: promptOf(parameter),
        placeholder:
          parameter.default === undefined ? parameter.kind : `${parameter.default} when left empty`,
        validate,
      });
  return typeof answer === 'string' ? answer.trim() : answer;
}

function promptOf(parameter: Parameter): string {
  const choices =
    parameter.choices === undefined ? '' : ` One of: ${parameter.choices.slice(0, 12).join(', ')}.`;
  const several = parameter.repeated ? ' Separate values with spaces or commas.' : '';
  return parameter.meaning + choices + several;
}

function valuesOf(services: Services, endpoint: Endpoint, texts: Texts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const parameter = ownValue(endpoint.parameters, name);
      return parameter === undefined || text === ''
        ? []
        : [[name, parameterValue(parameter, text, accountsByName(services))]];
    }),
  );
}

function textsOf(values: Record<string, unknown>): Texts {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(' ') : String(value),
    ]),
  );
}

function summary(texts: Texts): string {
  const parts = Object.entries(texts).map(([name, text]) => `${name}=${text}`);
  return parts.length === 0 ? 'without parameters' : parts.join('  ');
}
