import { Address, beginCell, storeStateInit } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { createHash } from 'node:crypto';
import type { LocalAccount } from '../accounts/localAccount';
import { signEd25519 } from '../base/signEd25519';
import type { ConnectRequest } from './connectLink';
import { protocolCodes, uint32, uint64 } from './protocol';
import type { WalletFeatures } from './walletFeatures';
import { featureList } from './walletFeatures';

/** What the script tells pages about the wallet. */
export interface InjectedFacts {
  origin: string;
  device: DeviceInfo;
  /** As in the wallets list. */
  wallet: object;
}

/**
 * The script that gives a page `window.tonWorkbench.tonconnect`. It speaks to the wallet over the same queues as the
 * bridge, in plain text: the page's token is its client id. The token and the last event id are kept in the page's
 * storage, so that a reload goes on with the connection.
 */
export function injectedScript({ origin, device, wallet }: InjectedFacts): string {
  return `(() => {
  'use strict';
  const origin = ${literal(origin)};
  const storeKey = 'ton-workbench-wallet';
  const listeners = new Set();
  const waiting = new Map();
  let connecting;
  let source;
  let state = read();

  function read() {
    try {
      return JSON.parse(localStorage.getItem(storeKey)) ?? {};
    } catch {
      return {};
    }
  }
  function write(next) {
    state = next;
    try {
      localStorage.setItem(storeKey, JSON.stringify(next));
    } catch {
      // A page without storage forgets the connection when it is left.
    }
  }
  function newToken() {
    return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  function failed(code, message) {
    return { event: 'connect_error', id: Date.now(), payload: { code, message } };
  }
  async function post(path, body) {
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) {
      throw new Error(answer.message ?? 'status ' + response.status);
    }
    return answer;
  }
  function open() {
    source?.close();
    const after = state.last === undefined ? '' : '&last_event_id=' + state.last;
    const stream = new EventSource(origin + '/bridge/events?client_id=' + state.token + after);
    source = stream;
    stream.onmessage = ({ data, lastEventId }) => {
      if (data === 'heartbeat' || stream !== source) {
        return;
      }
      write({ ...state, last: lastEventId });
      take(JSON.parse(JSON.parse(data).message));
    };
    stream.onerror = () => {
      // A closed stream was refused or cut off for good: the browser itself only retries the others.
      if (stream === source && stream.readyState === EventSource.CLOSED) {
        setTimeout(() => stream === source && open(), 1000);
      }
    };
  }
  function take(message) {
    if (message.event === 'connect' || message.event === 'connect_error') {
      write({ token: state.token, last: state.last });
      connecting?.(message);
      connecting = undefined;
      return;
    }
    if (message.event !== undefined) {
      if (message.event === 'disconnect') {
        close();
      }
      listeners.forEach((listener) => listener(message));
      return;
    }
    waiting.get(String(message.id))?.(message);
    waiting.delete(String(message.id));
  }
  function close() {
    source?.close();
    source = undefined;
    write({});
  }

  const tonconnect = {
    deviceInfo: ${literal(device)},
    walletInfo: ${literal(wallet)},
    protocolVersion: 2,
    isWalletBrowser: false,
    async connect(protocolVersion, request) {
      if (protocolVersion > 2) {
        return failed(1, 'This wallet speaks version 2 of the protocol.');
      }
      connecting?.(failed(300, 'Another request to connect has replaced this one.'));
      const answered = new Promise((resolve) => { connecting = resolve; });
      write({ token: newToken(), isAsking: true });
      open();
      try {
        await post('/injected/connect', { client: state.token, request });
      } catch (error) {
        close();
        return failed(1, error.message);
      }
      return answered;
    },
    async restoreConnection() {
      if (state.token === undefined) {
        return failed(100, 'The page is not connected.');
      }
      const event = await post('/injected/restore', { client: state.token });
      if (event.event === 'connect') {
        open();
      } else {
        close();
      }
      return event;
    },
    async send(message) {
      if (state.token === undefined) {
        throw new Error('The page is not connected.');
      }
      const answered = new Promise((resolve) => waiting.set(String(message.id), resolve));
      await post('/injected/message?client=' + state.token, message);
      return answered;
    },
    disconnect() {
      const { token } = state;
      close();
      if (token !== undefined) {
        post('/injected/disconnect', { client: token }).catch(() => undefined);
      }
    },
    listen(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
  };
  if (state.isAsking) {
    // The page was left while it asked to connect: nobody would hear the answer.
    tonconnect.disconnect();
  }
  window[${literal(injectedKey)}] = { tonconnect };
})();
`;
}

/** A value as source text that ends no script element and no string. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** How the wallet calls itself in the protocol. */
const walletAppName = 'ton-workbench';

/** The wallet's program, as dApps are told. */
interface DeviceInfo {
  platform: 'windows' | 'mac' | 'linux';
  appName: string;
  appVersion: string;
  maxProtocolVersion: number;
  features: readonly unknown[];
}

