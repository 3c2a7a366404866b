import type { RanGetMethod } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { formatInteger } from '../../toolkit/trace/figures';
import { accountName } from '../project/accountName';
import { withProgress } from '../ui/withProgress';
import type { ReplayServices } from './replays';
import { methodLines, stepsDocument } from './showReplay';

/** Runs a get-method of an answer again, on the state at its block, and lists every step. */
export async function showMethodStepsCommand(services: ReplayServices, call: RanGetMethod): Promise<void> {
  const { network, address, method, stack } = call;
  const who = accountName(services)(address) ?? shortAddress(address);
  const title = `steps of ${method} on ${who}`.replaceAll(/[/\\]/g, ' ');
  const { recording, lines, inputs, exitCode, gasUsed } = await withProgress(
    `Recording the ${title}`,
    (signal) => methodLines(services, call, signal),
  );
  const heading = `${title}, block ${formatInteger(inputs.seqno)}: exit code ${exitCode}, ${formatInteger(gasUsed)} gas`;
  const path = `method-steps/${encodeURIComponent(JSON.stringify([network, address, method, stack]))}/${title}`;
  const again = asCommand('tonWorkbench.runGetMethod', '$(refresh) Run again', {
    ...{ network, address, method, stack },
  });
  await services.documents.show(path, stepsDocument(heading, recording, lines, [again]), {
    language: 'ton-steps',
  });
}
