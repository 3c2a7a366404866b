import * as fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../base/journal/journalDisk';
import { numberWidths } from '../../base/numberWidths';
import { readUserText } from '../../base/readUserFile';

/** The network that a folder's local network was forked from, by name. */
export interface ChosenFork {
  network: string;
  /** Masterchain block; the newest one by default. */
  seqno?: number | undefined;
}

/** What is remembered about a folder's local network, shared by all windows on that folder. */
export interface FolderRecord {
  /**
   * Whether the network should run: false once the user has stopped it. Closing a window does not change it.
   */
  isOn?: boolean | undefined;
  /** The port it last listened on; tried first at the next start. */
  port?: number | undefined;
  /** The port that was requested then. If another one is requested, `port` no longer applies. */
  wantedPort?: number | undefined;
  fork?: (ChosenFork & { isNew?: boolean | undefined }) | undefined;
}

/** The file of the record, below the folder's state directory. */
export const folderRecordName = 'network.json';

/** Reads the record in a state directory; empty if there is none or it is unreadable. */
export function readFolderRecord(directory: string): FolderRecord {
  let content: unknown;
  try {
    content = JSON.parse(readUserText(path.join(directory, folderRecordName), 'localNetworkFile'));
  } catch {
    return {};
  }
  const { isOn, port, wantedPort, fork } = (content ?? {}) as Record<keyof FolderRecord, unknown>;
  return {
    isOn: isOn === true,
    port: asPort(port),
    wantedPort: asPort(wantedPort),
    fork: asFork(fork),
  };
}

/** Changes some fields of the record, in one step for every reader. */
export function changeFolderRecord(directory: string, change: FolderRecord): void {
  makeFolder(directory);
  const file = path.join(directory, folderRecordName);
  const fresh = `${file}.${process.pid}.tmp`;
  const content = JSON.stringify({ ...readFolderRecord(directory), ...change }, undefined, 2);
  fs.writeFileSync(fresh, `${content}\n`, { mode: 0o600 });
  fs.renameSync(fresh, file);
}

function asPort(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= numberWidths.port
    ? (value as number)
    : undefined;
}

function asFork(value: unknown): FolderRecord['fork'] {
  const { network, seqno, isNew } = (value ?? {}) as Record<string, unknown>;
  return typeof network === 'string'
    ? {
        network,
        seqno:
          Number.isInteger(seqno) && (seqno as number) > 0 && (seqno as number) <= numberWidths.seqno
            ? (seqno as number)
            : undefined,
        isNew: isNew === true ? true : undefined,
      }
    : undefined;
}
