import { Address, Cell, beginCell, contractAddress, loadStateInit } from '@ton/core';
import jsQR from 'jsqr';
import assert from 'node:assert/strict';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { readMainnetLimit, requireWithinLimit } from '../../../src/toolkit/send/mainnetLimit';
import type { MessageRequest } from '../../../src/toolkit/send/messageRequest';
import {
  checkRequest,
  initCell,
  isRequestedMessage,
  requestKey,
} from '../../../src/toolkit/send/messageRequest';
import { qrSvg, qrText } from '../../../src/toolkit/send/qrCode';
import { longestLink, readTransferLink, transferLinks } from '../../../src/toolkit/send/transferLink';

const code = beginCell().storeUint(0xff00f4a4, 32).storeRef(beginCell().storeUint(7, 19).endCell()).endCell();
const bodies = [
  Cell.EMPTY,
  beginCell().storeUint(0, 32).storeStringTail('rent for May, + and / and ?').endCell(),
  beginCell().storeUint(0x21, 32).storeUint(3, 32).endCell(),
  beginCell().storeBit(true).endCell(),
  beginCell().storeRef(beginCell().storeUint(1, 8).endCell()).storeRef(Cell.EMPTY).endCell(),
];

/** 30 messages: five bodies, with and without a state init, on the main network and two others. */
const messages: MessageRequest[] = ['-239', '-3', '-3'].flatMap((chain, index) =>
  bodies.flatMap((body, row) =>
    [true, false].map((deploys): MessageRequest => {
      const init = deploys ? { code, data: beginCell().storeUint(row, 32).endCell() } : undefined;
      return {
        network: `net ${index}`,
        ...{ chain, body, init, bounce: !deploys },
        destination:
          init === undefined
            ? new Address(-(index % 2), Buffer.alloc(32, row + 1))
            : contractAddress(0, init),
        value: [0n, 1n, 1_500_000_000n, 2n ** 64n, 123n][row]!,
        validUntil: 1_800_000_000 + row,
      };
    }),
  ),
);

/** The code's modules as a picture of a camera: four pixels each. */
function scanned(text: string): string | undefined {
  const scale = 4;
  const rows = qrText(text)
    .split('\n')
    .flatMap((line) => [
      [...line].map((half) => half === ' ' || half === '▄'),
      [...line].map((half) => half === ' ' || half === '▀'),
    ]);
  const size = rows[0]!.length;
  const pixels = new Uint8ClampedArray((size * scale) ** 2 * 4).fill(255);
  for (let y = 0; y < size * scale; y += 1) {
    for (let x = 0; x < size * scale; x += 1) {
      if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === true) {
        pixels.fill(0, (y * size * scale + x) * 4, (y * size * scale + x) * 4 + 3);
      }
    }
  }
  return jsQR(pixels, size * scale, size * scale)?.data;
}

describe('a link to pay', () => {
  it('is read back to the same message, by @ton/core and as the test wallet reads it', () => {
    assert.equal(messages.length, 30);
    for (const message of messages) {
      const { link, https } = transferLinks(message);
      const url = new URL(link);
      const address = Address.parseFriendly(url.pathname.replace(/^\/+/, '').replace(/^transfer\//, ''));
      assert.ok(address.address.equals(message.destination), link);
      assert.deepEqual(
        [address.isBounceable, address.isTestOnly],
        [message.bounce, message.chain !== '-239'],
      );
      const cell = (name: string): Cell | undefined => {
        const text = url.searchParams.get(name);
        return text === null ? undefined : Cell.fromBoc(Buffer.from(text, 'base64url'))[0];
      };
      assert.ok((cell('bin') ?? Cell.EMPTY).equals(message.body));
      assert.equal(cell('init')?.hash().toString('hex'), initCell(message)?.hash().toString('hex'));
      if (message.init !== undefined) {
        assert.ok(loadStateInit(cell('init')!.beginParse()).code?.equals(code));
      }
      assert.equal(url.searchParams.get('amount'), message.value.toString());
      assert.equal(url.searchParams.get('exp'), String(message.validUntil));
      for (const one of [link, ...https.map((form) => form.link)]) {
        const read = readTransferLink(one)!;
        assert.equal(read.validUntil, message.validUntil);
        assert.ok(
          isRequestedMessage(message, {
            destination: read.destination.toRawString(),
            value: read.value,
            body: read.body.hash().toString('hex'),
            init: initCell(read)?.hash().toString('hex'),
          }),
        );
      }
    }
    assert.equal(new Set(messages.map(requestKey)).size, 30);
  });

  it('is a QR code that a third-party reader reads, in a terminal and on a page', () => {
    for (const message of messages.slice(0, 10)) {
      const { link } = transferLinks(message);
      assert.equal(scanned(link), link);
      assert.match(qrSvg(link), /^<svg [^>]*>.*<\/svg>$/s);
    }
  });

  it('is refused where it would be too long to scan, and a message where no wallet can carry it', () => {
    const [message] = messages as [MessageRequest];
    const padded = (bytes: number): Cell => {
      let body = Cell.EMPTY;
      for (let left = bytes; left > 0; left -= 100) {
        body = beginCell()
          .storeBuffer(Buffer.alloc(100, left % 251))
          .storeRef(body)
          .endCell();
      }
      return body;
    };
    const throws = (work: () => unknown, wanted: string): void =>
      assert.throws(work, (error) => WorkbenchError.is(error) && error.code === wanted);
    throws(() => transferLinks({ ...message, init: undefined, body: padded(2_200) }), 'link-too-long');
    assert.ok(transferLinks({ ...message, init: undefined, body: padded(1_800) }).link.length < longestLink);
    const now = message.validUntil - 10;
    checkRequest(message, now);
    throws(() => checkRequest(message, message.validUntil), 'request-expired');
    throws(() => checkRequest({ ...message, body: padded(51_300) }, now), 'request-not-carriable');
    throws(
      () => checkRequest({ ...message, destination: new Address(0, Buffer.alloc(32)) }, now),
      'request-not-carriable',
    );
    throws(() => readTransferLink('ton://transfer/nobody?amount=1'), 'transfer-link-invalid');
    assert.equal(readTransferLink('https://example.org/shop'), undefined);
    assert.ok(readBoc(message.body.toBoc()).roots.length === 1);
  });

  it('is kept within the limit of the main network', () => {
    assert.deepEqual(['1', '0.5', '2ton', ' 1.000000001 TON', 'x', '-1', '1e9'].map(readMainnetLimit), [
      ...[1_000_000_000n, 500_000_000n, 2_000_000_000n, 1_000_000_001n, undefined, undefined, undefined],
    ]);
    requireWithinLimit(1_000_000_000n, undefined, 'the limit');
    assert.throws(
      () => requireWithinLimit(1_000_000_001n, undefined, 'the limit'),
      /MAIN NETWORK: 1\.000000001 TON/,
    );
    requireWithinLimit(5_000_000_000n, '5', 'the limit');
  });
});
