import type { Cell } from '@ton/core';
import type { Network } from '../../toolkit/access/network';
import { inputReason } from '../../toolkit/inputReason';
import type { Message } from '../../toolkit/layouts/messageNamed';
import { ownValue } from '../../toolkit/ownValue';
import type { Services } from '../services';
import { accountsByName, knownAccounts } from '../accounts/knownAccounts';
import { accountFieldSuggestions } from './accountFieldSuggestions';
import { FieldQuestions } from './fieldQuestions';
import { lastFieldTexts } from './lastFieldTexts';

/**
 * The questions for the fields of a struct: what its source says of each, the accounts of the network for addresses, and what
 * was given last time. What is wrong is said as it is typed.
 *
 * @param key under which the texts are remembered, as `Vault.AddGuardian`
 * @param network default: the current one
 */
export async function structQuestions(
  services: Services,
  { layout, set }: Message,
  key: string,
  network?: Network,
): Promise<FieldQuestions> {
  const [{ encodeByLayout, encodeField }, { fieldForms, structText }] = await Promise.all([
    import('../../toolkit/layouts/encodeByLayout'),
    import('../../toolkit/layouts/fieldForms'),
  ]);
  const options = { accounts: accountsByName(services, network) };
  const wallet = knownAccounts(services, network).find(({ kind }) => kind.startsWith('wallet'));
  const last = lastFieldTexts(services.context.workspaceState, key);
  const refuses = (encode: () => Cell): string | undefined => {
    try {
      encode();
      return undefined;
    } catch (error) {
      return inputReason(error);
    }
  };
  const fields = fieldForms(layout, set, wallet?.name ?? 'none').map(
    ({ field, typeText, start, choices, takesAccount }) => ({
      name: field.name,
      type: typeText,
      help: field.comment?.split('\n', 1)[0]?.trim() ?? '',
      value: ownValue(last, field.name) ?? start,
      suggestions: [...(takesAccount ? accountFieldSuggestions(services, network) : []), ...choices],
      refuses: (text: string) => refuses(() => encodeField(text, field, set, options)),
    }),
  );
  const form = layout.cells.flat().map(({ name }) => `${name}: …`);
  return new FieldQuestions({
    owner: layout.name,
    fields,
    before: [],
    whole: {
      title: layout.name,
      prompt: `All fields: {${form.join(', ')}}`,
      placeholder: '{…}',
      tooltip: 'Type All Fields as Text',
      textOf: (texts) => structText(layout, texts),
      refuses: (text) => refuses(() => encodeByLayout(text, layout, set, options)),
    },
  });
}
