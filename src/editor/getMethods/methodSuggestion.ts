import type { ContractMethod } from '../../toolkit/contracts/abi/contractDescription';
import { signatureText } from '../../toolkit/contracts/abi/getMethodSignature';
import type { Suggestion } from '../ui/askText';

/** A get-method as a suggestion: name, signature, and source. */
export function methodSuggestion(method: ContractMethod, isRecent: boolean): Suggestion {
  const { name, signature, origin } = method;
  return {
    value: name,
    label: name,
    description: signature === undefined ? '' : signatureText(signature).slice(signature.name.length),
    detail: signature?.comment === undefined ? origin : `${firstLine(signature.comment)} (${origin})`,
    icon: isRecent ? 'history' : 'symbol-method',
  };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
