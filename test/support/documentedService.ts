import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Address } from '@ton/core';
import { documentedForm, documentedShapes } from './documentedShapes';
import type { ChangeObject } from './documentedShapes';

/**
 * What a service makes of what its document leaves open:
 * - `whole`: every field that is shown.
 * - `nodes`: a trace carries its transactions in the nodes of its tree alone.
 * - `few`: hardly any field, and `{}` where an answer is not shown.
 * - `nulls`: every field that is shown; those that do not apply are null.
 * - `forms`: hashes in upper-case hex, addresses as people know them, states in words of its own.
 * - `more`: a field that is not shown in every object.
 */
export type DocumentedVariant = 'whole' | 'nodes' | 'few' | 'nulls' | 'forms' | 'more';

export const documentedVariants: readonly DocumentedVariant[] = [
  'whole',
  'nodes',
  'few',
  'nulls',
  'forms',
  'more',
];

/** A service that answers with the shapes of the documents, and with nothing else. */
export interface DocumentedService {
  origin: string;
  variant: DocumentedVariant;
  /** Method and path of every request that came. */
  asked: string[];
  close(): Promise<void>;
}

/** The fields that `few` keeps; objects that are not named keep none. */
const fewFields: Readonly<Record<string, readonly string[]>> = {
  TracesResponse: ['traces'],
  Trace: ['transactions'],
  Transaction: ['hash', 'account', 'in_msg', 'out_msgs', 'description'],
  Message: ['hash', 'source', 'destination', 'value'],
  GetMethodAnswer: ['stack'],
  StackEntry: ['type', 'value'],
  RequestError: ['error'],
};

/** Lists of the objects that are shown, in answers that are not. */
const likelyAnswers: Readonly<Record<string, readonly [list: string, type: string]>> = {
  'GET /transactions': ['transactions', 'Transaction[]'],
  'GET /transactionsByMessage': ['transactions', 'Transaction[]'],
  'GET /adjacentTransactions': ['transactions', 'Transaction[]'],
  'GET /pendingTransactions': ['transactions', 'Transaction[]'],
  'GET /actions': ['actions', 'Action[]'],
  'GET /pendingActions': ['actions', 'Action[]'],
  'GET /messages': ['messages', 'Message[]'],
};

/**
 * Starts the service in front of a local network, whose answers it reduces.
 *
 * @param target the origin of the local network
 */
export async function startDocumentedService(target: string): Promise<DocumentedService> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const url = new URL(request.url ?? '', target);
    const [, layer, path = ''] = /^\/api\/(v[23])(\/.*)$/.exec(url.pathname) ?? [];
    const endpoint = `${request.method} ${path}`;
    service.asked.push(`${request.method} ${url.pathname}`);
    const body = await bodyOf(request);
    const { v2, v3 } = documentedShapes;
    const known =
      layer === 'v2' ? v2.openAnswers : layer === 'v3' ? [...Object.keys(v3.answers), ...v3.openAnswers] : [];
    if (!known.includes(endpoint)) {
      return { status: 404, body: { code: 404, error: 'no such path' } };
    }
    const real = await fetch(url, {
      ...{ method: request.method, headers: { 'content-type': 'application/json' } },
      ...(body === '' ? {} : { body }),
    });
    const json: unknown = await real.json();
    return {
      status: real.status,
      body: layer === 'v2' ? json : v3Answer(endpoint, real.status, json, service.variant),
    };
  };
  const service: DocumentedService = {
    origin: '',
    variant: 'whole',
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

function v3Answer(endpoint: string, status: number, json: unknown, variant: DocumentedVariant): unknown {
  const change = changes[variant];
  if (status !== 200) {
    return documentedForm(json, 'RequestError', change);
  }
  const { exit_code: code = 0 } = json as { exit_code?: number };
  if (code > 1) {
    // The shape of a result has no place for it.
    return documentedForm({ code, error: `the method ended with exit code ${code}` }, 'RequestError', change);
  }
  const { answers } = documentedShapes.v3;
  const shown = answers[endpoint] ?? (endpoint === 'GET /traces' ? 'TracesResponse' : undefined);
  if (shown !== undefined) {
    return documentedForm(json, shown, change);
  }
  const [list, type] = likelyAnswers[endpoint] ?? [];
  if (list !== undefined && type !== undefined) {
    return { [list]: documentedForm((json as Record<string, unknown>)[list], type, change) };
  }
  return variant === 'few' ? {} : json;
}

const changes: Readonly<Record<DocumentedVariant, ChangeObject>> = {
  whole: (object) => object,
  nodes: (object, name) => {
    if (name !== 'Trace') {
      return object;
    }
    const { transactions, transactions_order: _order, trace, ...rest } = object;
    return { ...rest, trace: withTransactions(trace as Node, transactions as Record<string, unknown>) };
  },
  few: (object, name) =>
    Object.fromEntries(Object.entries(object).filter(([field]) => fewFields[name]?.includes(field))),
  nulls: (object, name) => {
    const fields = Object.keys(documentedShapes.v3.objects[name] ?? {});
    return { ...Object.fromEntries(fields.map((field) => [field, null])), ...object };
  },
  forms: (object) =>
    Object.fromEntries(Object.entries(object).map(([field, value]) => [field, otherForm(field, value)])),
  more: (object, name) => ({ ...object, further: `more of ${name}` }),
};

interface Node {
  tx_hash?: string;
  children?: Node[];
}

function withTransactions(node: Node, transactions: Record<string, unknown>): Node {
  const { tx_hash: hash, children = [], ...rest } = node;
  const transaction = hash === undefined ? undefined : transactions[hash];
  return {
    ...rest,
    ...(transaction === undefined ? {} : { transaction }),
    children: children.map((child) => withTransactions(child, transactions)),
  };
}

const states = ['trace_state', 'classification_state', 'account_status', 'orig_status', 'end_status'];

function otherForm(field: string, value: unknown): unknown {
  if (states.includes(field)) {
    return `own-${String(value)}`;
  }
  if (Array.isArray(value)) {
    return value.map((item) => otherForm(field, item));
  }
  if (field === 'transactions' && typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([hash, row]) => [otherForm('hash', hash), row]));
  }
  if (typeof value !== 'string') {
    return value;
  }
  if (/^[A-Za-z0-9+/]{43}=$/.test(value)) {
    return Buffer.from(value, 'base64').toString('hex').toUpperCase();
  }
  return /^-?\d+:[0-9A-Fa-f]{64}$/.test(value) ? Address.parseRaw(value).toString() : value;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
  }
  return text;
}
