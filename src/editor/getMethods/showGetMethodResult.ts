import { asCommand } from '../../contributions';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import type { Services } from '../services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { shownWith } from './callOnNetwork';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { markChangedLines } from './markChangedLines';
import { accountName } from '../accounts/knownAccounts';
import type { CompleteCall } from './recentCalls';
import { shortAddress } from '../../toolkit/address/shortAddress';

/**
 * Opens the document of a result; the same call on the same network updates it in place.
 * @param beside opens it beside the editor, which keeps the focus
 */
export async function showGetMethodResult(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
  beside = false,
): Promise<void> {
  const { path, document } = await documentOf(services, call, answer);
  const options = { language: 'ton-report', preview: true, beside, preserveFocus: beside };
  const editor = await services.documents.show(path, document, options);
  markChangedLines(services, editor);
  if (answer.result.network === services.networks.local().name) {
    const { oldDocuments } = await import('../accounts/oldDocuments');
    const { address, method, stack } = call;
    const again = { network: answer.result.network, address, method, stack };
    const command = asCommand('tonWorkbench.runGetMethod', 'Run again', again);
    await oldDocuments(services).watch(path, [answer.result.address], command);
  }
}

/** Updates the document of a call if it is open; never opens one. */
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
  const { rawAnswerLines, resultLines, textOfLines } =
    await import('../../toolkit/getMethods/describeGetMethodResult');
  const path = pathOf(services, call, result);
  const lines = resultLines(result, {
    ...shownWith(services, answer),
    previous: services.documents.find(path)?.result,
  });
  const again = { network: result.network, address: call.address, method: call.method };
  const block = result.block === undefined ? {} : { block: result.block };
  const ran = { ...again, stack: call.stack, ...block };
  return {
    path,
    document: {
      text: textOfLines(lines),
      lines,
      folded: rawAnswerLines(lines),
      result,
      lenses: [
        asCommand('tonWorkbench.runGetMethod', '$(refresh) Run again', { ...again, stack: call.stack }),
        asCommand('tonWorkbench.runGetMethod', '$(edit) Other arguments', again),
        asCommand('tonWorkbench.watchCall', '$(eye) Watch', { ...again, stack: call.stack }),
        asCommand('tonWorkbench.debug', '$(debug-alt) Debug', ran),
        asCommand('tonWorkbench.showMethodSteps', '$(list-ordered) Steps', ran),
        asCommand('tonWorkbench.showGas', '$(flame) Gas', ran),
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
