import type { Cell } from '@ton/core';
import { decodeByLayout } from '../contracts/layouts/decodeByLayout';
import type { StorageLayout } from '../contracts/layouts/layoutSet';
import { layoutOfData } from '../contracts/layouts/initialLayout';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';

/** Reads data by a layout; undefined if there is none, or if the data does not fit it completely. */
export function storageReader(storage: StorageLayout | undefined): (data: Cell) => DecodedBody | undefined {
  return (data) => {
    const own = storage && layoutOfData(storage, data);
    const body = own && decodeByLayout(data, own.layout, own.set);
    return body === undefined || body.broken || body.left.bits + body.left.refs > 0 ? undefined : body;
  };
}
