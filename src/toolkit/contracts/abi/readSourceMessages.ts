import { crc32 } from 'node:zlib';
import { limits } from '../../base/limits';
import { prefixKey } from '../opcodes/decodeBody';
import type { MessageNames } from '../opcodes/decodeBody';
import { plainSource } from './readSourceConstants';

/**
 * The three languages' ways to assign an opcode to a message: `struct (0x7e8764ef) Increase` (Tolk),
 * `message(0x7e8764ef) Increase` (Tact), `const int op::increase = 0x7e8764ef;`, `const op::increase =
 * "op::increase"c;` and `int op::increase() asm "0x7e8764ef PUSHINT"` (FunC).
 */
const declarations = [
  /\bstruct\s?\(\s?(?<prefix>0x[0-9a-fA-F]{1,8}|0b[01]{1,32})\s?\)\s?(?<name>\w{1,100})/g,
  /\bmessage\s?\(\s?(?<code>0x[0-9a-fA-F]{1,8}|\d{1,10})\s?\)\s?(?<name>\w{1,100})/g,
  /\bconst\s(?:int\s)?op(?:::|_)(?<name>\w{1,100})\s?(?::\s?\w{1,50}\s?)?=\s?(?<code>0x[0-9a-fA-F]{1,8}|\d{1,10})\b/gi,
  /\bconst\s(?:int\s)?op(?:::|_)(?<name>\w{1,100})\s?(?::\s?\w{1,50}\s?)?=\s?(?:stringCrc32\()?"(?<text>[^"\n]{1,200})"[c)]/gi,
  /\bint\sop::(?<name>\w{1,100})\s?\(\s?\)\s?asm\s?"(?<code>0x[0-9a-fA-F]{1,8}|\d{1,10})\sPUSHINT"/g,
];

/**
 * The names of messages in a Tolk, FunC, or Tact text. In Tolk, a prefix has as many bits as its digits say. Opcodes that the compiler computes
 * (Tact's `message` without a number) are not in the text; the compiler's ABI has them.
 */
export function readSourceMessages(text: string): MessageNames {
  const plain = plainSource(text);
  const messages = new Map<number, string>();
  for (const declaration of declarations) {
    for (const { groups } of plain.matchAll(declaration)) {
      if (messages.size === limits.sourceNames.most) {
        return messages;
      }
      const { text: name, prefix, code } = groups ?? {};
      const key = prefixKey(
        prefix === undefined
          ? { value: name === undefined ? Number(code) : crc32(name), bits: 32 }
          : { value: Number(prefix), bits: (prefix.length - 2) * (prefix.startsWith('0x') ? 4 : 1) },
      );
      if (groups?.name !== undefined && key !== undefined && !messages.has(key)) {
        messages.set(key, groups.name);
      }
    }
  }
  return messages;
}
