// Deploys contracts/counter.tolk to the local network, from the wallet "alice".
//   node scripts/deployCounter.mjs [URL of its v2 API]
// Without a URL, it uses the network of this folder, whose URL is in TON_LOCAL_V2 in the editor's terminals, and in
// .ton/local.json.
import { readFile } from 'node:fs/promises';
import { Address, beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { TonClient, WalletContractV5R1 } from '@ton/ton';

// A key of the local network: published, the same for everybody, worth nothing anywhere else.
const aliceMnemonic =
  process.env.ALICE_MNEMONIC ??
  'hazard object try inhale agree empower ring paper jewel axis battle home same distance monster ivory grocery mask pencil strong correct reflect biology shell';

/** Where the local network of this folder answers; 8081 is the port that is tried first. */
async function localNetwork() {
  const file = await readFile(new URL('../.ton/local.json', import.meta.url), 'utf8').catch(() => undefined);
  return (
    process.env.TON_LOCAL_V2 ?? (file === undefined ? 'http://127.0.0.1:8081/api/v2' : JSON.parse(file).v2)
  );
}

const endpoint = `${process.argv[2] ?? (await localNetwork())}/jsonRPC`;
const client = new TonClient({ endpoint });

const keys = await mnemonicToPrivateKey(aliceMnemonic.split(' '));
const alice = client.open(WalletContractV5R1.create({ workchain: 0, publicKey: keys.publicKey }));

const built = JSON.parse(await readFile(new URL('../build/Counter.compiled.json', import.meta.url), 'utf8'));
const code = Cell.fromHex(built.hex);
const data = beginCell().storeAddress(alice.address).storeInt(0, 64).endCell();
const address = contractAddress(0, { code, data });

if (await client.isContractDeployed(address)) {
  console.log(`counter  ${address.toString()}  is already deployed: nothing was sent`);
  process.exit();
}

const seqno = await alice.getSeqno();
await alice.sendTransfer({
  seqno,
  secretKey: keys.secretKey,
  sendMode: SendMode.PAY_GAS_SEPARATELY,
  messages: [internal({ to: address, value: toNano('0.1'), bounce: false, init: { code, data } })],
});
while ((await alice.getSeqno()) === seqno) {
  await new Promise((resolve) => setTimeout(resolve, 50));
}
for (
  let tries = 0;
  (await client.getContractState(Address.parse(address.toString()))).state !== 'active';
  tries++
) {
  if (tries > 100) {
    throw new Error(`The counter did not become active at ${address.toString()}.`);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}
// The local network remembers what a contract is called: the editor then shows "Counter" and takes @Counter.
await fetch(new URL('/control/name', endpoint), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ address: address.toRawString(), name: 'Counter' }),
}).catch(() => undefined);
console.log(`counter  ${address.toString()}`);
