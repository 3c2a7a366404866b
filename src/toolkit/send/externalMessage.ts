import type { Address, Cell, StateInit } from '@ton/core';
import { contractAddress } from '@ton/core';
import type { Boc } from '../cell/boc';
import { loadAnyMessage, normalizedHash } from '../cell/loadFolded';
import { toCoreCell } from '../cell/toCoreCell';
import { WorkbenchError } from '../base/errors';
import type { SignedBody } from '../contracts/opcodes/readSignedBody';
import { readSignedBody } from '../contracts/opcodes/readSignedBody';
import type { WalletCode } from '../contracts/opcodes/walletCodes';
import { walletCodes } from '../contracts/opcodes/walletCodes';

/** An external message as it is sent, and its contents. */
export interface ExternalMessage {
  kind: 'external';
  /** The raw cell: run and sent as is, never serialized again. */
  cell: Cell;
  destination: Address;
  body: Cell;
  /** Code and data for a contract that is not deployed yet. */
  init: StateInit | undefined;
  /** Whether the state init matches the destination; undefined without one. */
  initMatches: boolean | undefined;
  /** The wallet type of the state init, if there is one and it is a known wallet. */
  initWallet: WalletCode | undefined;
  /** The wallet request, if the body has the layout of one. */
  signed: SignedBody | undefined;
  /** Hash of the cell, lowercase hex. */
  hash: string;
  /** Normalized hash (TEP-467), lowercase hex: finds the message in any serialization. */
  hashNorm: string;
}

/**
 * Reads the message in a BoC.
 * @throws WorkbenchError `message-not-external` (input) if it contains something else
 */
export function readExternalMessage(boc: Boc): ExternalMessage {
  if (boc.roots.length !== 1) {
    throw notExternalError(`The BoC has ${boc.roots.length} roots; a message has one.`);
  }
  const cell = toCoreCell(boc, boc.roots[0]!);
  const message = cell.isExotic ? undefined : loadAnyMessage(cell);
  if (message?.info.type !== 'external-in') {
    throw notExternalError(
      message === undefined
        ? 'The BoC does not contain a message.'
        : `The BoC contains an ${message.info.type === 'internal' ? 'internal message' : 'external-out message'}.`,
    );
  }
  const { body } = message;
  const { dest } = message.info;
  const init = message.init ?? undefined;
  const initWallet = init?.code == null ? undefined : walletCodes.get(init.code.hash().toString('hex'));
  return {
    kind: 'external',
    cell,
    destination: dest,
    body,
    init,
    initMatches: init === undefined ? undefined : contractAddress(dest.workChain, init).equals(dest),
    initWallet,
    signed: readSignedBody(message.body, initWallet?.family) ?? readSignedBody(message.body),
    hash: cell.hash().toString('hex'),
    hashNorm: normalizedHash({ info: message.info, body }),
  };
}

function notExternalError(reason: string): WorkbenchError {
  return new WorkbenchError({
    code: 'message-not-external',
    kind: 'input',
    message: reason,
    hint: 'Only external-in messages can be sent; "boc" shows what this is.',
  });
}
