/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-call, typescript/no-unsafe-return -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire, hashOnWire } from './support/onWire';
import { addressOf } from './support/testChain';

const alice = addressOf('alice');
const encode = encodeURIComponent;

describe("requests that the local network's APIs refuse, like the service", () => {
  let s: Scenario;
  before(async () => {
    s = await scenario();
  });
  after(() => s.server.close());

  const v3 = async (path: string): Promise<Answer> => (await s.get(`/api/v3${path}`)).body;
  const refused = async (path: string, status: number, error: string): Promise<void> => {
    assert.deepEqual(await s.get(`/api/v3${path}`), { status, body: { error, code: status } }, path);
  };

  it('vesting contracts without an address, and by two kinds at once', async () => {
    await refused('/vesting', 422, 'at least one of contract_address or wallet_address is required');
    const both = `/vesting?contract_address=${alice}&wallet_address=${alice}`;
    await refused(both, 422, 'only one of contract_address or wallet_address should be specified');
    assert.deepEqual((await v3(`/vesting?wallet_address=${alice}`)).vesting_contracts, []);
  });

  it('the index of an item without its collection', async () => {
    const error = 'index parameter is not allowed without the collection_address';
    await refused('/nft/items?index=1', 500, error);
    await refused(`/nft/items?owner_address=${alice}&index=1`, 500, error);
    assert.deepEqual((await v3(`/nft/items?collection_address=${alice}&index=1`)).nft_items, []);
  });

  it('hashes of 43 characters on v3, and of 43 characters of base64 on v2', async () => {
    const hash = hashOnWire(s.comment.hash);
    const url = hash.replaceAll('+', '-').replaceAll('/', '_');
    for (const form of [hash, url, s.comment.hash]) {
      assert.equal((await v3(`/transactions?hash=${encode(form)}`)).transactions.length, 1, form);
    }
    const error = 'failed to decode: schema: error converting value for index 0 of "hash"';
    await refused(`/transactions?hash=${url.slice(0, 43)}`, 422, error);
    const detect = async (form: string): Promise<number> =>
      (await s.get(`/api/v2/detectHash?hash=${encode(form)}`)).status;
    const bytes = Buffer.alloc(32, 0xfb);
    const forms = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
    assert.deepEqual(await Promise.all(forms.map(detect)), [200, 200, 200]);
    assert.equal(await detect(bytes.toString('base64').slice(0, 43)), 422);
  });

  it('invalid directions', async () => {
    for (const path of ['/messages?', '/transactionsByMessage?opcode=0&']) {
      await refused(`${path}direction=zz`, 422, 'direction should be one of: in, out');
    }
  });

  it('and the transaction shown only for the requested side', async () => {
    const [sent] = s.comment.outMessages;
    const ends = async (direction: string): Promise<unknown> => {
      const { messages } = await v3(`/messages?msg_hash=${encode(sent?.hash ?? '')}${direction}`);
      return messages.map((row: Answer) => [row.in_msg_tx_hash, row.out_msg_tx_hash])[0];
    };
    const [receiver, sender] = [sent?.consumer, sent?.producer].map((end) => hashOnWire(end?.hash ?? ''));
    assert.deepEqual(await ends(''), [receiver, sender]);
    assert.deepEqual(await ends('&direction=in'), [receiver, null]);
    assert.deepEqual(await ends('&direction=out'), [null, sender]);
  });

  it('and an error that says whose get-method it was, beside the result', async () => {
    const call = { address: alice, method: 'seqno', stack: [] };
    const { body } = await s.post('/api/v3/runGetMethod', call);
    assert.deepEqual([body.address, body.method, body.exit_code], [addressOnWire(alice), 'seqno', 0]);
  });
});
