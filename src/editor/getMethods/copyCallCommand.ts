import * as vscode from 'vscode';
import type { GetMethodRequest, MethodRow } from '../../commandTargets';
import { methodNamed, ownMethodId } from '../../toolkit/abi/methodNamed';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import type { ExportedCall } from '../../toolkit/getMethods/exportedCall';
import { ownValue } from '../../toolkit/ownValue';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { callOnNetwork } from './callOnNetwork';
import { accountsByName } from '../accounts/knownAccounts';
import { RecentCalls } from './recentCalls';

const forms = [
  { label: 'TypeScript', description: 'with @ton/ton if possible, otherwise with fetch', form: 'typescript' },
  {
    label: 'curl',
    description: 'v3 if it can carry the arguments, otherwise v2; the key is read from TON_API_KEY',
    form: 'curl',
  },
  { label: 'Test', description: 'for node:test: expects the current answer', form: 'node:test' },
  { label: 'Test', description: 'for jest: expects the current answer', form: 'jest' },
] as const;

/** Copies a call for use elsewhere: the given one, the last of a row, else the last. */
export async function copyCallCommand(
  services: Services,
  asked: GetMethodRequest | MethodRow = {},
): Promise<void> {
  const given = 'pin' in asked ? rowCall(services, asked) : asked;
  const [last] = new RecentCalls(services.context.workspaceState).all();
  const call = given.address === undefined ? last : given;
  if (call?.address === undefined || call.method === undefined) {
    void vscode.window.showInformationMessage('Run a get-method first: this copies the last call.');
    return;
  }
  const picked = await vscode.window.showQuickPick(forms, {
    title: `TON: Copy ${call.method} as`,
    placeHolder: 'Choose a format',
  });
  if (picked === undefined) {
    return;
  }
  const [{ exportAsCurl, exportAsTypeScript }, { parseStackText }, { parseAddressInput }] = await Promise.all(
    [
      import('../../toolkit/getMethods/exportCall'),
      import('../../toolkit/stack/parseStackText'),
      import('../../toolkit/address/parseAddressInput'),
    ],
  );
  const { networks } = services;
  const network = networks.list().find(({ name }) => name === call.network) ?? networks.current();
  const accounts = accountsByName(services, network);
  const parsed = parseAddressInput(resolveAccount(call.address, accounts));
  const address = parsed.toString();
  const { method, stack = '' } = call;
  const description = await methodsOf(services, network, parsed.toRawString()).catch(() => undefined);
  const exported: ExportedCall = {
    ...{ network, address, method },
    methodId: ownMethodId(methodNamed(description, method)?.signature),
    stack: parseStackText(stack, { accounts }),
  };
  const isTest = picked.form === 'node:test' || picked.form === 'jest';
  const text = isTest
    ? await asTest(services, exported, { address, method, stack }, picked.form)
    : picked.form === 'curl'
      ? exportAsCurl(exported)
      : exportAsTypeScript(exported);
  await vscode.env.clipboard.writeText(text);
  void vscode.window.setStatusBarMessage(`Copied ${method} as ${picked.label}`, 4000);
}

/** The last call of a row's get-method, or the call without arguments. */
function rowCall(services: Services, { pin: { network, address }, method }: MethodRow): GetMethodRequest {
  const { calls = {} } = services.pins.find(network, address) ?? {};
  return { network, address, method: method.name, stack: ownValue(calls, method.name)?.stack ?? '' };
}

/** A test asserts the current answer, so the call is run now. */
async function asTest(
  services: Services,
  exported: ExportedCall,
  call: { address: string; method: string; stack: string },
  form: 'node:test' | 'jest',
): Promise<string> {
  const network = services.networks.list().find(({ name }) => name === exported.network.name);
  const { result } = await withProgress(`${call.method} on ${exported.network.name}`, (signal) =>
    callOnNetwork(services, network ?? services.networks.current(), call, { signal, priority: 'user' }),
  );
  const { exportAsTest } = await import('../../toolkit/getMethods/exportAsTest');
  return exportAsTest(exported, result, form);
}
