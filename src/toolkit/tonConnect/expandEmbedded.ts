import { RefusedRequest, protocolCodes, refuseRequest } from './protocol';

type Names = Readonly<Record<string, string>>;

const methods: Names = { st: 'sendTransaction', sm: 'signMessage', sd: 'signData' };

const messageNames: Names = {
  ...{ a: 'address', am: 'amount', p: 'payload', si: 'stateInit', ec: 'extra_currency' },
};

const transferNames: Names = {
  ...{ aa: 'attachAmount', rd: 'responseDestination', cp: 'customPayload' },
  ...{ fa: 'forwardAmount', fp: 'forwardPayload', qi: 'queryId' },
};

/** The short names of each type of item, without that of the type. */
const itemNames: Readonly<Record<string, Names>> = {
  ton: messageNames,
  jetton: { ma: 'master', d: 'destination', am: 'amount', ...transferNames },
  nft: { na: 'nftAddress', no: 'newOwner', ...transferNames },
};

const targetNames: Names = { f: 'from', n: 'network' };
const transactionNames: Names = { ...targetNames, vu: 'valid_until', ms: 'messages', i: 'items' };
const dataNames: Names = { ...targetNames, t: 'type', tx: 'text', b: 'bytes', s: 'schema', c: 'cell' };

/**
 * The request in a connect link (parameter `e`), with the names that it has on the bridge: the link shortens them. Its
 * contents are checked like those of any request.
 * @param text base64url of JSON, with or without padding
 * @throws RefusedRequest
 */
export function expandEmbedded(text: string): { method: string; params: readonly string[] } {
  const { m, ...fields } = asRecord(decode(text), 'the request in the link (e)');
  const method = typeof m === 'string' && Object.hasOwn(methods, m) ? methods[m] : undefined;
  if (method === undefined) {
    const found =
      typeof m === 'string' ? `the method (m) ${JSON.stringify(m.slice(0, 50))}` : 'no method (m)';
    const message = `the request in the link (e) has ${found}: it is st (sendTransaction), sm (signMessage), or sd (signData)`;
    throw new RefusedRequest(protocolCodes.notSupported, message);
  }
  if (method === 'signData') {
    return { method, params: [JSON.stringify(rename(fields, dataNames, 'e'))] };
  }
  const { ms, i, ...rest } = fields;
  const expanded = {
    ...rename(rest, transactionNames, 'e'),
    ...(ms === undefined
      ? {}
      : { messages: asList(ms, 'e.ms').map((one, at) => rename(one, messageNames, `e.ms.${at}`)) }),
    ...(i === undefined ? {} : { items: asList(i, 'e.i').map((one, at) => expandItem(one, `e.i.${at}`)) }),
  };
  return { method, params: [JSON.stringify(expanded)] };
}

function decode(text: string): unknown {
  if (!/^[\w-]+={0,2}$/.test(text)) {
    return refuseRequest('the request in the link (e) is not base64url');
  }
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64url'));
  } catch {
    return refuseRequest('the request in the link (e) is not base64url of text');
  }
  try {
    return JSON.parse(json);
  } catch {
    return refuseRequest('the request in the link (e) is not JSON');
  }
}

function expandItem(value: unknown, name: string): Record<string, unknown> {
  const { t, ...fields } = asRecord(value, name);
  const names = typeof t === 'string' && Object.hasOwn(itemNames, t) ? itemNames[t] : undefined;
  return names === undefined
    ? refuseRequest(`${name}.t is not ton, jetton, or nft`)
    : { type: t, ...rename(fields, names, name) };
}

/** Fields with their long names; one that is not known might change what the request means. */
function rename(value: unknown, names: Names, name: string): Record<string, unknown> {
  const fields = Object.entries(asRecord(value, name)).map(([short, field]): [string, unknown] => {
    const long = Object.hasOwn(names, short) ? names[short] : undefined;
    return long === undefined
      ? refuseRequest(`${name} has ${JSON.stringify(short.slice(0, 50))}, which this wallet does not know`)
      : [long, field];
  });
  return Object.fromEntries(fields);
}

function asRecord(value: unknown, name: string): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuseRequest(`${name} is not an object`);
}

function asList(value: unknown, name: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuseRequest(`${name} is not a list`);
}
