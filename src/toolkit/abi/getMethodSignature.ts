import type { AbiType } from './abiType';
import { typeText } from './abiType';

/** Where a signature comes from, most trustworthy first. */
export type SignatureOrigin =
  'compiler ABI' | 'Tolk source' | 'FunC source' | 'Tact source' | 'TypeScript wrapper' | 'known interface';

/** What is known about a get-method. */
export interface GetMethodSignature {
  name: string;
  /** If it is not the usual one, derived from the name (crc16 with bit 16 set). */
  methodId?: number;
  parameters: SignatureParameter[];
  result: AbiType;
  origin: SignatureOrigin;
  /** Its contract, if a text declares several. */
  contract?: string;
  /** The comment before the declaration, without comment marks. */
  comment?: string;
  /** Offset of the name in the text, in UTF-16 code units. */
  offset?: number;
  /** Numbers that its source gives names; arguments and expected values may use them. */
  constants?: ReadonlyMap<string, bigint>;
}

export interface SignatureParameter {
  name: string;
  type: AbiType;
  /** The default value as written in the source: a value or an expression. Get-method callers must pass it anyway. */
  defaultText?: string;
}

/** `get_wallet_address(owner: address): address` */
export function signatureText({ name, parameters, result }: GetMethodSignature): string {
  const list = parameters.map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`).join(', ');
  return `${name}(${list})${result.kind === 'void' ? '' : `: ${typeText(result)}`}`;
}
