import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { joinEntry, splitEntry } from '../../base/journal/entryBytes';
import { readFileHeader, readJournal } from '../../base/journal/frames';
import type { JournalDisk } from '../../base/journal/journalDisk';
import { keepAside } from '../../base/journal/journalDisk';
import type { JournalFileOptions } from '../../base/journal/journalFile';
import { JournalFile } from '../../base/journal/journalFile';
import { readUserFile } from '../../base/readUserFile';
import type { Clock } from '../../base/time';
import type { Delivery, ForwardResult, FullDelivery } from '../delivery/delivery';
import type { HeaderList } from '../delivery/signature';
import type { OrderState } from '../orders/orderBook';
import { maximumStates, orderStateOf } from '../orders/orderBook';

/** The contents of a journal entry. */
export type DeliveryEntry =
  | { kind: 'delivery'; full: FullDelivery; order: OrderState | null }
  | { kind: 'forwarded'; id: string; forwarded: ForwardResult };

/** What is stored about a request besides its summary. */
export interface KeptRequest {
  headers: HeaderList;
  body: Buffer;
  bodyRedacted: boolean;
}

interface DeliveryHead {
  kind: 'delivery';
  /** The order's new state; the rest of it is in the summary. */
  order: OrderState['state'] | null;
  headers: HeaderList;
  bodyRedacted: boolean;
  /** Bytes of the summary, which follows; the body is the rest. */
  summaryBytes: number;
}

type ForwardedHead = Extract<DeliveryEntry, { kind: 'forwarded' }>;

/** @param summary the {@link Delivery} as JSON: the caller needs it as text too */
export function encodeDelivery(
  summary: string,
  { headers, body, bodyRedacted }: KeptRequest,
  order: OrderState['state'] | null,
): Buffer {
  const json = Buffer.from(summary);
  const head: DeliveryHead = { kind: 'delivery', order, headers, bodyRedacted, summaryBytes: json.length };
  return joinEntry({ head, blobs: [json, body] });
}

export function encodeForwarded(id: string, forwarded: ForwardResult): Buffer {
  const head: ForwardedHead = { kind: 'forwarded', id, forwarded };
  return joinEntry({ head, blobs: [] });
}

/** Throws if the bytes are not an entry of deliveries; the body is a copy. */
export function decodeDeliveryEntry(bytes: Buffer): DeliveryEntry {
  const { head, rest } = splitEntry(bytes);
  const entry = head as Partial<DeliveryHead> | Partial<ForwardedHead> | null;
  if (entry?.kind === 'forwarded' && typeof entry.id === 'string' && entry.forwarded != null) {
    return { kind: 'forwarded', id: entry.id, forwarded: entry.forwarded };
  }
  if (entry?.kind !== 'delivery' || !isHead(entry) || entry.summaryBytes > rest.length) {
    throw new TypeError('this is not a webhook delivery entry');
  }
  const { headers, bodyRedacted, summaryBytes } = entry;
  const delivery = JSON.parse(rest.toString('utf8', 0, summaryBytes)) as Delivery;
  const body = Buffer.from(rest.subarray(summaryBytes));
  const order = orderState(delivery, entry.order);
  return { kind: 'delivery', full: { ...delivery, headers, bodyRedacted, body }, order };
}

function isHead(head: Partial<DeliveryHead>): head is DeliveryHead {
  return (
    Number.isSafeInteger(head.summaryBytes) &&
    (head.order === null || head.order === 'paid' || head.order === 'failed') &&
    Array.isArray(head.headers)
  );
}

function orderState(
  { reference, payment, id }: Delivery,
  state: OrderState['state'] | null,
): OrderState | null {
  return state === null || reference === null ? null : orderStateOf(state, reference, payment, id);
}

/** Its file, beside the segments. */
export const carriedStatesFile = 'orders.log';

/**
 * Order states that outlive their deliveries: before the journal drops its oldest segment, the resulting states are
 * written here, so that repeats are still recognized.
 */
export class CarriedStates {
  /** Problems found when opening, as text. */
  readonly findings: readonly string[];
  readonly #file: JournalFile;

