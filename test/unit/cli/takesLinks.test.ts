import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addNetworkOptions } from '../../../src/cli/networkOptions';
import { takesLinks } from '../../../src/cli/networkHere';
import type { Surroundings } from '../../../src/cli/surroundings';
import { processSurroundings, runIn } from '../../../src/cli/surroundings';

const hash = 'ab'.repeat(32);

/** Commands with a mistake in the user's own networks. */
const mistaken: Surroundings = { ...processSurroundings, environment: { TON_NETWORKS: '[{}]' } };

/** The network that a command is run on, as its action sees it. */
async function networkFor(...words: string[]): Promise<string> {
  let network = '';
  const command = new Command('trace').argument('[what]').option('--address <account>');
  takesLinks(addNetworkOptions(command)).action((_what: unknown, options: { network: string }) => {
    network = options.network;
  });
  await command.parseAsync(words, { from: 'user' });
  return network;
}

describe('cli: a link', () => {
  it('chooses the network that it names', async () => {
    assert.equal(await networkFor(`https://testnet.tonviewer.com/transaction/${hash}`), 'Testnet');
    assert.equal(await networkFor(`https://tonviewer.com/${hash}`), 'Mainnet');
    assert.equal(await networkFor('--address', `https://testnet.tonscan.org/address/0:${hash}`), 'Testnet');
    assert.equal(await networkFor(`http://127.0.0.1:9/api/v3/traces?tx_hash=${hash}`), 'http://127.0.0.1:9');
  });

  it('may be the second word', async () => {
    let network = '';
    const command = new Command('query').argument('<question>').argument('<what...>');
    takesLinks(addNetworkOptions(command), 1).action((_question, _what, options: { network: string }) => {
      network = options.network;
    });
    await command.parseAsync(['sends', `https://testnet.tonviewer.com/${hash}`], { from: 'user' });
    assert.equal(network, 'Testnet');
  });

  it('chooses no network that --network, or no known host, names', async () => {
    assert.equal(await networkFor(`https://tonviewer.com/${hash}`, '--network', 'local'), 'local');
    assert.equal(await networkFor(`https://ton.example.com/api/v3/traces?tx_hash=${hash}`), 'local');
    assert.equal(await networkFor(`ton://transfer/0:${hash}`), 'local');
    assert.equal(await networkFor(hash), 'local');
    assert.equal(await networkFor(), 'local');
  });

  it("is looked up among the user's own networks, which nothing else needs", async () => {
    const inMistake = (...words: string[]): Promise<string> => runIn(mistaken, () => networkFor(...words));
    assert.equal(await inMistake(hash, '--network', 'testnet'), 'testnet');
    assert.equal(await inMistake('--address', `0:${hash}`), 'local');
    await assert.rejects(inMistake(`https://ton.example.com/${hash}`), { code: 'network-unknown' });
  });
});
