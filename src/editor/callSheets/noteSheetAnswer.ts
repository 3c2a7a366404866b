import type { ContractDescription } from '../../toolkit/abi/describeContract';
import { summarizeResult } from '../../toolkit/getMethods/summarizeResult';
import { printStack } from '../../toolkit/stack/printStackValue';
import type { StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import { accountName } from '../accounts/knownAccounts';
import { sourceAnswers } from '../getMethods/sourceAnswers';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';

/** What a step of a sheet did, and what is known about the contract that answered. */
interface SheetAnswer {
  outcome: StepOutcome;
  contract?: ContractDescription | undefined;
}

/** Keeps the answer of a sheet's call for the lens above its get-method. */
export async function noteSheetAnswer(
  services: Services,
  { outcome: { step, result, signature }, contract }: SheetAnswer,
): Promise<void> {
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