export function deviceInfo(
  features: WalletFeatures,
  version: string,
  platform: NodeJS.Platform = process.platform,
): DeviceInfo {
  return {
    platform: platform === 'win32' ? 'windows' : platform === 'darwin' ? 'mac' : 'linux',
    appName: walletAppName,
    appVersion: version,
    maxProtocolVersion: 2,
    features: featureList(features),
  };
}

/** The items of an approved connection. An item that is not known is answered with an error of its own. */
export function connectItems(
  { items }: ConnectRequest,
  wallet: LocalAccount,
  { chain, domain, timestamp }: { chain: string; domain: string; timestamp: number },
): object[] {
  return items.map((item) => {
    if (item.name === 'ton_addr') {
      return addressItem(wallet, chain);
    }
    if (item.name === 'ton_proof' && typeof item.payload === 'string') {
      return { name: 'ton_proof', proof: proveOwnership(item.payload, wallet, domain, timestamp) };
    }
    const error = { code: protocolCodes.notSupported, message: 'This item is not supported.' };
    return { name: item.name, error };
  });
}

/** The account, as `ton_addr` tells it. */
export function addressItem(wallet: LocalAccount, chain: string): object {
  const publicKey = Buffer.from(wallet.publicKey, 'hex');
  const { init } =
    wallet.kind === 'v4r2'
      ? WalletContractV4.create({ workchain: 0, publicKey })
      : WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: -239 } });
  return {
    ...{ name: 'ton_addr', address: wallet.address, network: chain, publicKey: wallet.publicKey },
    walletStateInit: beginCell().store(storeStateInit(init)).endCell().toBoc().toString('base64'),
  };
}

/** The answer to `ton_proof`. */
interface OwnershipProof {
  /** Unix seconds. */
  timestamp: number;
  domain: { lengthBytes: number; value: string };
  /** Base64. */
  signature: string;
  payload: string;
}

/** Signs `ton_proof`: that the owner of the account is at this domain, now. */
function proveOwnership(
  payload: string,
  wallet: Pick<LocalAccount, 'address' | 'secretKey'>,
  domain: string,
  timestamp: number,
): OwnershipProof {
  const { workChain, hash } = Address.parseRaw(wallet.address);
  const name = Buffer.from(domain);
  const message = Buffer.concat([
    Buffer.from('ton-proof-item-v2/'),
    uint32(workChain, 'big'),
    hash,
    uint32(name.length, 'little'),
    name,
    uint64(timestamp, 'little'),
    Buffer.from(payload),
  ]);
  const signed = sha256(
    Buffer.concat([Buffer.from([0xff, 0xff]), Buffer.from('ton-connect'), sha256(message)]),
  );
  return {
    timestamp,
    domain: { lengthBytes: name.length, value: domain },
    signature: signEd25519(signed, Buffer.from(wallet.secretKey, 'hex')).toString('base64'),
    payload,
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** The property of `window` that has the injected wallet. */
const injectedKey = 'tonWorkbench';

/** The name that dApps show. */
const walletName = 'TON Workbench';

/** Where a wallet can be reached: without a trailing slash. */
export interface WalletAddresses {
  /** Of the HTTP bridge. */
  bridge: string;
  universalLink: string;
  /** A wallets list with this wallet alone, for `walletsListSource`. */
  walletsList: string;
  /** The script of the JS bridge. */
  inject: string;
}

const platforms = ['ios', 'android', 'chrome', 'firefox', 'safari', 'windows', 'macos', 'linux'];

export function walletAddresses(port: number): WalletAddresses {
  const origin = `http://127.0.0.1:${port}`;
  return {
    bridge: `${origin}/bridge`,
    universalLink: `${origin}/connect`,
    walletsList: `${origin}/wallets.json`,
    inject: `${origin}/inject.js`,
  };
}

/** The wallet in the form of the public wallets list. */
export function walletsListEntry(port: number, features: WalletFeatures): object {
  const { bridge, universalLink } = walletAddresses(port);
  return {
    ...{ app_name: walletAppName, name: walletName },
    ...{ image: iconUrl(port), about_url: aboutUrl(port) },
    ...{ universal_url: universalLink, platforms },
    bridge: [
      { type: 'sse', url: bridge },
      { type: 'js', key: injectedKey },
    ],
    features: featureList(features),
  };
}

/** The wallet for `walletsListConfiguration.includeWallets` of @tonconnect/ui. */
export function includedWallet(port: number, features: WalletFeatures): object {
  const { bridge, universalLink } = walletAddresses(port);
  return {
    ...{ appName: walletAppName, name: walletName },
    ...{ imageUrl: iconUrl(port), aboutUrl: aboutUrl(port) },
    ...{ bridgeUrl: bridge, universalLink, jsBridgeKey: injectedKey, platforms },
    features: featureList(features),
  };
}

function iconUrl(port: number): string {
  return `http://127.0.0.1:${port}/icon.svg`;
}

function aboutUrl(port: number): string {
  return `http://127.0.0.1:${port}/`;
}
