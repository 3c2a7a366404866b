import type { Exact } from '../../api/openObject';
import type { V3Message, V3MessageContent } from '../../api/v3Objects';
import type { Message, StateInit } from '@ton/core';
import { beginCell, storeStateInit } from '@ton/core';
import type { MessageHead } from '../../cell/light/messageHead';
import { decodedBody, opcodeName } from './decodedBody';
import { localWallets } from '../../opcodes/localWallets';

/** The code hash of an account, if known. */
export type CodeHashOf = (address: string) => string | null | undefined;

/** A message as described by the indexed API (fields that do not apply to its kind are null). */
export function encodeMessage(
  codeHashOf: CodeHashOf,
  record: MessageHead,
  message: Message,
): Exact<V3Message> {
  const { info } = message;
  const internal = info.type === 'internal' ? info : undefined;
  const external = record.kind === 'external-in';
  const opcode = record.opcode === null ? null : `0x${record.opcode.toString(16).padStart(8, '0')}`;
  return {
    hash: record.hash,
    source: record.source,
    destination: record.destination,
    value: internal?.value.coins ?? null,
    value_extra_currencies: internal === undefined ? null : currencies(internal.value.other),
    fwd_fee: internal?.forwardFee ?? null,
    ihr_fee: internal === undefined ? null : 0n,
    // Since TVM version 12, the former IHR fee field holds flags.
    extra_flags: internal?.ihrFee ?? null,
    created_lt: external ? null : record.createdLt,
    created_at: external ? null : record.createdAt,
    opcode,
    decoded_opcode: external ? null : opcodeName(record.opcode),
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    import_fee: info.type === 'external-in' ? info.importFee : null,
    message_content: {
      hash: record.bodyHash,
      body: message.body.toBoc().toString('base64'),
      decoded: decodedBody(message.body, { external, interfaces: walletInterfaces(codeHashOf, record) }),
    },
    init_state: message.init == null ? null : encodeInit(message.init),
    ...(record.normalized === null ? {} : { hash_norm: record.normalized }),
  };
}

/** A wallet's signed body does not identify its format: the receiver determines it. */
function walletInterfaces(codeHashOf: CodeHashOf, { kind, destination }: MessageHead): string[] {
  const codeHash = kind === 'external-in' && destination !== null ? codeHashOf(destination) : undefined;
  const wallet = localWallets.get(codeHash ?? '');
  return wallet === undefined ? [] : [wallet.interface];
}

function encodeInit(init: StateInit): Exact<V3MessageContent> {
  const cell = beginCell().store(storeStateInit(init)).endCell();
  return {
    hash: cell.hash().toString('hex'),
    body: cell.toBoc().toString('base64'),
    decoded: null,
  };
}

function currencies(other: Iterable<[number, bigint]> | null | undefined): Record<string, bigint> {
  return Object.fromEntries(other ?? []);
}
