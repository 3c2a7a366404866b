import type { AbiType } from './abiType';
import { typeText } from './abiType';

/** Where a signature comes from, most trustworthy first. */
export type SignatureOrigin =
  'compiler ABI' | 'Tolk source' | 'FunC source' | 'Tact source' | 'TypeScript wrapper' | 'known interface';

/** What is known of a get-method. */
export interface GetMethodSignature {
  name: string;
  /** Where it is not the usual one, made of the name (crc16 of it, with bit 16 set). */
  methodId?: number;
  parameters: SignatureParameter[];
  result: AbiType;
  origin: SignatureOrigin;
  /** The contract it belongs to, where a text declares several. */
  contract?: string;
  /** The comment before the declaration, without its marks. */
  comment?: string;
  /** Where the name stands in the text, in UTF-16 code units. */
  offset?: number;
}

export interface SignatureParameter {
  name: string;
  type: AbiType;
  /** The default value, as the source writes it: a value or an expression. A get-method's caller gives it all the same. */
  defaultText?: string;
}

/** `get_wallet_address(owner: address): address` */
export function signatureText({ name, parameters, result }: GetMethodSignature): string {
  const list = parameters.map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`).join(', ');
  return `${name}(${list})${result.kind === 'void' ? '' : `: ${typeText(result)}`}`;
}
