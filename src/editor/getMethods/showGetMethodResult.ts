import { asCommand } from '../../contributions';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import type { Services } from '../services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { shortAddress } from '../ui/shortAddress';
import { shownWith } from './callContract';
import type { ContractAnswer } from './callContract';
import { markChangedLines } from './markChangedLines';
import { accountName } from '../accounts/knownAccounts';
import type { CompleteCall } from './recentCalls';

/** The last answer of each document, to tell what has changed. */
const answers = new Map<string, GetMethodResult>();
const keptAnswers = 200;

/** Opens the readable document of a result; the same call on the same network updates its document in place. */
export async function showGetMethodResult(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
): Promise<void> {
  const { path, document } = await documentOf(services, call, answer);
  const editor = await services.documents.show(path, document, { language: 'ton-report', preview: true });
  markChangedLines(services.context, editor);
}

/** Brings the document of a call up to date where it is open; opens none. */
export async function updateGetMethodResult(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
): Promise<void> {
  if (services.documents.isOpen(pathOf(services, call, answer.result))) {
    const { path, document } = await documentOf(services, call, answer);
    services.documents.keep(path, document);
  }
}

async function documentOf(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
): Promise<{ path: string; document: ReadOnlyDocument }> {
  const { result } = answer;
  const { describeGetMethodResult } = await import('../../toolkit/getMethods/describeGetMethodResult');
  const path = pathOf(services, call, result);
  const text = describeGetMethodResult(result, {
    ...shownWith(services, answer),
    previous: answers.get(path),
  });
  remember(path, result);
  const again = { network: result.network, address: call.address, method: call.method };
  return {
    path,
    document: {
      text,
      lenses: [
        asCommand('tonWorkbench.runGetMethod', '$(refresh) Run again', { ...again, stack: call.stack }),
        asCommand('tonWorkbench.runGetMethod', '$(edit) Other arguments', again),
        asCommand('tonWorkbench.watchCall', '$(eye) Watch', { ...again, stack: call.stack }),
        asCommand('tonWorkbench.copyCall', '$(copy) Copy as…', { ...again, stack: call.stack }),
      ],
    },
  };
}

function pathOf(services: Services, call: CompleteCall, result: GetMethodResult): string {
  const who = accountName(services)(result.address) ?? shortAddress(call.address);
  const title = `${result.method} on ${who}`.replace(/[/\\]/g, ' ');
  const identity = encodeURIComponent(JSON.stringify([result.network, call.address, call.stack]));
  return `get-method/${identity}/${title}`;
}

function remember(path: string, result: GetMethodResult): void {
  answers.delete(path);
  answers.set(path, result);
  const [oldest] = answers.keys();
  if (answers.size > keptAnswers && oldest !== undefined) {
    answers.delete(oldest);
  }
}
