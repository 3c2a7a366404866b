import { runTolkCompiler } from '@ton/tolk-js';
import { Cell, beginCell, contractAddress } from '@ton/core';
import { systemClock } from '../src/toolkit/base/time';
import type { MessageRequest } from '../src/toolkit/send/messageRequest';
import { checkRequest } from '../src/toolkit/send/messageRequest';
import { qrSvg, qrText } from '../src/toolkit/send/qrCode';
import { transferLinks } from '../src/toolkit/send/transferLink';
import { DAppConnection } from '../src/toolkit/tonConnect/dAppConnection';
import { serveManifest } from '../src/toolkit/tonConnect/serveManifest';
import { counterSource } from '../test/support/counterSource';
import { startLocalnetCommand } from '../test/support/localnetCommand';
import { startWalletCommand } from '../test/support/walletCommand';
import { median } from './support/median';
import { report } from './support/report';

/*
 * Handing a message to the user's own wallet: the link for a counter's deployment, its QR code, and going on with the
 * connection to a wallet on this machine, as after a restart.
 */

const runs = 30;

/** The message that deploys a counter. */
async function counterRequest(): Promise<MessageRequest> {
  const built = await runTolkCompiler({
    entrypointFileName: 'counter.tolk',
    fsReadCallback: () => counterSource(1),
  });
  if (built.status === 'error') {
    throw new Error(built.message);
  }
  const init = { code: Cell.fromBase64(built.codeBoc64), data: beginCell().storeUint(5, 32).endCell() };
  return {
    ...{ network: 'Testnet', chain: '-3', destination: contractAddress(0, init), init },
    ...{ value: 50_000_000n, bounce: false, body: Cell.EMPTY },
    validUntil: Math.floor(systemClock.now() / 1000) + 300,
  };
}

/** Milliseconds of each run; the first one is cold. */
function timesOf(work: () => unknown): number[] {
  return Array.from({ length: runs }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
}

/** Milliseconds until a connection that was kept has its wallet again. */
async function reconnections(): Promise<number[]> {
  const network = await startLocalnetCommand();
  const wallet = await startWalletCommand(network.origin, '--approve', 'all');
  const manifest = await serveManifest();
  let kept: Readonly<Record<string, string>> = {};
  const options = {
    store: {
      read: () => Promise.resolve({ ...kept }),
      write: (values: Readonly<Record<string, string>>) => {
        kept = { ...values };
        return Promise.resolve();
      },
    },
    manifest: { local: () => Promise.resolve(manifest.url), public: undefined },
    walletsList: wallet.ready.walletsList,
    clock: systemClock,
  };
  const first = await DAppConnection.open(options);
  const { link, connected } = await first.connect(undefined, new AbortController().signal);
  await fetch(link);
  await connected;
  first.close();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    const again = await DAppConnection.open(options);
    times.push(performance.now() - began);
    if (again.wallet === undefined) {
      throw new Error('the connection was not restored');
    }
    again.close();
  }
  manifest.close();
  await wallet.stop();
  await network.stop();
  return times;
}

const request = await counterRequest();
const links = timesOf(() => {
  checkRequest(request, 0);
  return transferLinks(request);
});
const { link } = transferLinks(request);
const pages = timesOf(() => qrSvg(link));
const terminal = timesOf(() => qrText(link));
const restored = await reconnections();
const row = (name: string, ours: number, goal?: string): void =>
  report([{ name, ours, unit: 'ms', ...(goal === undefined ? {} : { goal }) }]);
row(`link for a counter's deployment, ${link.length} characters, the first`, links[0] ?? NaN, '<= 10 ms');
row('the same, again', median(links));
row('QR code on the page, the first', pages[0] ?? NaN, '<= 50 ms');
row('the same, again', median(pages));
row('QR code in the terminal, the first', terminal[0] ?? NaN, '<= 50 ms');
row('reconnection on this machine, the slowest', Math.max(...restored), '<= 1000 ms');
row('reconnection on this machine', median(restored));
// The SDK looks for the bridge of a paused connection without end.
process.exit();
