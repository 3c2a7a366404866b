import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Delivery } from '../../../../src/toolkit/webhook/delivery/delivery';
import type { HeaderList } from '../../../../src/toolkit/webhook/delivery/signature';
import { sendHttpRequest } from '../../../../src/toolkit/webhook/send/sendHttpRequest';
import type { HttpAnswer } from '../../../../src/toolkit/webhook/send/sendHttpRequest';
import { openListener } from '../../../../src/toolkit/webhook/listener/listenerCore';
import type {
  ListenerCore,
  ListenerOptions,
  ListenerSurroundings,
} from '../../../../src/toolkit/webhook/listener/listenerCore';
import type { SteppedClock } from '../../../support/steppedClock';
import { until } from '../../../support/until';
import { bytes, secret, signed } from './sample';

/** A listener in this thread, with a journal of its own. */
export interface TestListener extends ListenerCore {
  directory: string;
  /** Every summary told, in order. */
  told: Delivery[];
  /** The first summary that fits. */
  untilTold(fits: (delivery: Delivery) => boolean): Promise<Delivery>;
  post(
    body: Buffer,
    headers: HeaderList,
    target?: string,
  ): Promise<HttpAnswer & { json: Record<string, unknown> }>;
  /** Signs and posts. */
  deliver(value: unknown): Promise<HttpAnswer & { json: Record<string, unknown> }>;
  /** Its HTTP server, once the head of its next request has come. */
  nextRequest(): Promise<Server>;
  /** Writes raw bytes and reads until the listener closes the connection. */
  raw(text: string | Buffer): Promise<string>;
}

const running: (() => Promise<void>)[] = [];

export async function startListener(
  options: Partial<ListenerOptions> = {},
  surroundings: ListenerSurroundings = {},
): Promise<TestListener> {
  const directory = options.journalDirectory ?? (await temporaryDirectory());
  const told: Delivery[] = [];
  const core = await openListener(
    { port: 0, secrets: [{ name: 'shop', value: secret }], journalDirectory: directory, ...options },
    { ...surroundings, onRecorded: (json) => told.push(JSON.parse(json) as Delivery) },
  );
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= core.close());
  running.push(close);
  const post: TestListener['post'] = async (body, headers, target = options.path ?? '/webhook') => {
    const url = new URL(target, core.url);
    const answer = await sendHttpRequest({ url, method: 'POST', headers, body, timeoutMs: 15_000 });
    return { ...answer, json: JSON.parse(answer.text) as Record<string, unknown> };
  };
  return {
    ...core,
    close,
    directory,
    told,
    untilTold: (fits) => until(() => told.find(fits), 'a delivery that fits is told'),
    post,
    deliver: (value) => {
      const body = Buffer.isBuffer(value) ? value : bytes(value);
      return post(body, [signed(body)]);
    },
    nextRequest: () => nextRequest(core.port),
    raw: (text) => rawExchange(core.port, text),
  };
}

/** What is answered before the body has come: the listener reads on for two seconds, so that its sender sees the answer. */
export async function refusedEarly(
  listener: TestListener,
  clock: SteppedClock,
  text: string,
): Promise<string> {
  const before = listener.told.length;
  let answer: string | undefined;
  void listener.raw(text).then((whole) => (answer = whole));
  await until(() => listener.told.length > before, 'the refusal is told');
  return until(() => {
    clock.advance(2_000);
    return answer;
  }, 'the answer ends');
}

/** Closes every listener that a test started. */
export async function stopListeners({ keepFolders = false } = {}): Promise<void> {
  await Promise.all(running.splice(0).map((close) => close()));
  if (keepFolders) {
    return;
  }
  await Promise.all(directories.splice(0).map((one) => rm(one, { recursive: true, force: true })));
}

const directories: string[] = [];

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'webhook-'));
  directories.push(directory);
  return directory;
}

function nextRequest(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const channel = 'http.server.request.start';
    const look = (message: unknown): void => {
      const { server } = message as { server: Server };
      if ((server.address() as AddressInfo).port === port) {
        unsubscribe(channel, look);
        resolve(server);
      }
    };
    subscribe(channel, look);
  });
}

function rawExchange(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket
      .on('data', (chunk) => (answer += chunk.toString('latin1')))
      .on('error', () => undefined)
      .on('close', () => resolve(answer));
  });
}
