import { shortAddress } from '../address/shortAddress';
import { groupBy } from '../base/collections';
import { decodeBodyCell } from '../contracts/opcodes/decodeBody';
import { groupDigits, shortenMiddle, visibleText } from '../base/text';
import { counted, formatCoins } from '../trace/figures';
import type { TransactionRequest } from './checkTransaction';
import { readCell } from './checkMessage';
import type { EmbeddedTask } from './connectLink';
import { relayWarning } from './stageWords';
import type { TransactionItem } from './transactionItems';
import type { DApp, WalletRequest } from './walletBook';
import { messageTask } from './walletBook';

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
  if (request.method !== 'connect') {
    return taskWords(request, nameOf);
  }
  const { items, embedded } = request.params;
  const asksProof = items.some(({ name }) => name === 'ton_proof');
  const connects = `connect${asksProof ? ' with a proof of ownership' : ''}`;
  return embedded === undefined
    ? connects
    : 'task' in embedded
      ? `${connects}, and ${taskWords(embedded.task, nameOf)}`
      : `${connects}; the request in the link cannot be carried out: ${visibleText(embedded.error.message, 300)}`;
}

function taskWords(task: EmbeddedTask, nameOf: (address: string) => string | undefined): string {
  switch (task.method) {
    case 'signData': {
      const { params } = task;
      return params.type === 'text'
        ? `sign the text ${quoted(params.text)}`
        : params.type === 'cell'
          ? `sign a cell, ${shortenMiddle(params.cell)}`
          : `sign ${Buffer.from(params.bytes, 'base64').length} bytes; what they mean is unknown`;
    }
    case 'sendTransaction':
      return transactionWords(task.params, nameOf);
    case 'signMessage':
      return `sign for a relayer: ${transactionWords(task.params, nameOf)}`;
  }
}

/** Items in their own words, as long as there are few; messages otherwise. */
function transactionWords(
  { messages, items = [] }: TransactionRequest,
  nameOf: (address: string) => string | undefined,
): string {
  const isShort = items.length > 0 && items.length <= mostTold;
  return isShort || messages.length === 0
    ? items.map((item) => itemWords(item, nameOf)).join(', ')
    : paymentWords(messages, nameOf);
}

function itemWords(item: TransactionItem, nameOf: (address: string) => string | undefined): string {
  const who = (address: string): string => nameOf(address) ?? shortAddress(address);
  switch (item.type) {
    case 'ton':
      return paymentWords([item.message], nameOf);
    case 'jetton':
      return `send ${who(item.destination)} ${groupDigits(item.amount)} unit${String(item.amount) === '1' ? '' : 's'} of the jetton ${who(item.master)}`;
    case 'nft':
      return `give ${who(item.newOwner)} the NFT ${who(item.nftAddress)}`;
  }
}

/** What somebody should know before deciding. */
export function requestNotes(
  request: WalletRequest,
  { wantedChain, chain }: { wantedChain?: string | undefined; chain?: string | undefined },
): string[] {
  const task = messageTask(request);
  const isOther = wantedChain !== undefined && wantedChain !== chain;
  return [
    ...(task?.method === 'signMessage' ? [relayWarning(task.params.validUntil)] : []),
    ...(isOther
      ? [`The dApp would like the network ${visibleText(wantedChain)}, and this wallet is on another one.`]
      : []),
  ];
}

/** Each item with the message that the wallet makes of it, in two lines; none for a request without items. */
export function itemLines(
  request: WalletRequest,
  nameOf: (address: string) => string | undefined = () => undefined,
): string[] {
  const { items = [], messages = [] } = messageTask(request)?.params ?? {};
  const transfers = items.length === messages.length ? items : [];
  return transfers.flatMap((item, at) => {
    const message = messages[at];
    const fields =
      item.type === 'ton'
        ? ''
        : `, forwards ${formatCoins(BigInt(item.forwardAmount))} TON, query ${item.queryId}` +
          `${item.customPayload === undefined ? '' : ', with a custom payload'}` +
          `${item.forwardPayload === undefined ? '' : ', with a forward payload'}` +
          `${item.responseDestination === undefined ? '' : `, excesses to ${nameOf(item.responseDestination) ?? shortAddress(item.responseDestination)}`}`;
    return [
      `item ${at + 1}     ${item.type}: ${itemWords(item, nameOf)}${fields}`,
      `  message  ${message === undefined ? '' : paymentWords([message], nameOf)}`,
    ];
  });
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
        ({ address, amount, payload, stateInit, extraCurrencies = {} }) =>
          `pay ${who(address)} ${formatCoins(BigInt(amount))} TON${extraWords(extraCurrencies)}` +
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

function extraWords(amounts: Readonly<Record<string, string>>): string {
  return Object.entries(amounts)
    .map(([id, amount]) => ` and ${groupDigits(amount)} units of the currency ${id}`)
    .join('');
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
