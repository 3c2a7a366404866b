import type { Command } from 'commander';
import type * as z from 'zod';
import type { Layer, Method } from '../toolkit/access/endpoint/endpoint';
import type { NamedEndpoint } from '../toolkit/access/listEndpoints';
import { bareName, isDomain, readsLikeName, resolveAccount } from '../toolkit/address/resolveAccount';
import { WorkbenchError } from '../toolkit/base/errors';
import { ownValue } from '../toolkit/base/collections';
import { localAccountNames } from './reachedAccountNames';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions, openAccess } from './networkOptions';
import { addJsonOptions, networkHere } from './networkHere';
import { writeForeignJson, writeJsonLine, writePrettyJson, writeText } from './output';
import { requireConsent } from './requireConsent';

/** `api LAYER ENDPOINT [NAME=VALUE…]`: calls any endpoint and prints the service's answer; `api --list` prints the tables. */
export function registerApiCommand(program: Command): void {
  const command = program
    .command('api')
    .summary('call any endpoint of API v2 or v3')
    .description(
      "Calls any endpoint of API v2 or v3 and prints the service's answer as it is. " +
        'Parameters are name=value; a repeated name is a list. Addresses and hashes may have any usual form.\n\n' +
        'Example:\n  ton-workbench api v3 traces account=EQ… limit=5 --network testnet',
    )
    .argument('[layer]', 'v2 or v3')
    .argument('[endpoint]', 'name or path, such as traces or jetton/wallets')
    .argument('[parameters...]', 'name=value')
    .option('--list', 'print the endpoints with their parameters instead')
    .option('--method <method>', 'GET or POST, if an endpoint takes both')
    .option('--yes', 'send on the main network');
  addJsonOptions(command, 'print the answer as one JSON line', answerSchema);
  addNetworkOptions(command).action(
    async (
      layer: string | undefined,
      endpoint: string | undefined,
      parameters: string[],
      options: ApiOptions,
    ) => {
      await (options.list === true ? list(options) : call(layer, endpoint, parameters, options));
    },
  );
}

/** The list has a shape; an answer is the service's own. */
async function answerSchema(): Promise<z.ZodType> {
  const [{ strictObject, union, unknown }, { endpointListSchema }] = await Promise.all([
    import('zod'),
    import('../toolkit/access/listEndpoints'),
  ]);
  return union([
    strictObject({ endpoints: endpointListSchema }).meta({ title: 'With --list' }),
    unknown().meta({
      title: "The service's answer",
      description: 'Unchanged, whatever it is; docs/api.md describes it by endpoint.',
    }),
  ]);
}

interface ApiOptions extends NetworkOptions {
  list?: true;
  method?: string;
  yes?: true;
  json?: true;
}

async function list({ json }: ApiOptions): Promise<void> {
  const { allEndpoints, listEndpoints } = await import('../toolkit/access/listEndpoints');
  if (json) {
    writeJsonLine({ endpoints: listEndpoints() });
    return;
  }
  const lines = allEndpoints().map(({ name, endpoint }) => {
    const parameters = Object.entries(endpoint.parameters).map(
      ([parameter, { required, repeated }]) => `${parameter}${repeated ? '…' : ''}${required ? '*' : ''}`,
    );
    return `${endpoint.layer} ${name} (${parameters.join(', ')})\n    ${endpoint.purpose}`;
  });
  writeText(`${lines.join('\n')}\n\n* required, … may be repeated`);
}

