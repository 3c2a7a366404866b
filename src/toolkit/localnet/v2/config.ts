import type { V2Answer } from './v2Answer';
import { beginCell, Cell, Dictionary } from '@ton/core';
import { ApiError } from '../api/apiError';
import { parseHash } from '../api/parseHash';
import type { LocalChain } from '../chain/localChain';
import { wholeAccount } from '../chain/history';
import { notReady } from './accounts';
import type { V2Parameters } from './v2Parameters';

export function getConfigParam(chain: LocalChain, parameters: V2Parameters): V2Answer<'getConfigParam'> {
  const [older, newer] = [parameters.integer('config_id'), parameters.integer('param')];
  // In a query, the older name wins; in a body, there must be just one.
  const hasBoth = older !== undefined && newer !== undefined && parameters.source === 'post';
  const id = older ?? newer;
  if (id === undefined || hasBoth) {
    throw parameters.invalid('only one of config_id or param should be specified');
  }
  if (id < 0) {
    throw parameters.invalid('param should be non-negative');
  }
  checkSeqno(chain, parameters);
  const cell = chain.config.parameters.get(id);
  if (cell === undefined) {
    throw new ApiError(500, `LITE_SERVER_UNKNOWN: configuration parameter ${id} is absent`);
  }
  return configInfo(cell);
}

export function getConfigAll(chain: LocalChain, parameters: V2Parameters): V2Answer<'getConfigAll'> {
  checkSeqno(chain, parameters);
  return configInfo(chain.config.root);
}

function checkSeqno({ ledger }: LocalChain, parameters: V2Parameters): void {
  const seqno = parameters.seqno();
  if (seqno !== undefined && ledger.block(seqno) === undefined) {
    notReady();
  }
}

function configInfo(cell: Cell): V2Answer<'getConfigAll'> {
  return { '@type': 'configInfo', config: { '@type': 'tvm.cell', bytes: cell.toBoc().toString('base64') } };
}

export function getLibraries({ libraries }: LocalChain, parameters: V2Parameters): V2Answer<'getLibraries'> {
  const value = parameters.values.libraries;
  const wanted = (
    Array.isArray(value) ? (value as unknown[]) : typeof value === 'string' ? value.split(',') : []
  ).map((text) => parseHash(String(text), true) ?? parameters.fail('failed to parse libraries'));
  const known =
    libraries === null
      ? Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
      : Cell.fromBase64(libraries)
          .beginParse()
          .loadDictDirect(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const result = wanted.flatMap((hash) => {
    const cell = known.get(BigInt(`0x${hash}`));
    return cell === undefined
      ? []
      : [{ '@type': 'smc.libraryEntry', hash, data: cell.toBoc().toString('base64') }];
  });
  return { '@type': 'smc.libraryResult', result };
}

/** The ShardAccount as a cell, now or at the masterchain block `seqno`; an empty cell for an unused account. */
export function getShardAccountCell(
  { ledger }: LocalChain,
  parameters: V2Parameters,
): V2Answer<'getShardAccountCell'> {
  const address = parameters.address();
  const seqno = parameters.seqno();
  if (seqno !== undefined && ledger.block(seqno) === undefined) {
    notReady();
  }
  const version = ledger.versionAt(address, seqno ?? ledger.last.seqno);
  const bytes = (
    version === undefined ? beginCell().endCell().toBoc() : wholeAccount(ledger, version)
  ).toString('base64');
  return { '@type': 'tvm.cell', bytes };
}
