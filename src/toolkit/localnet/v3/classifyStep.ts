import type { NamedAction } from '../../actions/actionNode';
import type { V3ActionDetails } from '../../api/v3Traces';
import type { LightCell } from '../../cell/light/lightCell';
import type { BodyValue, DecodedBody } from '../../contracts/opcodes/decodedBody';
import type { MessageRecord, TransactionRecord } from '../records/records';
import type { Tokens } from '../tokens/tokenIndex';

/** A classifier's result: one action and the transactions it covers. */
export interface Found {
  type: string;
  /** Depend on the type. */
  details: V3ActionDetails | NamedAction['details'];
  transactions: TransactionRecord[];
  success: boolean;
  /** Of a known protocol: its details are as in {@link NamedAction}. */
  isNamed?: true;
}

/** One message with what classifiers need to know about it. */
export interface Step {
  message: MessageRecord;
  /** The body as it is. */
  cell: LightCell;
  body: DecodedBody | undefined;
  value: bigint;
  init: boolean;
  /** The transaction that receives it. */
  transaction: TransactionRecord;
  aborted: boolean;
}

/** A classifier claims a step (and its consequences), or leaves it to the next classifier. */
type Classifier = (tokens: Tokens, step: Step, next: (step: Step) => Step[]) => Found | undefined;

