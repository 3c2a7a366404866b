import { asCommand, readSetting } from '../../contributions';
import * as vscode from 'vscode';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import type { Services } from '../services';
import { shortAddress } from '../ui/shortAddress';
import { accountName } from './knownAccounts';
import type { CompleteCall } from './recentCalls';

/** Opens the readable document of a result; the same call on the same network updates its document in place. */
export async function showGetMethodResult(
  services: Services,
  call: CompleteCall,
  result: GetMethodResult,
): Promise<void> {
  const { describeGetMethodResult } = await import('../../toolkit/getMethods/describeGetMethodResult');
  const names = accountName(services);
  const text = describeGetMethodResult(result, {
    accountName: names,
    coinLabel: readSetting(vscode.workspace, 'tonWorkbench.coinLabel'),
  });
  const who = names(result.address) ?? shortAddress(call.address);
  const title = `${result.method} on ${who}`.replace(/[/\\]/g, ' ');
  const identity = encodeURIComponent(JSON.stringify([result.network, call.address, call.stack]));
  await services.documents.show(
    `get-method/${identity}/${title}`,
    {
      text,
      lenses: [
        asCommand('tonWorkbench.runGetMethod', '$(refresh) Run again', call),
        asCommand('tonWorkbench.runGetMethod', '$(edit) Other arguments', {
          address: call.address,
          method: call.method,
        }),
      ],
    },
    { language: 'ton-report' },
  );
}