async function call(
  layerText: string | undefined,
  endpointText: string | undefined,
  given: readonly string[],
  options: ApiOptions,
): Promise<void> {
  const [{ changesChain, checkAnswer }, { findEndpoint }, { prepareRequest }, { withDomains }] =
    await Promise.all([
      import('../toolkit/access/decodeAnswer'),
      import('../toolkit/access/listEndpoints'),
      import('../toolkit/access/prepareRequest'),
      import('../toolkit/accounts/findAccount'),
    ]);
  const layer = readLayer(layerText);
  const found = findEndpoint(layer, endpointText ?? '');
  if (found === undefined) {
    throw endpointUnknownError(layer, endpointText ?? '');
  }
  const { endpoint } = found;
  const { network } = networkHere(options.network);
  const method = readMethod(options.method);
  const access = await openAccess(network, options);
  const accounts = await withDomains(access, addressTexts(found, given), await localAccountNames(network));
  const parameters = readArguments(found, given, accounts);
  if (changesChain(endpoint, parameters)) {
    // Checks what cannot be sent before any request is made.
    prepareRequest(endpoint, parameters, { method });
    await requireConsent(access, { yes: options.yes });
  }
  const answer = await access.ask(endpoint, parameters, { priority: 'user', method });
  if (options.json) {
    writeForeignJson(answer.json);
  } else {
    writePrettyJson(answer.json);
  }
  // Printed even if it does not fit: anyone debugging a strange answer wants to see it.
  checkAnswer(endpoint, answer.json);
}

function readLayer(text: string | undefined): Layer {
  if (text === 'v2' || text === 'v3') {
    return text;
  }
  throw new WorkbenchError({
    code: 'layer-unknown',
    kind: 'input',
    message: text === undefined ? 'The API is missing.' : `${JSON.stringify(text)} is not an API.`,
    hint: 'Give v2 or v3, then an endpoint; api --list shows them all.',
  });
}

function readMethod(text: string | undefined): Method | undefined {
  const method = text?.toUpperCase();
  if (method === undefined || method === 'GET' || method === 'POST') {
    return method;
  }
  throw new WorkbenchError({
    code: 'method-not-taken',
    kind: 'input',
    message: `${JSON.stringify(text)} is not a method of these APIs.`,
    hint: 'Give GET or POST.',
  });
}

/**
 * `name=value` arguments by name; repeated names and list parameters become lists. An address may be an account's name
 * or domain.
 */
function readArguments(
  found: NamedEndpoint,
  given: readonly string[],
  accounts: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { endpoint } = found;
  const values = new Map<string, string[]>();
  for (const text of given) {
    const equals = text.indexOf('=');
    if (equals <= 0) {
      throw argumentInvalidError(text, 'is not name=value');
    }
    const name = text.slice(0, equals).trim();
    const value = text.slice(equals + 1);
    const isAccount =
      isAddress(found, name) && (accounts.has(bareName(value)) || readsLikeName(value) || isDomain(value));
    values.set(name, [...(values.get(name) ?? []), isAccount ? resolveAccount(value, accounts) : value]);
  }
  return Object.fromEntries<unknown>(
    [...values].map(([name, texts]) => {
      if (ownValue(endpoint.parameters, name)?.repeated) {
        return [name, texts];
      }
      if (texts.length > 1) {
        throw argumentInvalidError(`${name}=`, 'is given more than once, but is not a list');
      }
      return [name, texts[0]];
    }),
  );
}

/** The values of address parameters. */
function addressTexts(found: NamedEndpoint, given: readonly string[]): string {
  return given
    .map((text) => text.split('='))
    .flatMap(([name = '', ...value]) => (isAddress(found, name.trim()) ? [value.join('=')] : []))
    .join(' ');
}

function isAddress({ endpoint }: NamedEndpoint, name: string): boolean {
  return ownValue(endpoint.parameters, name)?.kind === 'address';
}

function argumentInvalidError(text: string, reason: string): WorkbenchError {
  return new WorkbenchError({
    code: 'argument-invalid',
    kind: 'input',
    message: `The argument ${JSON.stringify(text)} ${reason}.`,
    hint: 'Give parameters as name=value; repeat the name for a list.',
  });
}

function endpointUnknownError(layer: Layer, text: string): WorkbenchError {
  return new WorkbenchError({
    code: 'endpoint-unknown',
    kind: 'input',
    message:
      text === ''
        ? `The endpoint of API ${layer} is missing.`
        : `API ${layer} has no endpoint ${JSON.stringify(text)}.`,
    hint: 'api --list shows them all.',
  });
}