/** The result of the first classifier that recognizes the step. */
export function classifyStep(tokens: Tokens, step: Step, next: (step: Step) => Step[]): Found | undefined {
  for (const classifier of classifiers) {
    const found = classifier(tokens, step, next);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

const classifiers: readonly Classifier[] = [
  jettonTransfer,
  jettonMint,
  jettonBurn,
  nftTransfer,
  nftMint,
  dnsChange,
  deploy,
  tonTransfer,
  callContract,
];

function jettonTransfer(tokens: Tokens, step: Step, next: (step: Step) => Step[]): Found | undefined {
  const wallet = tokens.known(step.transaction.account.address);
  if (step.body?.name !== 'jetton_transfer' || wallet?.kind !== 'jetton-wallet') {
    return undefined;
  }
  const internal = next(step).find(({ body }) => body?.name === 'jetton_internal_transfer');
  const { text, encrypted, payload } = forwardPayload(step.body);
  return {
    type: 'jetton_transfer',
    transactions: [step.transaction, ...followers(internal, next), ...excesses(step, next)],
    success: !step.aborted && internal?.aborted === false,
    details: {
      asset: wallet.jetton,
      sender: holder(wallet, step),
      receiver: addressField(step.body, 'destination'),
      sender_jetton_wallet: step.transaction.account.address,
      receiver_jetton_wallet: internal?.transaction.account.address ?? null,
      amount: numberField(step.body, 'amount'),
      comment: text,
      is_encrypted_comment: encrypted,
      query_id: numberField(step.body, 'query_id'),
      response_destination: addressField(step.body, 'response_destination'),
      custom_payload: cellField(step.body, 'custom_payload'),
      forward_payload: payload,
      forward_amount: numberField(step.body, 'forward_ton_amount'),
    },
  };
}

/** Whose jettons a wallet is told to move: its commander's, unless a master does so by force. */
function holder(wallet: { jetton: string | null; owner: string | null }, { message }: Step): string | null {
  return message.source === wallet.jetton ? (wallet.owner ?? message.source) : message.source;
}

function jettonMint(tokens: Tokens, step: Step, next: (step: Step) => Step[]): Found | undefined {
  const wallet = tokens.known(step.transaction.account.address);
  const minted = step.body?.name === 'jetton_internal_transfer' && wallet?.kind === 'jetton-wallet';
  if (!minted || wallet.jetton !== step.message.source) {
    return undefined;
  }
  return {
    type: 'jetton_mint',
    transactions: followers(step, next),
    success: !step.aborted,
    details: {
      asset: wallet.jetton,
      receiver: wallet.owner,
      receiver_jetton_wallet: step.transaction.account.address,
      amount: numberField(step.body, 'amount'),
      ton_amount: step.value,
    },
  };
}

function jettonBurn(tokens: Tokens, step: Step, next: (step: Step) => Step[]): Found | undefined {
  const wallet = tokens.known(step.transaction.account.address);
  if (step.body?.name !== 'jetton_burn' || wallet?.kind !== 'jetton-wallet') {
    return undefined;
  }
  const notification = next(step).find(({ body }) => body?.name === 'jetton_burn_notification');
  return {
    type: 'jetton_burn',
    transactions: [step.transaction, ...followers(notification, next)],
    success: !step.aborted && notification?.aborted === false,
    details: {
      owner: holder(wallet, step),
      owner_jetton_wallet: step.transaction.account.address,
      asset: wallet.jetton,
      amount: numberField(step.body, 'amount'),
    },
  };
}

function nftTransfer(tokens: Tokens, step: Step, next: (step: Step) => Step[]): Found | undefined {
  const item = tokens.known(step.transaction.account.address);
  if (step.body?.name !== 'nft_transfer' || item?.kind !== 'nft-item') {
    return undefined;
  }
  const { text, encrypted, payload } = forwardPayload(step.body);
  return {
    type: 'nft_transfer',
    transactions: followers(step, next),
    success: !step.aborted,
    details: {
      nft_collection: item.collection,
      nft_item: step.transaction.account.address,
      nft_item_index: item.index,
      old_owner: step.message.source,
      new_owner: addressField(step.body, 'new_owner'),
      is_purchase: false,
      query_id: numberField(step.body, 'query_id'),
      response_destination: addressField(step.body, 'response_destination'),
      custom_payload: cellField(step.body, 'custom_payload'),
      forward_payload: payload,
      forward_amount: numberField(step.body, 'forward_amount'),
      comment: text,
      is_encrypted_comment: encrypted,
      marketplace: null,
    },
  };
}

function nftMint(tokens: Tokens, step: Step, next: (step: Step) => Step[]): Found | undefined {
  const item = tokens.known(step.transaction.account.address);
  const isMint = step.init && item?.kind === 'nft-item' && item.collection === step.message.source;
  if (!isMint) {
    return undefined;
  }
  return {
    type: 'nft_mint',
    transactions: followers(step, next),
    success: !step.aborted,
    details: {
      owner: item.owner,
      nft_item: step.transaction.account.address,
      nft_collection: item.collection,
      nft_item_index: item.index,
    },
  };
}

function dnsChange(tokens: Tokens, step: Step): Found | undefined {
  if (step.body?.name !== 'dns_change_record') {
    return undefined;
  }
  const item = tokens.known(step.transaction.account.address);
  const value = cellField(step.body, 'value');
  const key = numberField(step.body, 'key');
  const place = {
    source: step.message.source,
    asset: step.transaction.account.address,
    nft_collection: item?.kind === 'nft-item' ? item.collection : null,
  };
  const hex = BigInt(key ?? 0)
    .toString(16)
    .padStart(64, '0');
  return {
    type: value === null ? 'delete_dns' : 'change_dns',
    transactions: [step.transaction],
    success: !step.aborted,
    details: value === null ? { hash: hex, ...place } : { key: hex, value: { sum_type: null }, ...place },
  };
}

function deploy(_tokens: Tokens, step: Step): Found | undefined {
  const { transaction, message } = step;
  const deployed = step.init && transaction.before?.codeHash == null && transaction.after.codeHash !== null;
  return deployed ? plain('contract_deploy', step, { opcode: opcodeText(message) }) : undefined;
}

function tonTransfer(_tokens: Tokens, step: Step): Found | undefined {
  const { body, message } = step;
  const name = body?.name ?? '';
  if (message.kind !== 'internal' || !['empty', 'text_comment', 'encrypted_comment'].includes(name)) {
    return undefined;
  }
  const comment = body?.fields[0]?.value;
  return {
    type: 'ton_transfer',
    transactions: [step.transaction],
    // Without a contract nothing runs, and the value stays there.
    success: !step.aborted || step.transaction.outMessages.length === 0,
    details: {
      source: message.source,
      destination: message.destination,
      value: step.value.toString(),
      value_extra_currencies: {},
      comment: comment?.type === 'text' || comment?.type === 'bytes' ? comment.value : null,
      encrypted: name === 'encrypted_comment',
    },
  };
}

function callContract(_tokens: Tokens, step: Step): Found | undefined {
  return plain('call_contract', step, { opcode: opcodeText(step.message) });
}

function plain(type: string, step: Step, more: V3ActionDetails): Found {
  const { source, destination } = step.message;
  return {
    type,
    transactions: [step.transaction],
    success: !step.aborted,
    details: { ...more, source, destination, value: step.value.toString(), extra_currencies: {} },
  };
}

const notices = new Set(['excess', 'jetton_notify', 'nft_ownership_assigned']);

/** The step's transaction and the notifications it sent. */
function followers(step: Step | undefined, next: (step: Step) => Step[]): TransactionRecord[] {
  if (step === undefined) {
    return [];
  }
  const notified = next(step).filter(({ body }) => notices.has(body?.name ?? ''));
  return [step.transaction, ...notified.map(({ transaction }) => transaction)];
}

function excesses(step: Step, next: (step: Step) => Step[]): TransactionRecord[] {
  return next(step)
    .filter(({ body }) => body?.name === 'excess')
    .map(({ transaction }) => transaction);
}

function opcodeText({ opcode }: MessageRecord): string | null {
  return opcode === null ? null : `0x${opcode.toString(16).padStart(8, '0')}`;
}

function field(body: DecodedBody | undefined, name: string): BodyValue | undefined {
  return body?.fields.find((one) => one.name === name)?.value;
}

export function numberField(body: DecodedBody | undefined, name: string): bigint | null {
  const value = field(body, name);
  return value?.type === 'int' || value?.type === 'coins' ? value.value : null;
}

export function addressField(body: DecodedBody | undefined, name: string): string | null {
  const value = field(body, name);
  return value?.type === 'address' && value.value !== undefined ? value.value : null;
}

function cellField(body: DecodedBody | undefined, name: string): string | null {
  const value = field(body, name);
  return value?.type === 'cell' ? value.value : value?.type === 'body' ? value.value.name : null;
}

function forwardPayload(body: DecodedBody | undefined): {
  text: string | null;
  encrypted: boolean;
  payload: string | null;
} {
  const value = field(body, 'forward_payload');
  const inner = value?.type === 'body' ? value.value : undefined;
  const text = inner?.fields[0]?.value;
  return {
    text: text?.type === 'text' ? text.value : null,
    encrypted: inner?.name === 'encrypted_comment',
    payload: value?.type === 'cell' ? value.value : null,
  };
}
