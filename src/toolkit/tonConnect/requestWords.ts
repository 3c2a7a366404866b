import { shortAddress } from '../address/shortAddress';
import { groupBy } from '../base/collections';
import { decodeBodyCell } from '../contracts/opcodes/decodeBody';
import { shortenMiddle, visibleText } from '../base/text';
import { counted, formatCoins } from '../trace/figures';
import type { TransactionRequest } from './checkTransaction';
import { readCell } from './checkTransaction';
import type { DApp, WalletRequest } from './walletBook';

/** Characters of a text to sign that are shown in one line. */
const longestText = 100;

/** What a dApp calls itself, else where its manifest is. */
export function dAppName({ name, domain }: DApp): string {
  return visibleText(name ?? domain, 60);
}

/** A dApp in a few words. */
export function dAppWords(dApp: DApp): string {
  const { url, domain, isFetched } = dApp;
  const shown = dAppName(dApp);
  return isFetched ? `${shown} (${visibleText(url ?? domain, 100)})` : `${shown} (manifest not fetched)`;
}

/** What a request asks for, in one line. */
export function requestWords(
  request: WalletRequest,
  nameOf: (address: string) => string | undefined = () => undefined,
): string {
  switch (request.method) {
    case 'connect': {
      const asksProof = request.params.items.some(({ name }) => name === 'ton_proof');
      return `connect${asksProof ? ' with a proof of ownership' : ''}`;
    }
    case 'signData': {
      const { params } = request;
      return params.type === 'text'
        ? `sign the text ${quoted(params.text)}`
        : params.type === 'cell'
          ? `sign a cell, ${shortenMiddle(params.cell)}`
          : `sign ${Buffer.from(params.bytes, 'base64').length} bytes; what they mean is unknown`;
    }
    case 'sendTransaction':
      return paymentWords(request.params.messages, nameOf);
  }
}

type Payment = TransactionRequest['messages'][number];

/** Messages that are told one by one; of more, the sentence tells how many there are, and what they cost in all. */
const mostTold = 3;

/** Recipients that the sentence of many messages names. */
const mostNamed = 3;

function paymentWords(messages: readonly Payment[], nameOf: (address: string) => string | undefined): string {
  const who = (address: string): string => nameOf(address) ?? shortAddress(address);
  if (messages.length <= mostTold) {
    return messages
      .map(
        ({ address, amount, payload, stateInit }) =>
          `pay ${who(address)} ${formatCoins(BigInt(amount))} TON` +
          `${payload === undefined ? '' : bodyWords(payload)}${stateInit === undefined ? '' : ' and deploy it'}`,
      )
      .join(', ');
  }
  const sum = (some: readonly Payment[]): bigint =>
    some.reduce((all, { amount }) => all + BigInt(amount), 0n);
  const shares = [...groupBy(messages, ({ address }) => address).entries()]
    .map(([address, own]) => ({ address, count: own.length, total: sum(own) }))
    .sort((one, other) => (other.total > one.total ? 1 : other.total < one.total ? -1 : 0));
  const named = shares
    .slice(0, mostNamed)
    .map(({ address, count, total }) =>
      shares.length === 1
        ? who(address)
        : `${who(address)} ${formatCoins(total)} TON${count === 1 ? '' : ` in ${count}`}`,
    );
  const more = shares.length - named.length;
  const others = more === 0 ? '' : `, and ${counted(more, 'more account')}`;
  const deploys = messages.filter(({ stateInit }) => stateInit !== undefined).length;
  const also = deploys === 0 ? '' : `, of them ${deploys} with a deployment`;
  return `send ${counted(messages.length, 'message')} with ${formatCoins(sum(messages))} TON in all${also}: to ${named.join(', ')}${others}`;
}

/** A comment is for whoever pays: it is shown as it is. */
function bodyWords(payload: string): string {
  const decoded = decodeBodyCell(readCell(payload, 'payload'), {}, 0);
  const comment = decoded?.fields.find(({ name }) => name === 'comment')?.value;
  if (comment?.type === 'text') {
    return `, comment ${quoted(comment.value)}`;
  }
  return decoded === undefined ? ' with a body' : `, ${decoded.name.replaceAll('_', ' ')}`;
}

/** In quotes that the text itself cannot close. */
function quoted(text: string): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return visibleText(JSON.stringify(shown), 6 * longestText);
}
