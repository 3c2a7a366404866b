import { opcodes } from './opcodes';

/** What is known of a field of the type `coins`, which says how a number is stored, not what it counts. */
export interface CoinsField {
  name: string;
  /** The opcode of the message that it is in. */
  opcode?: number | undefined;
  /** All fields of that type in the message, in their order. */
  order?: readonly string[] | undefined;
  /** It belongs to a contract that is a jetton master or a jetton wallet. */
  ofJetton?: boolean | undefined;
}

/** Words of names that are about the network's coin also in contracts of jettons. */
const coinWords = new Set(
  'ton tons toncoin toncoins nano nanos nanoton nanotons gram grams value gas fee fees forward fwd storage rent price cost'.split(
    ' ',
  ),
);

/**
 * Whether a field of the type `coins` counts jettons: by the table, if it has the message; else by the field's name; else
 * by whose field it is.
 */
export function countsJettons({ name, opcode, order = [], ofJetton = false }: CoinsField): boolean {
  const known = (opcode === undefined ? undefined : opcodes.get(opcode)?.fields) ?? [];
  const amounts = known.filter(([, type]) => type === 'jettons' || type === 'coins');
  const inTable =
    amounts.find(([own]) => own === name) ??
    // A project may name the fields of a standard message as it likes, but not order them.
    (amounts.length === order.length ? amounts[order.indexOf(name)] : undefined);
  if (inTable !== undefined) {
    return inTable[1] === 'jettons';
  }
  const words = name.split(/(?=\p{Lu})|[^\p{L}]+/u).map((word) => word.toLowerCase());
  return /jetton/i.test(name) || (ofJetton && !words.some((word) => coinWords.has(word)));
}

/** The get-methods by which TEP-74 knows a jetton wallet and a jetton master: what they count is jettons. */
const jettonMethods: ReadonlySet<string> = new Set(['get_wallet_data', 'get_jetton_data']);

/** Whether a get-method is one that only jetton contracts have. */
export function isJettonMethod(name: string): boolean {
  return jettonMethods.has(name);
}