  /** @param onState receives each state, oldest first */
  constructor(options: JournalFileOptions, onState: (state: OrderState) => void) {
    const states: OrderState[] = [];
    const { file, findings } = JournalFile.open(options, {
      onEntry: (payload) => states.push(readState(payload)),
      afterDamage: 'skip',
    });
    this.#file = file;
    this.findings = findings.map(({ text }) => text);
    states.forEach(onState);
    if (states.length > maximumStates) {
      file.rewrite(states.slice(-maximumStates).map(writeState));
    }
  }

  /** Resolves once they are on disk: the deliveries behind them are deleted then. */
  async add(states: readonly OrderState[]): Promise<void> {
    if (states.length > 0) {
      this.#file.append(states.map(writeState));
      await this.#file.flush();
    }
  }

  clear(): void {
    this.#file.rewrite([]);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function writeState(state: OrderState): Buffer {
  return Buffer.from(JSON.stringify(state));
}

/** A state as it was written. Throws if the bytes are not one. */
function readState(payload: Buffer): OrderState {
  const state = JSON.parse(payload.toString('utf8')) as Partial<OrderState> | null;
  if (typeof state?.reference !== 'string' || (state.state !== 'paid' && state.state !== 'failed')) {
    throw new TypeError('this is not the state of an order');
  }
  return state as OrderState;
}

/** What a reading of a journal reports. */
interface DeliveryReader {
  /** Each entry, oldest first. */
  onEntry: (entry: DeliveryEntry) => void;
  /** The states of orders whose deliveries are gone, before the entries. */
  onState?: (state: OrderState) => void;
}

/**
 * Reads a journal of deliveries without changing or locking it, so a listener may be using it; damaged data is skipped.
 * One file after the other, so that the thread can do other things in between.
 * @throws WorkbenchError `format-newer` (input), and the errors of the file system, if the folder cannot be read
 */
export async function readDeliveries(directory: string, { onEntry, onState }: DeliveryReader): Promise<void> {
  const names = await readdir(directory);
  if (onState !== undefined) {
    await readEntries(path.join(directory, carriedStatesFile), (payload) => onState(readState(payload)));
  }
  for (const number of listSegments(directory, { list: () => names })) {
    await readEntries(path.join(directory, segmentName(number)), (payload) =>
      onEntry(decodeDeliveryEntry(payload)),
    );
  }
}

async function readEntries(file: string, onEntry: (payload: Buffer) => void): Promise<void> {
  await setImmediate();
  let bytes: Buffer;
  try {
    bytes = readUserFile(file, 'journalFile');
  } catch (error) {
    // The listener may have dropped it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return;
    }
    throw error;
  }
  const header = readFileHeader(bytes, file);
  if (header !== undefined) {
    readJournal(bytes, header, { onEntry, afterDamage: 'skip' });
  }
}

/**
 * One delivery of a journal, with its headers and bytes; undefined if there is none with this id.
 * @throws the errors of readDeliveries
 */
export async function readKeptDelivery(directory: string, id: string): Promise<FullDelivery | undefined> {
  let found: FullDelivery | undefined;
  await readDeliveries(directory, {
    onEntry: (entry) => {
      if (entry.kind === 'delivery' && entry.full.id === id) {
        found = { ...entry.full, forwarding: false };
      } else if (entry.kind === 'forwarded' && entry.id === id && found !== undefined) {
        found = { ...found, forwarded: entry.forwarded };
      }
    },
  });
  return found;
}

export function segmentName(number: number): string {
  return `deliveries-${String(number).padStart(6, '0')}.log`;
}

/** The numbers of the segments in a folder, oldest first. */
export function listSegments(directory: string, disk: Pick<JournalDisk, 'list'>): number[] {
  return disk
    .list(directory)
    .map((name) => Number(/^deliveries-(\d{6,})\.log$/.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .sort((left, right) => left - right);
}

/** Files from the version without checksums: renamed and reported. */
export function keepEarlierVersion(
  directory: string,
  options: { disk: JournalDisk; clock: Clock },
): string[] {
  const { disk } = options;
  const earlier = disk.list(directory).filter((name) => /^(?:deliveries-\d{6,}|orders)\.jsonl$/.test(name));
  return earlier.sort().map((name) => {
    const file = path.join(directory, name);
    const keptAs = path.basename(keepAside(file, 'unreadable', options));
    disk.remove(file);
    return (
      `${name} is from an earlier version and is not read. It was kept as ${keptAs}; ` +
      'orders that were paid in it are open again.'
    );
  });
}
