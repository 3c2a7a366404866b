import type { ContractDescription } from '../../toolkit/abi/describeContract';
import { summarizeResult } from '../../toolkit/getMethods/summarizeResult';
import { printStack } from '../../toolkit/stack/printStackValue';
import type { StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import { accountName } from '../accounts/knownAccounts';
import { gasFigures } from '../getMethods/gasFigures';
import { sourceAnswers } from '../getMethods/sourceAnswers';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';

/** What a step of a sheet did, and what is known about the contract that answered. */
interface SheetAnswer {
  outcome: StepOutcome;
  contract?: ContractDescription | undefined;
}

/** Keeps what a sheet's step did for the lenses in sources: the answer of a call, the gas of a message. */
export async function noteSheetAnswer(
  services: Services,
  { outcome: { step, result, signature, sent }, contract }: SheetAnswer,
): Promise<void> {
  if (sent !== undefined) {
    await gasFigures(services).noteTrace(sent.trace.model);
  }
  if (result === undefined || step.kind !== 'call') {
    return;
  }
  const words = { accountName: accountName(services), coinLabel: coinLabel(), exits: contract };
  await sourceAnswers(services).note(
    { result, description: contract },
    {
      stack: printStack(result.arguments),
      texts: [step.arguments.text],
      summary: summarizeResult(result, { ...words, ...(signature === undefined ? {} : { signature }) }),
      isAsked: true,
    },
  );
}
