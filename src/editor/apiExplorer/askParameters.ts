import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/errors';
import type { Endpoint } from '../../toolkit/access/endpoint/endpoint';
import type { Parameter } from '../../toolkit/access/endpoint/parameter';
import type { readParameter as readParameterType } from '../../toolkit/access/prepareRequest';
import type { Services } from '../services';
import { askText } from '../ui/askText';
import { back } from '../ui/back';
import type { Back } from '../ui/back';
import { pickOrType } from '../ui/pickOrType';
import { accountSuggestions } from '../accounts/accountSuggestions';
import { accountsByName, knownAccounts } from '../accounts/knownAccounts';
import { domainLookUp } from '../accounts/lookUpDomains';
import { endpointId } from '../../toolkit/access/endpointId';
import { parameterValue } from '../../toolkit/access/parameterValue';
import { RememberedCalls } from './rememberedCalls';
import { ownValue } from '../../toolkit/ownValue';

type ReadParameter = typeof readParameterType;

type Texts = Record<string, string>;

/**
 * Asks for an endpoint's parameters: required ones in turn, then optional ones from a list until the user is done.
 * Offers the values last used for this endpoint.
 * @returns the parameters to send, or undefined if the user canceled
 */
export async function askParameters(
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
